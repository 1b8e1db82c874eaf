import type { HubSession } from '@dragoman/protocol';
import { STORE_ENGINES } from '@dragoman/testkit';
import { expect, test } from 'vitest';
import { approvalAsked, type HubDoor, openHubDoor } from '../hub-door.fixture.ts';
import { said, type ScriptedRunner } from '../scripted-runner.fixture.ts';

/** A session at work on a machine whose network is then lost. */
async function openAway(engine: 'sqlite' | 'postgres' = 'sqlite') {
  const door = await openHubDoor({ engine });
  const runner = await door.runner();
  const session = await door.owner.client.createSession({
    agent: 'scribe',
    folder: '/code/app',
    prompt: { id: 'p-first', text: 'Tidy up.' },
  });
  const command = await runner.command('prompt');
  await runner.say(
    session.id,
    [
      { type: 'turn-started', turnId: 't1', promptId: 'p-first' },
      { type: 'agent-state', state: 'ready' },
      said('Looking.'),
    ],
    command,
  );
  return { door, runner, session, sessionId: session.id, client: door.owner.client };
}

/** What the log says, in short. */
async function logOf({ owner }: HubDoor, sessionId: string): Promise<string[]> {
  const { events } = await owner.client.readLog({ sessionId });
  return events.map(({ event }) => {
    const { type, ...told } = event as { type: string } & Record<string, unknown>;
    if (type === 'turn-finished') return `${type} ${told['turnId'] as string} ${told['reason'] as string}`;
    if (type === 'turn-started') return `${type} ${told['turnId'] as string}`;
    if (type === 'agent-state') return `${type} ${told['state'] as string}`;
    if (type === 'prompt-withdrawn') return `${type} ${told['promptId'] as string}`;
    if (type === 'block-stop') return `${type} ${(told['block'] as { text: string }).text}`;
    return type;
  });
}

const stateOf = ({ status, queued, waitingApprovals, lastError }: HubSession) => ({
  status,
  queued,
  waitingApprovals,
  lastError,
});

/** The machine comes back: what it has to say is taken before it is told anything. */
async function comeBack(runner: ScriptedRunner, sessionId: string, ...events: Parameters<ScriptedRunner['say']>[1][]) {
  await runner.greet();
  for (const some of events) await runner.say(sessionId, some);
  return runner.connect();
}

for (const engine of STORE_ENGINES) {
  test(`${engine}: stopping a turn whose machine is away ends it in the hub, and what comes late does not undo that`, async () => {
    const { door, runner, sessionId, client } = await openAway(engine);
    await runner.leave();

    expect(await client.cancelTurn({ sessionId })).toEqual({ turnId: 't1' });

    expect(stateOf(await client.getSession({ sessionId }))).toEqual({
      status: 'idle',
      queued: 0,
      waitingApprovals: 0,
      lastError: undefined,
    });
    const sync = await comeBack(runner, sessionId, [
      said('Still working.'),
      approvalAsked('a-late'),
      { type: 'turn-finished', turnId: 't1', reason: 'failed', error: { code: 'x', message: 'late' } },
    ]);
    expect(sync.open).toEqual([]);
    expect((await runner.command('cancel')).command).toEqual({ type: 'cancel', turnId: 't1' });
    expect(stateOf(await client.getSession({ sessionId }))).toEqual({
      status: 'idle',
      queued: 0,
      waitingApprovals: 0,
      lastError: undefined,
    });
    expect(await logOf(door, sessionId)).toEqual([
      'session-created',
      'prompt-queued',
      'turn-started t1',
      'agent-state ready',
      'block-stop Looking.',
      'turn-finished t1 cancelled',
      'block-stop Still working.',
    ]);
  });

  test(`${engine}: closing a session whose machine is away ends it in the hub, with what waits for it`, async () => {
    const { door, runner, sessionId, client } = await openAway(engine);
    await client.sendPrompt({ sessionId, id: 'p-next', text: 'And then?' });
    await runner.leave();

    expect(stateOf(await client.closeSession({ sessionId }))).toEqual({
      status: 'stopped',
      queued: 0,
      waitingApprovals: 0,
      lastError: undefined,
    });

    await comeBack(runner, sessionId, [
      said('Nearly there.'),
      { type: 'turn-finished', turnId: 't1', reason: 'done' },
      { type: 'agent-state', state: 'failed', error: { code: 'x', message: 'late' } },
      { type: 'turn-started', turnId: 't2' },
      { type: 'agent-state', state: 'ready', cwd: '/code/app-2' },
    ]);
    const close = await runner.command('close');
    await runner.send([{ handled: close.number }]);
    await runner.say(sessionId, [{ type: 'turn-finished', turnId: 't2', reason: 'cancelled' }]);
    await runner.say(sessionId, [{ type: 'agent-state', state: 'stopped' }]);
    const session = await client.getSession({ sessionId });
    expect(stateOf(session)).toEqual({ status: 'stopped', queued: 0, waitingApprovals: 0, lastError: undefined });
    expect(session.cwd).toBe('/code/app-2');
    expect(await logOf(door, sessionId)).toEqual([
      'session-created',
      'prompt-queued',
      'turn-started t1',
      'agent-state ready',
      'block-stop Looking.',
      'prompt-queued',
      'prompt-withdrawn p-next',
      'turn-finished t1 cancelled',
      'agent-state stopped',
      'block-stop Nearly there.',
      'turn-started t2',
      'turn-finished t2 cancelled',
      'agent-state stopped',
      'agent-state stopped',
    ]);
  });
}

