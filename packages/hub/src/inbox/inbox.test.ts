import type { HubSession } from '@dragoman/protocol';
import { STORE_ENGINES } from '@dragoman/testkit';
import { expect, test } from 'vitest';
import { openHubDoor, type HubDoor } from '../hub-door.fixture.ts';
import { said, type ScriptedRunner } from '../scripted-runner.fixture.ts';

async function open(options: Parameters<typeof openHubDoor>[0] = {}, agent = 'scribe') {
  const door = await openHubDoor(options);
  const runner = await door.runner();
  const session = await door.owner.client.createSession({ agent, folder: '/code/app' });
  await runner.say(session.id, [{ type: 'agent-state', state: 'ready' }], await runner.command('open'));
  return { door, runner, session };
}

/** Takes the next prompt up, and says which it was. */
async function begin(runner: ScriptedRunner, session: HubSession, turnId: string): Promise<string> {
  const command = await runner.command('prompt');
  const promptId = command.command.prompt.id;
  await runner.say(session.id, [{ type: 'turn-started', turnId, promptId }], command);
  return promptId;
}

async function typesOf({ owner }: HubDoor, { id }: HubSession): Promise<string[]> {
  return (await owner.client.readLog({ sessionId: id })).events.map(({ event }) => event.type);
}

for (const engine of STORE_ENGINES) {
  test(`${engine}: UAP-02 prompts reach the agent one after the other, each when the turn before has ended`, async () => {
    const { door, runner, session } = await open({ engine });
    const { client } = door.owner;

    for (const text of ['first', 'second', 'third'])
      await client.sendPrompt({ sessionId: session.id, id: `p-${text}`, text });
    expect(await begin(runner, session, 't1')).toBe('p-first');
    expect(await client.getSession({ sessionId: session.id })).toMatchObject({
      status: 'running',
      queued: 2,
      turnId: 't1',
    });
    expect((await runner.caughtUp(client)).commands).toEqual([]);

    await runner.say(session.id, [said('done'), { type: 'turn-finished', turnId: 't1', reason: 'done' }]);
    expect(await begin(runner, session, 't2')).toBe('p-second');
    await runner.say(session.id, [{ type: 'turn-finished', turnId: 't2', reason: 'failed' }]);
    expect(await begin(runner, session, 't3')).toBe('p-third');
    await runner.say(session.id, [{ type: 'turn-finished', turnId: 't3', reason: 'done' }]);

    expect(await client.getSession({ sessionId: session.id })).toMatchObject({ status: 'idle', queued: 0 });
    expect(await typesOf(door, session)).toEqual([
      'session-created',
      'agent-state',
      'prompt-queued',
      'prompt-queued',
      'prompt-queued',
      'turn-started',
      'block-stop',
      'turn-finished',
      'turn-started',
      'turn-finished',
      'turn-started',
      'turn-finished',
    ]);
  });

  test(`${engine}: the same id is the same prompt, however often and at once it is sent`, async () => {
    const { door, runner, session } = await open({ engine });
    const send = (text: string) => door.owner.client.sendPrompt({ sessionId: session.id, id: 'p-1', text });

    const answers = await Promise.all([send('hello'), send('hello'), send('hello')]);

    expect(answers.filter(({ isNew }) => isNew)).toHaveLength(1);
    expect(answers.map(({ promptId }) => promptId)).toEqual(['p-1', 'p-1', 'p-1']);
    await expect(send('goodbye')).rejects.toMatchObject({ code: 'conflict' });
    expect(await begin(runner, session, 't1')).toBe('p-1');
    expect(await send('hello')).toEqual({ promptId: 'p-1', isNew: false, delivery: 'queue' });
    expect((await typesOf(door, session)).filter((type) => type === 'prompt-queued')).toHaveLength(1);
  });

  test(`${engine}: a prompt for a machine that is away is accepted, waits, and is sent when the machine comes back`, async () => {
    const { door, runner, session } = await open({ engine });
    await runner.leave();

    await door.owner.client.sendPrompt({ sessionId: session.id, id: 'p-1', text: 'are you there?' });
    await door.owner.client.sendPrompt({ sessionId: session.id, id: 'p-2', text: 'and this?' });
    expect(await door.owner.client.getSession({ sessionId: session.id })).toMatchObject({ isOnline: false, queued: 2 });
    await door.owner.client.withdrawPrompt({ sessionId: session.id, promptId: 'p-1' });
    await door.reopen();
    runner.link = door.hub.link(door.owner.caller);
    await runner.connect();

    const { command, session: spec } = await runner.command('prompt');
    expect(command.prompt).toEqual({ id: 'p-2', content: [{ type: 'text', text: 'and this?' }] });
    expect(spec).toEqual({ sessionId: session.id, agent: 'scribe', folder: '/code/app' });
  });
}

