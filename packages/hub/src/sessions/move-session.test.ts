import { foldHubEvents } from '@dragoman/protocol';
import { STORE_ENGINES } from '@dragoman/testkit';
import { expect, test } from 'vitest';
import { type HubDoor, openHubDoor } from '../hub-door.fixture.ts';
import { said } from '../scripted-runner.fixture.ts';

/** A session that talked on the machine "desk", which is away now, and another machine. */
async function openMoved(options: Parameters<typeof openHubDoor>[0] = {}) {
  const door = await openHubDoor(options);
  const { client } = door.owner;
  const desk = await door.runner();
  const { id: sessionId } = await client.createSession({
    agent: 'scribe',
    folder: '/code/app',
    runnerId: 'run_desk',
    prompt: { id: 'p-first', text: 'Tidy up.' },
  });
  await desk.say(
    sessionId,
    [
      { type: 'turn-started', turnId: 't1', promptId: 'p-first' },
      { type: 'agent-state', state: 'ready', cwd: '/code/app' },
      { type: 'agent-updated', agentSessionId: 'own-1' },
      said('Half of it is tidy.'),
    ],
    await desk.command('prompt'),
  );
  await desk.leave();
  const laptop = await door.runner({ id: 'run_laptop', name: 'laptop', outboxId: 'outbox-2' });
  laptop.answers = (ask) =>
    ask.method === 'list-folder' && ask.path === '/nowhere'
      ? { error: { code: 'not-found', message: 'There is no folder /nowhere.' } }
      : { result: { path: '/', isRepository: false, folders: [] } };
  return { door, client, desk, laptop, sessionId };
}

async function viewOf({ owner }: HubDoor, sessionId: string) {
  const { events } = await owner.client.readLog({ sessionId });
  return foldHubEvents(events)!;
}

for (const engine of STORE_ENGINES) {
  test(`${engine}: a session whose machine is away goes on at another one, which is told what was said`, async () => {
    const { door, client, desk, laptop, sessionId } = await openMoved({ engine });

    const moved = await client.moveSession({ sessionId, runnerId: 'run_laptop', folder: '/home/ann/app' });

    expect(moved).toMatchObject({
      runnerId: 'run_laptop',
      folder: '/home/ann/app',
      agent: 'scribe',
      status: 'failed',
      isOnline: true,
      agentSessionId: 'own-1',
    });
    expect(moved.turnId).toBeUndefined();
    await client.sendPrompt({ sessionId, id: 'p-next', text: 'Go on.' });
    const prompt = await laptop.command('prompt');
    expect(prompt.session).toEqual({
      sessionId,
      agent: 'scribe',
      folder: '/home/ann/app',
      agentSessionId: 'own-1',
    });
    expect(prompt.command.prompt.content).toEqual([{ type: 'text', text: 'Go on.' }]);
    expect(prompt.command.prompt.history).toBe(
      [
        'This conversation began on another machine. What was said so far, for you to continue from:',
        'User: Tidy up.',
        'Assistant: Half of it is tidy.',
        'End of what was said so far. Files may differ on this machine: look before you rely on them.',
      ].join('\n\n'),
    );
    await laptop.say(sessionId, [{ type: 'turn-started', turnId: 't2', promptId: 'p-next' }], prompt);

    // The machine that had it comes back with what its agent did meanwhile.
    await desk.greet();
    await desk.say(sessionId, [said('All is tidy.'), { type: 'turn-finished', turnId: 't1', reason: 'done' }]);
    await desk.connect();
    expect((await desk.command('close')).command).toEqual({ type: 'close', isRemoved: false });
    await desk.say(sessionId, [said('And tidier still.'), { type: 'agent-state', state: 'stopped' }]);
    expect(await client.getSession({ sessionId })).toMatchObject({ status: 'running', turnId: 't2' });

    await laptop.say(sessionId, [{ type: 'turn-finished', turnId: 't2', reason: 'done' }]);
    await client.sendPrompt({ sessionId, id: 'p-last', text: 'And now?' });
    expect((await laptop.command('prompt')).command.prompt.history).toBeUndefined();
    const view = await viewOf(door, sessionId);
    expect(view.info).toMatchObject({ runnerId: 'run_laptop', folder: '/home/ann/app' });
    expect(view.turns.map(({ id, reason }) => [id, reason])).toEqual([
      ['t1', 'interrupted'],
      ['t2', 'done'],
    ]);
    expect(
      view.messages.flatMap(({ blocks }) => blocks.map(({ block }) => ('text' in block ? block.text : ''))),
    ).toEqual([
      'Tidy up.',
      'Half of it is tidy.',
      'Moved from desk to laptop, where it works in /home/ann/app.',
      'Go on.',
      'desk went on after this session was moved; what its agent did there is not shown, and its files may differ.',
    ]);
  });
}

