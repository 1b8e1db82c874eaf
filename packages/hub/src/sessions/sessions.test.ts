import { foldHubEvents, type HubSession, newId } from '@dragoman/protocol';
import { STORE_ENGINES } from '@dragoman/testkit';
import { expect, test } from 'vitest';
import { openHubDoor } from '../hub-door.fixture.ts';
import { said } from '../scripted-runner.fixture.ts';

for (const engine of STORE_ENGINES) {
  test(`${engine}: UAP-04 UAP-05 a session of an agent that the hub never heard of is created, opened, continued, listed and ended`, async () => {
    const door = await openHubDoor({ engine });
    const runner = await door.runner();
    const { client } = door.owner;

    const session = await client.createSession({ agent: 'scribe', folder: '/code/app/' });
    expect(session).toMatchObject({
      title: 'scribe',
      agent: 'scribe',
      runnerId: 'run_desk',
      folder: '/code/app',
      status: 'starting',
      isOnline: true,
      capabilities: { approvals: true, resume: true },
      by: { type: 'user', name: 'owner', channel: 'api' },
    });
    const open = await runner.command('open');
    expect(open.session).toEqual({ sessionId: session.id, agent: 'scribe', folder: '/code/app' });
    await runner.say(
      session.id,
      [
        { type: 'agent-state', state: 'ready', cwd: '/trees/app-1', branch: 'dragoman/1' },
        { type: 'agent-updated', agentSessionId: 'own-7', title: 'Mending the lamp', model: 'm1' },
      ],
      open,
    );

    await client.sendPrompt({ sessionId: session.id, id: 'p-1', text: 'mend the lamp' });
    const prompt = await runner.command('prompt');
    expect(prompt.session).toEqual({
      sessionId: session.id,
      agent: 'scribe',
      folder: '/code/app',
      cwd: '/trees/app-1',
      model: 'm1',
      agentSessionId: 'own-7',
    });
    await runner.say(
      session.id,
      [
        { type: 'turn-started', turnId: 't1', promptId: 'p-1' },
        said('It shines.'),
        { type: 'turn-finished', turnId: 't1', reason: 'done' },
      ],
      prompt,
    );

    expect((await client.listSessions()).sessions).toEqual([
      expect.objectContaining({ id: session.id, title: 'Mending the lamp', status: 'idle', lastText: 'It shines.' }),
    ]);
    await client.closeSession({ sessionId: session.id });
    const close = await runner.command('close');
    expect(close.command).toEqual({ type: 'close', isRemoved: false });
    await runner.say(session.id, [{ type: 'agent-state', state: 'stopped' }], close);
    expect(await client.getSession({ sessionId: session.id })).toMatchObject({ status: 'stopped' });
  });

  test(`${engine}: pages of the list meet without gap or repetition, and filters hold`, async () => {
    let time = 1_000;
    const door = await openHubDoor({ engine, now: () => time });
    await door.runner();
    const { client } = door.owner;
    const made: HubSession[] = [];
    for (let index = 0; index < 7; index++) {
      if (index % 3 === 0) time += 10; // Several of the same moment.
      made.push(
        await client.createSession({ agent: index % 2 === 0 ? 'scribe' : 'able', folder: `/code/${index % 2}` }),
      );
    }
    await client.updateSession({ sessionId: made[0]!.id, pinned: true });
    await client.updateSession({ sessionId: made[1]!.id, archived: true });

    const seen: string[] = [];
    for (let before: string | undefined; ;) {
      const page = await client.listSessions({ limit: 2, ...(before !== undefined && { before }) });
      expect(page.sessions.length).toBeLessThanOrEqual(2);
      seen.push(...page.sessions.map(({ id }) => id));
      if (page.next === undefined) break;
      before = page.next;
    }
    expect([...seen].sort()).toEqual(made.map(({ id }) => id).sort());
    expect(seen[0]).toBe(made[0]!.id); // It is pinned.

    const idsOf = async (query: object) => (await client.listSessions(query)).sessions.map(({ id }) => id).sort();
    expect(await idsOf({ agent: 'able' })).toEqual([1, 3, 5].map((index) => made[index]!.id));
    expect(await idsOf({ folder: '/code/0', pinned: true })).toEqual([made[0]!.id]);
    expect(await idsOf({ archived: true })).toEqual([made[1]!.id]);
    expect(await idsOf({ archived: false, agent: 'able' })).toEqual([3, 5].map((index) => made[index]!.id));
    expect(await idsOf({ status: 'starting' })).toHaveLength(7);
    expect(await idsOf({ status: 'running' })).toEqual([]);
    expect(await idsOf({ runnerId: 'run_other' })).toEqual([]);
    await expect(client.listSessions({ before: 'yesterday' })).rejects.toMatchObject({ code: 'bad-request' });
  });
}