test('a prompt that was handed over and not carried out is sent again after a restart of the hub, once', async () => {
  const { door, runner, session } = await open();
  await door.owner.client.sendPrompt({ sessionId: session.id, id: 'p-1', text: 'go' });
  const first = await runner.command('prompt');

  await door.reopen();
  runner.link = door.hub.link(door.owner.caller);
  expect(await runner.connect()).toEqual({ handled: 1, commanded: 2, open: [] });

  const again = await runner.command('prompt');
  expect(again).toEqual(first);
  await runner.say(session.id, [{ type: 'turn-started', turnId: 't1', promptId: 'p-1' }], again);
  await runner.leave();
  expect(await runner.connect()).toEqual({
    handled: 2,
    commanded: 2,
    open: [{ sessionId: session.id, turnId: 't1', approvalIds: [], lastAt: expect.any(Number) }],
  });
  await runner.say(session.id, [{ type: 'turn-finished', turnId: 't1', reason: 'done' }]);
  expect((await runner.caughtUp(door.owner.client)).commands).toEqual([]);
});

test('a prompt that the runner took and never began is sent again, or taken back where the agent cannot be started', async () => {
  const { door, runner, session } = await open();
  const { client } = door.owner;
  await client.sendPrompt({ sessionId: session.id, id: 'p-1', text: 'go' });
  await runner.say(session.id, [], await runner.command('prompt'));
  await runner.leave();
  await runner.connect();
  const again = await runner.command('prompt');
  expect(again.command.prompt.id).toBe('p-1');

  const error = { code: 'unauthenticated', message: 'Log in on that machine.', fix: 'scribe login' };
  await runner.say(session.id, [{ type: 'agent-state', state: 'failed', error }], again);

  expect(await client.getSession({ sessionId: session.id })).toMatchObject({
    status: 'failed',
    queued: 0,
    lastError: error,
  });
  expect((await typesOf(door, session)).at(-1)).toBe('prompt-withdrawn');
  await client.sendPrompt({ sessionId: session.id, id: 'p-2', text: 'now?' });
  expect((await runner.command('prompt')).command.prompt.id).toBe('p-2');
});

test('a queued prompt can be withdrawn, more than once; one that the agent has cannot', async () => {
  const { door, runner, session } = await open();
  const { client } = door.owner;
  const withdraw = (promptId: string) => client.withdrawPrompt({ sessionId: session.id, promptId });
  await client.sendPrompt({ sessionId: session.id, id: 'p-1', text: 'one' });
  await client.sendPrompt({ sessionId: session.id, id: 'p-2', text: 'two' });

  await expect(withdraw('p-1')).rejects.toMatchObject({ code: 'conflict' });
  await withdraw('p-2');
  await withdraw('p-2');
  await expect(withdraw('p-9')).rejects.toMatchObject({ code: 'not-found' });

  await begin(runner, session, 't1');
  await runner.say(session.id, [{ type: 'turn-finished', turnId: 't1', reason: 'done' }]);
  expect((await runner.caughtUp(client)).commands).toEqual([]);
  expect(await client.getSession({ sessionId: session.id })).toMatchObject({ queued: 0 });
});

test('a prompt goes into the running turn where the agent can be steered, and is queued where it cannot', async () => {
  const able = await open({}, 'able');
  const { client } = able.door.owner;
  const steer = (sessionId: string, id: string) =>
    client.sendPrompt({ sessionId, id, text: 'also this', delivery: 'steer' });
  expect(await steer(able.session.id, 'p-1')).toMatchObject({ delivery: 'queue' });
  await begin(able.runner, able.session, 't1');
  expect(await steer(able.session.id, 'p-2')).toMatchObject({ delivery: 'steer' });
  const command = await able.runner.command('steer');
  expect(command.command.prompt).toEqual({ id: 'p-2', content: [{ type: 'text', text: 'also this' }] });
  await able.runner.say(able.session.id, [{ type: 'prompt-taken', promptId: 'p-2', turnId: 't1' }], command);
  expect(await client.getSession({ sessionId: able.session.id })).toMatchObject({ queued: 0, status: 'running' });

  const plain = await client.createSession({ agent: 'scribe', folder: '/code/app', prompt: { text: 'go' } });
  await begin(able.runner, plain, 't2');
  expect(await steer(plain.id, 'p-3')).toMatchObject({ delivery: 'queue' });
});

test('a steering prompt that came too late becomes a turn of its own', async () => {
  const { door, runner, session } = await open({}, 'able');
  const { client } = door.owner;
  await client.sendPrompt({ sessionId: session.id, id: 'p-1', text: 'go' });
  await begin(runner, session, 't1');
  await client.sendPrompt({ sessionId: session.id, id: 'p-2', text: 'wait', delivery: 'steer' });
  await client.sendPrompt({ sessionId: session.id, id: 'p-3', text: 'later' });
  const steer = await runner.command('steer');

  await runner.say(session.id, [{ type: 'turn-finished', turnId: 't1', reason: 'done' }]);
  expect((await runner.caughtUp(client)).commands).toEqual([]);
  await runner.say(session.id, [{ type: 'turn-started', turnId: 't2', promptId: 'p-2' }], steer);
  await runner.say(session.id, [{ type: 'turn-finished', turnId: 't2', reason: 'done' }]);

  expect((await runner.command('prompt')).command.prompt.id).toBe('p-3');
});