test('a prompt that waited for a machine that is gone goes to the machine that the session is moved to', async () => {
  const { client, laptop, sessionId } = await openMoved();
  await client.sendPrompt({ sessionId, id: 'p-waits', text: 'Later.' });

  await client.moveSession({ sessionId, runnerId: 'run_laptop' });

  expect((await laptop.command('prompt')).command.prompt.id).toBe('p-waits');
});

test('a session is not moved between a prompt that its machine was given and the turn that begins with it', async () => {
  const { client, desk, laptop, sessionId } = await openMoved();
  await desk.connect();
  await desk.say(sessionId, [{ type: 'turn-finished', turnId: 't1', reason: 'done' }]);
  const move = () => client.moveSession({ sessionId, runnerId: 'run_laptop' });
  const running = 'The agent is running. Stop it before moving the session.';

  await client.sendPrompt({ sessionId, id: 'p-once', text: 'Once.' });
  await expect(move()).rejects.toThrow(running);
  const prompt = await desk.command('prompt');
  await expect(move()).rejects.toThrow(running);
  await desk.say(sessionId, [{ type: 'turn-started', turnId: 't2', promptId: 'p-once' }], prompt);
  await expect(move()).rejects.toThrow(running);
  await desk.say(sessionId, [{ type: 'turn-finished', turnId: 't2', reason: 'done' }]);

  expect(await move()).toMatchObject({ runnerId: 'run_laptop', queued: 0 });
  laptop.answers = () => undefined;
  expect((await laptop.caughtUp(client)).commands).toEqual([]);
});

for (const engine of STORE_ENGINES) {
  test(`${engine}: a prompt that a machine had when it went away counts as begun there, and is given to no other`, async () => {
    const { door, client, desk, laptop, sessionId } = await openMoved({ engine });
    await desk.connect();
    await desk.say(sessionId, [{ type: 'turn-finished', turnId: 't1', reason: 'done' }]);
    await client.sendPrompt({ sessionId, id: 'p-once', text: 'Once.' });
    await desk.command('prompt');
    await desk.leave();
    await client.sendPrompt({ sessionId, id: 'p-later', text: 'Later.' });

    await client.moveSession({ sessionId, runnerId: 'run_laptop' });

    const prompt = await laptop.command('prompt');
    expect(prompt.command.prompt.id).toBe('p-later');
    await laptop.say(
      sessionId,
      [
        { type: 'turn-started', turnId: 't3', promptId: 'p-later' },
        { type: 'turn-finished', turnId: 't3', reason: 'done' },
      ],
      prompt,
    );
    laptop.answers = () => undefined;
    expect((await laptop.caughtUp(client)).commands).toEqual([]);
    const { messages, turns } = await viewOf(door, sessionId);
    expect(turns.map(({ reason }) => reason)).toEqual(['done', 'interrupted', 'done']);
    expect(messages.flatMap(({ blocks }) => blocks.map(({ block }) => ('text' in block ? block.text : '')))).toContain(
      'Once.',
    );
  });
}