test('UAP-26 an agent that the machine does not offer is refused with those it offers', async () => {
  const door = await openHubDoor();
  const runner = await door.runner();
  await runner.leave();

  await expect(door.owner.client.createSession({ agent: 'ollama', folder: '/code' })).rejects.toMatchObject({
    code: 'bad-request',
    message: 'agent: the machine desk has no agent "ollama"; it offers: scribe, able, absent.',
  });
  await expect(door.owner.client.createSession({ agent: 'absent', folder: '/code' })).rejects.toMatchObject({
    code: 'unavailable',
    message: '"absent" is not installed; what helps: npm install -g absent',
  });
});

test('an agent that was installed after the runner connected is found', async () => {
  const door = await openHubDoor();
  const runner = await door.runner();

  const created = door.owner.client.createSession({ agent: 'absent', folder: '/code' });
  const { askId, ask } = await runner.asked();
  expect(ask).toEqual({ method: 'list-agents' });
  await runner.link.reply('run_desk', askId, { result: [{ name: 'absent', backend: 'acp', capabilities: {} }] });

  expect(await created).toMatchObject({ agent: 'absent' });
  const { runners } = await door.owner.client.listRunners();
  expect(runners[0]!.agents).toEqual([{ name: 'absent', backend: 'acp', capabilities: {} }]);
});

test('a session works only in folders of its machine', async () => {
  const door = await openHubDoor();
  await door.runner({ folders: ['/code', 'C:\\work'] });
  const create = (folder: string) => door.owner.client.createSession({ agent: 'scribe', folder });

  expect(await create('/code/app/../lib')).toMatchObject({ folder: '/code/lib' });
  expect(await create('/code')).toMatchObject({ folder: '/code' });
  expect(await create('/code/..odd')).toMatchObject({ folder: '/code/..odd' });
  expect(await create('C:\\work\\app')).toMatchObject({ folder: 'C:\\work\\app' });
  for (const folder of ['/codes', '/code/../etc', '/', 'D:\\work', 'C:\\work\\..\\x'])
    await expect(create(folder)).rejects.toMatchObject({ code: 'forbidden' });
  for (const folder of ['code', './code', '~mia/code', '/code\0/x', '~/\0'])
    await expect(create(folder)).rejects.toMatchObject({ code: 'bad-request' });
});

test('the same id is the same session, with the same first prompt; for something else it is refused', async () => {
  const door = await openHubDoor();
  const runner = await door.runner();
  const { client } = door.owner;
  const id = newId('ses');
  const body = { id, agent: 'scribe', folder: '/code', title: 'A lamp', prompt: { id: 'p-1', text: 'go' } };

  const answers = await Promise.all([client.createSession(body), client.createSession(body)]);

  expect(answers.map((session) => [session.id, session.title])).toEqual([
    [id, 'A lamp'],
    [id, 'A lamp'],
  ]);
  await runner.command('prompt');
  expect((await runner.caughtUp(client)).commands).toEqual([]);
  await expect(client.createSession({ ...body, folder: '/other' })).rejects.toMatchObject({ code: 'conflict' });
  await expect(client.createSession({ ...body, prompt: { id: 'p-1', text: 'no' } })).rejects.toMatchObject({
    code: 'conflict',
  });
});