test('a session that was closed while its machine was away goes on there with the next prompt', async () => {
  const { runner, sessionId, client } = await openAway();
  await runner.leave();
  await client.closeSession({ sessionId });
  await client.sendPrompt({ sessionId, id: 'p-again', text: 'Once more.' });

  await runner.connect();

  const close = await runner.command('close');
  const prompt = await runner.command('prompt');
  expect([prompt.number, prompt.command.prompt.id]).toEqual([close.number + 1, 'p-again']);
  await runner.send([
    { handled: close.number },
    { sessionId, at: Date.now(), event: { type: 'turn-started', turnId: 't2', promptId: 'p-again' } },
    { handled: prompt.number },
    { sessionId, at: Date.now(), event: { type: 'agent-state', state: 'ready' } },
  ]);
  expect(await client.getSession({ sessionId })).toMatchObject({ status: 'running', turnId: 't2', queued: 0 });
  await runner.say(sessionId, [approvalAsked('a-new')]);
  expect(await client.getSession({ sessionId })).toMatchObject({ status: 'waiting', waitingApprovals: 1 });
});

test('a prompt that was on its way to a machine that is gone is taken back by stopping, and shown where it was begun all the same', async () => {
  const { door, runner, sessionId, client } = await openAway();
  await runner.say(sessionId, [{ type: 'turn-finished', turnId: 't1', reason: 'done' }]);
  await client.sendPrompt({ sessionId, id: 'p-sent', text: 'On its way.' });
  const sent = await runner.command('prompt');
  await runner.leave();

  await client.cancelTurn({ sessionId });

  expect(stateOf(await client.getSession({ sessionId }))).toMatchObject({ status: 'idle', queued: 0 });
  await runner.greet();
  await runner.say(sessionId, [{ type: 'turn-started', turnId: 't2', promptId: 'p-sent' }], sent);
  await runner.say(sessionId, [said('Begun.'), { type: 'turn-finished', turnId: 't2', reason: 'done' }]);
  await runner.connect();
  expect((await runner.command('cancel')).command).toEqual({ type: 'cancel', promptId: 'p-sent' });
  expect(stateOf(await client.getSession({ sessionId }))).toMatchObject({ status: 'idle', queued: 0 });
  expect((await logOf(door, sessionId)).slice(6)).toEqual([
    'prompt-queued',
    'prompt-withdrawn p-sent',
    'turn-started t2',
    'block-stop On its way.',
    'turn-finished t2 cancelled',
    'block-stop Begun.',
  ]);
});

test('a prompt that never arrived at a machine that is gone is not begun there after it was stopped', async () => {
  const { runner, sessionId, client } = await openAway();
  await runner.say(sessionId, [{ type: 'turn-finished', turnId: 't1', reason: 'done' }]);
  await client.sendPrompt({ sessionId, id: 'p-sent', text: 'On its way.' });
  await runner.command('prompt');
  await runner.leave();
  await client.cancelTurn({ sessionId });
  runner.commands.length = 0;

  await runner.connect();

  await runner.caughtUp(client);
  expect(runner.commands.map(({ command }) => command)).toEqual([
    { type: 'cancel', promptId: 'p-sent' },
    { type: 'cancel', promptId: 'p-sent' },
  ]);
});

test('a stop that a machine never heard counts as soon as it is seen to be gone', async () => {
  const { runner, sessionId, client } = await openAway();
  await client.cancelTurn({ sessionId });
  await runner.command('cancel');

  await runner.leave();

  await expect.poll(async () => (await client.getSession({ sessionId })).status).toBe('idle');
});