test('what was put into a turn when its machine went away is given to no other', async () => {
  const { client, door } = await openMoved();
  const able = await door.runner({ id: 'run_able', name: 'able', outboxId: 'outbox-3' });
  const { id: sessionId } = await client.createSession({
    agent: 'able',
    folder: '/code/app',
    runnerId: 'run_able',
    prompt: { id: 'p-first', text: 'Go.' },
  });
  await able.say(
    sessionId,
    [
      { type: 'turn-started', turnId: 't1', promptId: 'p-first' },
      { type: 'agent-state', state: 'ready' },
    ],
    await able.command('prompt'),
  );
  await client.sendPrompt({ sessionId, id: 'p-also', text: 'Also this.', delivery: 'steer' });
  await able.command('steer');
  await able.leave();

  await client.moveSession({ sessionId, runnerId: 'run_laptop' });

  expect(await client.getSession({ sessionId })).toMatchObject({ queued: 0 });
  const { turns, messages } = await viewOf(door, sessionId);
  expect(turns.map(({ id, reason }) => [id, reason])).toEqual([['t1', 'interrupted']]);
  expect(messages.flatMap(({ blocks }) => blocks.map(({ block }) => ('text' in block ? block.text : '')))).toContain(
    'Also this.',
  );
});

test('a machine that only ends the agent of a session that was moved did not go on', async () => {
  const { door, client, desk, sessionId } = await openMoved();
  await client.moveSession({ sessionId, runnerId: 'run_laptop' });

  await desk.greet();
  await desk.say(sessionId, [
    { type: 'turn-finished', turnId: 't1', reason: 'interrupted' },
    { type: 'agent-state', state: 'stopped' },
  ]);

  expect((await viewOf(door, sessionId)).messages.at(-1)?.blocks[0]?.block).toMatchObject({
    text: 'Moved from desk to laptop, where it works in /code/app.',
  });
});

test('a session that had a worktree says on which machine that stays, and where', async () => {
  const { door, client, desk, laptop } = await openMoved();
  await desk.connect();
  const { id: sessionId } = await client.createSession({
    agent: 'scribe',
    folder: '/code/app',
    runnerId: 'run_desk',
    worktree: true,
  });
  await desk.say(sessionId, [{ type: 'agent-state', state: 'ready', cwd: '/trees/app', branch: 'dragoman/app' }]);

  await client.moveSession({ sessionId, runnerId: 'run_laptop', folder: '/home/ann/app' });
  await laptop.say(sessionId, [{ type: 'agent-state', state: 'ready', cwd: '/other/app' }]);
  await client.moveSession({ sessionId, runnerId: 'run_laptop', agent: 'able' });

  const { messages } = await viewOf(door, sessionId);
  expect(messages.flatMap(({ blocks }) => blocks.map(({ block }) => ('text' in block ? block.text : '')))).toEqual([
    'Moved from desk to laptop, where it works in /home/ann/app. Its worktree stays on desk, in /trees/app.',
    'Now works with able.',
  ]);
});

test('a session that stays on its machine says what changed, and nothing where nothing did', async () => {
  const { door, client, sessionId } = await openMoved();
  const move = (body: object) => client.moveSession({ sessionId, runnerId: 'run_laptop', ...body });
  await move({ agent: 'able' });
  const { seq } = await move({ folder: '/code/b' });

  expect((await move({ folder: '/code/b', agent: 'able' })).seq).toBe(seq);
  await move({ folder: '/code/c', agent: 'scribe' });

  const { messages } = await viewOf(door, sessionId);
  expect(
    messages.slice(2).flatMap(({ blocks }) => blocks.map(({ block }) => ('text' in block ? block.text : ''))),
  ).toEqual([
    'Moved from desk to laptop, where it works with able in /code/app.',
    'Now works in /code/b.',
    'Now works with scribe in /code/c.',
  ]);
});

test('a session can go to another agent, which starts anew', async () => {
  const { client, sessionId } = await openMoved();

  const moved = await client.moveSession({ sessionId, runnerId: 'run_laptop', agent: 'able' });

  expect(moved).toMatchObject({ agent: 'able', capabilities: { fork: true, steer: true } });
  expect(moved.agentSessionId).toBeUndefined();
});