test('a session is named after its first prompt until a person or the agent names it', async () => {
  const door = await openHubDoor();
  const runner = await door.runner();
  const { client } = door.owner;
  const text = `  Mend the lamp in the hall\nand ${'then '.repeat(50)}`;
  const session = await client.createSession({ agent: 'scribe', folder: '/code', prompt: { text } });
  expect(session.title).toBe('Mend the lamp in the hall');
  await runner.say(session.id, [{ type: 'agent-updated', title: 'Lamp' }]);
  expect(await client.getSession({ sessionId: session.id })).toMatchObject({ title: 'Lamp' });

  expect(await client.updateSession({ sessionId: session.id, title: 'The hall' })).toMatchObject({ title: 'The hall' });
  await runner.say(session.id, [{ type: 'agent-updated', title: 'Lamp again' }]);

  expect(await client.getSession({ sessionId: session.id })).toMatchObject({ title: 'The hall' });
});

test('a session can be renamed, pinned and archived, and its model and mode changed where the agent has some', async () => {
  const door = await openHubDoor();
  const runner = await door.runner();
  const { client } = door.owner;
  const { id: sessionId } = await client.createSession({ agent: 'able', folder: '/code' });

  expect(await client.updateSession({ sessionId, title: 'New', pinned: true, archived: true })).toMatchObject({
    title: 'New',
    isPinned: true,
    isArchived: true,
  });
  expect(await client.updateSession({ sessionId, model: 'm2', mode: 'plan' })).toMatchObject({
    model: 'm2',
    mode: 'plan',
  });
  const { command, session } = await runner.command('configure');
  expect(command).toEqual({ type: 'configure', model: 'm2', mode: 'plan' });
  expect(session).toMatchObject({ model: 'm2', mode: 'plan' });

  const plain = await client.createSession({ agent: 'scribe', folder: '/code' });
  await expect(client.updateSession({ sessionId: plain.id, model: 'm2' })).rejects.toThrow(
    'model: the agent scribe has no models to choose from.',
  );
});

for (const engine of STORE_ENGINES) {
  test(`${engine}: a model or a mode that the agent does not have is refused, and what was chosen stays`, async () => {
    const door = await openHubDoor({ engine });
    const runner = await door.runner();
    const { client } = door.owner;
    const { id: sessionId } = await client.createSession({ agent: 'able', folder: '/code' });
    await runner.say(sessionId, [
      {
        type: 'agent-updated',
        models: [{ id: 'm/sonnet' }, { id: 'm/opus' }],
        modes: [{ id: 'plan' }],
        model: 'm/opus',
      },
      { type: 'agent-updated', capabilities: { models: true, modes: true } },
    ]);

    await expect(client.updateSession({ sessionId, model: 'm/sonet' })).rejects.toMatchObject({
      code: 'bad-request',
      message: 'model: the agent able has no model "m/sonet". Did you mean m/sonnet? It has 2: m/sonnet, m/opus.',
    });
    await expect(client.updateSession({ sessionId, title: 'New', mode: 'fast' })).rejects.toThrow(
      'mode: the agent able has no mode "fast". It has 1: plan.',
    );
    expect(await client.getSession({ sessionId })).toMatchObject({ model: 'm/opus', title: 'Able' });
    expect(await client.updateSession({ sessionId, model: 'm/sonnet' })).toMatchObject({ model: 'm/sonnet' });
    await runner.say(sessionId, [{ type: 'agent-updated', models: [] }]);
    expect(await client.updateSession({ sessionId, model: 'anything' })).toMatchObject({ model: 'anything' });
  });
}

test('a deleted session is gone with everything in it, and its machine does nothing more for it', async () => {
  const door = await openHubDoor();
  const runner = await door.runner();
  const { client } = door.owner;
  const kept = await client.createSession({ agent: 'scribe', folder: '/code' });
  const session = await client.createSession({ agent: 'scribe', folder: '/code', prompt: { text: 'go' } });
  await runner.leave();
  runner.commands.length = 0;

  await client.removeSession({ sessionId: session.id });

  await expect(client.getSession({ sessionId: session.id })).rejects.toMatchObject({ code: 'not-found' });
  await expect(client.readLog({ sessionId: session.id })).rejects.toMatchObject({ code: 'not-found' });
  expect((await client.listSessions()).sessions.map(({ id }) => id)).toEqual([kept.id]);
  await runner.connect();
  await runner.say(session.id, [said('too late')]);
  const commands = (await runner.caughtUp(client)).commands.map((one) => [one.session.sessionId, one.command]);
  expect(commands).toEqual([
    [kept.id, { type: 'open' }],
    [session.id, { type: 'close', isRemoved: true }],
    [session.id, { type: 'close', isRemoved: true }],
  ]);
});