test('the running turn is cancelled by its id; where none runs, nothing happens', async () => {
  const { door, runner, session } = await open();
  const { client } = door.owner;
  expect(await client.cancelTurn({ sessionId: session.id })).toEqual({});
  await client.sendPrompt({ sessionId: session.id, text: 'go' });
  await begin(runner, session, 't1');

  expect(await client.cancelTurn({ sessionId: session.id })).toEqual({ turnId: 't1' });
  expect((await runner.command('cancel')).command).toEqual({ type: 'cancel', turnId: 't1' });
});

test('a turn that has not been heard of yet is cancelled by the prompt that begins it', async () => {
  const { door, runner, session } = await open();
  const { client } = door.owner;
  await client.sendPrompt({ sessionId: session.id, id: 'p-1', text: 'go' });
  await runner.command('prompt');

  expect(await client.cancelTurn({ sessionId: session.id })).toEqual({});

  expect((await runner.command('cancel')).command).toEqual({ type: 'cancel', promptId: 'p-1' });
});

test('closing a session takes back what waits in it, so that nothing starts the agent again', async () => {
  const { door, runner, session } = await open();
  const { client } = door.owner;
  await client.sendPrompt({ sessionId: session.id, id: 'p-1', text: 'one' });
  await begin(runner, session, 't1');
  await client.sendPrompt({ sessionId: session.id, id: 'p-2', text: 'two' });

  await client.closeSession({ sessionId: session.id });

  const ended = [
    { type: 'turn-finished', turnId: 't1', reason: 'cancelled' } as const,
    { type: 'agent-state', state: 'stopped' } as const,
  ];
  await runner.say(session.id, ended, await runner.command('close'));
  expect((await runner.caughtUp(client)).commands).toEqual([]);
  expect(await client.getSession({ sessionId: session.id })).toMatchObject({ status: 'stopped', queued: 0 });
});

test('an image of a prompt is kept beside the log and reaches the runner whole', async () => {
  const { door, runner, session } = await open();
  const { client } = door.owner;
  const data = Buffer.alloc(5_000, 7).toString('base64');
  const prompt = {
    sessionId: session.id,
    id: 'p-1',
    text: 'what is this?',
    content: [{ type: 'image' as const, media_type: 'image/png', data }],
  };

  expect(await client.sendPrompt(prompt)).toMatchObject({ isNew: true });
  expect(await client.sendPrompt(prompt)).toMatchObject({ isNew: false });

  const { command } = await runner.command('prompt');
  expect(command.prompt.content).toEqual([
    { type: 'text', text: 'what is this?' },
    { type: 'image', media_type: 'image/png', data },
  ]);
  const { events } = await client.readLog({ sessionId: session.id });
  expect(JSON.stringify(events)).not.toContain(data);
});

test('an empty prompt, a prompt for nobody and one too many are refused', async () => {
  const { door, session } = await open({ hub: { approvalMinutes: 60, maxQueued: 2, goneAfterHours: 24 } });
  const { client } = door.owner;
  const send = (body: object, sessionId = session.id) => client.sendPrompt({ sessionId, ...body });

  await expect(send({})).rejects.toMatchObject({ code: 'bad-request' });
  await expect(send({ text: ' \n ' })).rejects.toMatchObject({ code: 'bad-request' });
  await expect(send({ text: 'hi' }, 'ses_nobody')).rejects.toMatchObject({ code: 'not-found' });
  await send({ text: 'one' });
  await send({ text: 'two' });
  await expect(send({ text: 'three' })).rejects.toThrow('2 prompts are already queued in this session; the limit is 2');
});

test('a prompt for a machine that can keep nothing is refused with what is wrong there, until there is room again', async () => {
  const { door, runner, session } = await open();
  const { client } = door.owner;
  const agents = runner.hello.agents;
  const message = 'nothing can be kept in /data/outbox: the disk is full; make room';
  runner.hello.agents = agents.map((agent) => ({ ...agent, problem: { code: 'data-folder', message } }));
  await runner.connect();

  await expect(client.sendPrompt({ sessionId: session.id, text: 'Hello?' })).rejects.toMatchObject({
    code: 'conflict',
    message: `The machine desk cannot work at the moment: ${message}`,
  });

  runner.hello.agents = agents;
  await runner.connect();
  expect((await client.sendPrompt({ sessionId: session.id, text: 'Hello?' })).isNew).toBe(true);
});