test('a move is refused to a folder, agent or machine that is not there, and while the agent is running', async () => {
  const { client, desk, sessionId } = await openMoved();
  const move = (body: object) => client.moveSession({ sessionId, runnerId: 'run_laptop', ...body });

  await expect(move({ folder: '/nowhere' })).rejects.toThrow('There is no folder /nowhere.');
  await expect(move({ agent: 'nobody' })).rejects.toThrow('the machine laptop has no agent "nobody"');
  await expect(move({ runnerId: 'run_desk', folder: '/code/b' })).rejects.toThrow('The machine desk is not connected');
  await expect(move({ runnerId: 'run_none' })).rejects.toThrow('There is no machine "run_none"');
  await desk.connect();
  await expect(move({})).rejects.toThrow('The agent is running. Stop it before moving the session.');
});

test('a machine that was away for long takes no prompts, and the session says so', async () => {
  let hours = 0;
  const { client, sessionId, desk } = await openMoved({ now: () => 1_000_000_000_000 + hours * 3_600_000 });
  expect((await client.getSession({ sessionId })).away).toEqual({
    machine: 'desk',
    since: 1_000_000_000_000,
    state: 'away',
  });
  hours = 23;
  await client.sendPrompt({ sessionId, id: 'p-1', text: 'Soon?' });

  hours = 25;

  const sentence =
    'The machine desk has been offline since 2001-09-09 01:46 UTC. Start its runner again, or move the session to another machine.';
  await expect(client.sendPrompt({ sessionId, text: 'Hello?' })).rejects.toMatchObject({
    code: 'conflict',
    message: sentence,
  });
  await expect(client.createSession({ agent: 'scribe', folder: '/code', runnerId: 'run_desk' })).rejects.toThrow(
    sentence,
  );
  expect((await client.getSession({ sessionId })).away?.state).toBe('gone');
  expect((await client.sendPrompt({ sessionId, id: 'p-1', text: 'Soon?' })).isNew).toBe(false);
  await desk.connect();
  expect((await client.getSession({ sessionId })).away).toBeUndefined();
  await client.sendPrompt({ sessionId, text: 'Hello?' });
});

test('a hub that was opened just now waits for its machines, however long it was not there', async () => {
  let hours = 0;
  const { door, client, sessionId } = await openMoved({ now: () => 1_000_000_000_000 + hours * 3_600_000 });
  hours = 100;
  await door.reopen();

  await client.sendPrompt({ sessionId, text: 'Are you there?' });

  expect((await client.getSession({ sessionId })).away?.state).toBe('away');
});

test('a machine can be forgotten: its sessions can be read and moved, and it is there again when it connects', async () => {
  const { door, client, desk, laptop, sessionId } = await openMoved();
  await client.sendPrompt({ sessionId, id: 'p-waits', text: 'Later.' });

  await client.removeRunner({ runnerId: 'run_desk' });

  expect((await client.listRunners()).runners.map(({ name }) => name)).toEqual(['laptop']);
  expect(await client.getSession({ sessionId })).toMatchObject({
    status: 'stopped',
    queued: 0,
    away: { machine: 'desk', state: 'forgotten' },
  });
  const sentence =
    'The machine desk was removed, so its sessions can only be read. Move the session to another machine to continue.';
  await expect(client.sendPrompt({ sessionId, text: 'Hello?' })).rejects.toThrow(sentence);
  await expect(client.listFiles({ sessionId })).rejects.toMatchObject({ code: 'conflict', message: sentence });
  await expect(client.moveSession({ sessionId, runnerId: 'run_desk' })).rejects.toThrow(sentence);
  expect((await viewOf(door, sessionId)).messages).toHaveLength(2);

  await desk.greet();
  await desk.say(sessionId, [said('All is tidy.'), { type: 'turn-finished', turnId: 't1', reason: 'done' }]);
  await desk.connect();
  expect((await desk.command('close')).command).toEqual({ type: 'close', isRemoved: false });
  expect((await client.listRunners()).runners.map(({ name }) => name)).toEqual(['desk', 'laptop']);
  const back = await client.getSession({ sessionId });
  expect([back.status, back.away]).toEqual(['stopped', undefined]);

  await client.moveSession({ sessionId, runnerId: 'run_laptop' });
  await client.sendPrompt({ sessionId, id: 'p-new', text: 'Go on.' });
  expect((await laptop.command('prompt')).command.prompt.id).toBe('p-new');
});