test('a fork knows what was said before a message, and nothing of what was open there', async () => {
  const door = await openHubDoor();
  const runner = await door.runner();
  const { client } = door.owner;
  const source = await client.createSession({ agent: 'able', folder: '/code', prompt: { id: 'p-1', text: 'one' } });
  await expect(client.forkSession({ sessionId: source.id })).rejects.toMatchObject({ code: 'conflict' });
  await runner.say(
    source.id,
    [
      { type: 'agent-updated', agentSessionId: 'own-1' },
      { type: 'turn-started', turnId: 't1', promptId: 'p-1' },
      said('first answer'),
    ],
    await runner.command('prompt'),
  );
  await client.sendPrompt({ sessionId: source.id, id: 'p-2', text: 'two' });
  await runner.say(source.id, [{ type: 'turn-finished', turnId: 't1', reason: 'done' }]);
  const second = await runner.command('prompt');
  await runner.say(source.id, [{ type: 'turn-started', turnId: 't2', promptId: 'p-2' }, said('second answer')], second);

  const fork = await client.forkSession({ sessionId: source.id, beforeMessageId: 'p-2', title: 'Another way' });

  expect(fork).toMatchObject({
    title: 'Another way',
    agent: 'able',
    forkedFrom: { sessionId: source.id },
    queued: 0,
    status: 'starting',
    capabilities: { fork: true },
  });
  const { command, session } = await runner.command('fork');
  expect(command).toEqual({ type: 'fork', agentSessionId: 'own-1', beforeMessageId: 'p-2' });
  expect(session.sessionId).toBe(fork.id);
  const { events } = await client.readLog({ sessionId: fork.id });
  expect(JSON.stringify(events)).toContain('first answer');
  expect(JSON.stringify(events)).not.toContain('second answer');
  expect(foldHubEvents(events)).toMatchObject({ queue: [], approvals: [], turn: { id: 't1', reason: 'done' } });
  await expect(client.forkSession({ sessionId: source.id, beforeMessageId: 'p-9' })).rejects.toMatchObject({
    code: 'not-found',
  });
  const long = Array.from({ length: 11 }, (_, at) => said('x'.repeat(1_900_000), `long-${at}`));
  await runner.say(source.id, long);
  await expect(client.forkSession({ sessionId: source.id })).rejects.toThrow(
    'This session has 21 MB, and 20 MB can be forked. Fork it before an earlier message.',
  );
  expect(await client.forkSession({ sessionId: source.id, beforeMessageId: 'p-2' })).toMatchObject({ agent: 'able' });
  const plain = await client.createSession({ agent: 'scribe', folder: '/code' });
  await expect(client.forkSession({ sessionId: plain.id })).rejects.toThrow('The agent scribe cannot fork a session.');
});

test('how far somebody has read is theirs alone, and only moves forward', async () => {
  const door = await openHubDoor();
  await door.runner({ isShared: true });
  const ada = await door.person('ada');
  const { client } = door.owner;
  const { id: sessionId, seq } = await client.createSession({
    agent: 'scribe',
    folder: '/code',
    prompt: { text: 'go' },
  });
  expect(seq).toBe(2);

  await client.markRead({ sessionId, seq: 99 });
  await client.markRead({ sessionId, seq: 1 });

  expect(await client.getSession({ sessionId })).toMatchObject({ readSeq: 2 });
  expect(await ada.client.getSession({ sessionId })).toMatchObject({ readSeq: 0 });
});

test('where nobody names a machine it is the one in the server, else the only one there is', async () => {
  const door = await openHubDoor();
  const { client } = door.owner;
  const create = () => client.createSession({ agent: 'scribe', folder: '/code' });
  await expect(create()).rejects.toMatchObject({ code: 'unavailable' });
  const runner = await door.runner();
  expect(await create()).toMatchObject({ runnerId: 'run_desk' });
  await door.runner({ id: 'run_other', name: 'other' });
  await door.reopen();
  await expect(create()).rejects.toThrow(
    'runnerId: name the machine to work on, one of run_desk (desk), run_other (other).',
  );
  runner.link = door.hub.link(door.owner.caller);
  await runner.connect();
  expect(await create()).toMatchObject({ runnerId: 'run_desk' });
});
