import { foldSession, isOpenToolState, type LoggedEvent, newId, NO_TOKENS } from '@dragoman/protocol';
import { STORE_ENGINES } from '@dragoman/testkit';
import { hostname } from 'node:os';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { forkSession } from './fork-session.ts';
import { addPrompt, sessionInfo, testStore } from './session.fixture.ts';
import { SessionStore } from './session-store.ts';
import type { SessionTables } from './session-tables.ts';
import { Session } from './session.ts';

function startStep(session: Session): string {
  const id = newId('msg');
  const { cwd, root, model } = session.state.info;
  session.append({
    type: 'start-step',
    partID: newId('prt'),
    info: {
      id,
      sessionID: session.id,
      role: 'assistant',
      time: { created: 1 },
      parentID: 'msg_0',
      agent: 'build',
      model,
      path: { cwd, root },
      cost: 0,
      costSource: 'computed',
      tokens: NO_TOKENS,
    },
  });
  return id;
}

describe.each(STORE_ENGINES)('on %s', (engine) => {
  test('a session reads back as it was written, message for message and part for part [FR-19, NFR-04]', async () => {
    const store = new SessionStore(await testStore(engine));
    const session = await Session.create(store, sessionInfo());
    addPrompt(session, 'hello');
    const messageID = startStep(session);
    session.append({ type: 'text-start', messageID, partID: 'prt_t' });
    for (const delta of ['one ', 'two ', 'three'])
      session.append({ type: 'text-delta', messageID, partID: 'prt_t', delta });
    session.append({ type: 'text-end', messageID, partID: 'prt_t' });
    await session.close();

    const events = await store.read(session.id);

    expect(foldSession(events)).toEqual(session.state);
    expect(events.filter(({ event }) => event.type === 'text-delta')).toHaveLength(1);
    expect(events.every(({ seq }, index) => index === 0 || seq > events[index - 1]!.seq)).toBe(true);
  });

  test('sessions are listed by project, the latest first, without those of subagents', async () => {
    const store = new SessionStore(await testStore(engine));
    const root = '/project';
    for (const [index, given] of [{ root }, { root }, { root: '/other' }, { root, parentID: 'ses_0' }].entries()) {
      const session = await Session.create(
        store,
        sessionInfo({ ...given, id: `ses_${index}`, time: { created: index } }),
      );
      await session.close();
    }
    expect((await store.list({ root })).map(({ id }) => id)).toEqual(['ses_1', 'ses_0']);
    expect((await store.list()).map(({ id }) => id)).toEqual(['ses_2', 'ses_1', 'ses_0']);
  });

  test('a session that another process works on is not opened', async () => {
    const database = await testStore(engine);
    const store = new SessionStore(database);
    const session = await Session.create(new SessionStore(database), sessionInfo());
    await database
      .tables<{ agent_sessions: { holder: string; held_until: number } }>()
      .updateTable('agent_sessions')
      .set({ holder: 'another-machine/pid 1 an-id', held_until: Date.now() + 60_000 })
      .execute();

    await expect(Session.open(store, session.id)).rejects.toThrow(/is in use by another process/);
  });

  test('a session is removed with those of its tasks, and no other; one that another process works on stays', async () => {
    const database = await testStore(engine);
    const store = new SessionStore(database);
    const family = [{ id: 'ses_a' }, { id: 'ses_b', parentID: 'ses_a' }, { id: 'ses_c', parentID: 'ses_b' }];
    for (const given of [...family, { id: 'ses_d' }]) {
      const session = await Session.create(store, sessionInfo(given));
      addPrompt(session, 'hello');
      await session.close();
    }
    const heldBy = (holder: string | null) =>
      database
        .tables<SessionTables>()
        .updateTable('agent_sessions')
        .set({ holder, held_until: Date.now() + 60_000 })
        .where('id', '=', 'ses_c')
        .execute();

    await heldBy('another-machine/pid 1 an-id');
    await expect(store.remove('ses_a')).rejects.toThrow(
      'Session ses_c is in use by another process (1 on another-machine).',
    );
    expect(await store.read('ses_a')).toHaveLength(2);

    await heldBy(null);
    expect(await store.remove('ses_a')).toEqual(['ses_a', 'ses_b', 'ses_c']);
    for (const { id } of family) expect(await store.read(id)).toEqual([]);
    expect(await store.read('ses_d')).toHaveLength(2);
    expect(await store.summary()).toEqual({ count: 1, updatedAt: expect.any(Number) as number });
    await expect(store.remove('ses_a')).rejects.toThrow('Session ses_a not found.');
  });

  test('a process that lost the session to another one cannot write to it any more', async () => {
    const database = await testStore(engine);
    const store = new SessionStore(database);
    const session = await Session.create(store, sessionInfo());
    await database
      .tables<{ agent_sessions: { holder: string } }>()
      .updateTable('agent_sessions')
      .set({ holder: 'another-machine/pid 1 an-id' })
      .execute();
    session.append({ type: 'session-updated', title: 'mine' });

    await expect(session.stored()).rejects.toThrow(`Session ${session.id} is now in use by another process.`);
    expect(await store.read(session.id)).toHaveLength(1);
  });

  test('the same number cannot be written twice', async () => {
    const store = new SessionStore(await testStore(engine));
    const session = await Session.create(store, sessionInfo());
    const event: LoggedEvent = { seq: 2, at: 1, event: { type: 'unreverted' } };
    await store.append(session.id, [event]);

    await expect(store.append(session.id, [event])).rejects.toThrow(/unique/i);
  });
});

test('what a process that died left open is ended by events, and the session goes on', async () => {
  const database = await testStore();
  const store = new SessionStore(database);
  const dead = await Session.create(new SessionStore(database), sessionInfo());
  const prompt = addPrompt(dead, 'go');
  dead.append({ type: 'turn-started', turnID: 'trn_1', messageID: prompt });
  const messageID = startStep(dead);
  dead.append({ type: 'tool-input-start', messageID, partID: 'prt_1', callID: 'c1', tool: 'bash' });
  dead.append({
    type: 'tool-state',
    messageID,
    partID: 'prt_1',
    state: { status: 'running', input: { command: 'make' }, time: { start: 5 } },
  });
  dead.append({ type: 'tool-input-start', messageID, partID: 'prt_2', callID: 'c2', tool: 'read' });
  await dead.stored();

  const session = await Session.open(store, dead.id);

  const parts = session.state.messages.at(-1)!.parts;
  expect(parts.every((part) => part.type !== 'tool' || !isOpenToolState(part.state))).toBe(true);
  expect(parts.at(-1)).toMatchObject({ type: 'step-finish', reason: 'error' });
  expect(session.state.turn).toMatchObject({
    error: { code: 'interrupted' },
    finishedAt: expect.any(Number) as number,
  });
  addPrompt(session, 'go on');
  await session.close();
  expect(foldSession(await store.read(dead.id))).toEqual(session.state);
});

test('an event that cannot be is refused before it is written down [ACC-01]', async () => {
  const store = new SessionStore(await testStore());
  const session = await Session.create(store, sessionInfo());
  const messageID = startStep(session);
  session.append({ type: 'tool-input-start', messageID, partID: 'prt_1', callID: 'c1', tool: 'read' });
  const settle = () =>
    session.append({
      type: 'tool-result',
      messageID,
      partID: 'prt_1',
      state: { status: 'error', input: {}, error: 'no', time: { start: 1, end: 1 } },
    });
  settle();
  const before = session.state;

  expect(settle).toThrow('The tool call c1 is error and cannot become error.');
  expect(session.state).toBe(before);
  await session.close();
  expect(foldSession(await store.read(session.id))).toEqual(before);
});

test('calls that a dead process left open are ended wherever they are, with or without a turn around them', async () => {
  const database = await testStore();
  const store = new SessionStore(database);
  const dead = await Session.create(new SessionStore(database), sessionInfo());
  const messageID = startStep(dead);
  dead.append({ type: 'reasoning-start', messageID, partID: 'prt_r' });
  dead.append({ type: 'text-start', messageID, partID: 'prt_t' });
  dead.append({ type: 'tool-input-start', messageID, partID: 'prt_1', callID: 'c1', tool: 'task' });
  for (let prompt = 0; prompt < 30; prompt++) addPrompt(dead, 'and then?');
  await dead.stored();

  const session = await Session.open(store, dead.id);

  const [message] = session.state.messages;
  expect(message!.parts).toMatchObject([
    { type: 'step-start' },
    { type: 'reasoning', time: { end: expect.any(Number) as number } },
    { type: 'text', time: { end: expect.any(Number) as number } },
    { type: 'tool', state: { status: 'error', metadata: { interrupted: true } } },
    { type: 'step-finish', reason: 'error' },
  ]);
  expect(message!.info).toMatchObject({ error: { code: 'interrupted' } });
  await session.close();

  const again = await Session.open(store, dead.id);
  expect(again.state).toEqual(session.state);
});

test('a fork of a session at work has nothing open, and nothing of what was taken back', async () => {
  const store = new SessionStore(await testStore());
  const session = await Session.create(store, sessionInfo());
  addPrompt(session, 'one');
  const messageID = startStep(session);
  session.append({ type: 'tool-input-start', messageID, partID: 'prt_1', callID: 'c1', tool: 'read' });
  const second = addPrompt(session, 'two');
  session.append({ type: 'reverted', messageID: second, files: [] });

  const fork = await forkSession(store, session.state);

  expect(fork.state.messages.map(({ info }) => info.role)).toEqual(['user', 'assistant']);
  expect(fork.state.messages[1]!.parts).toMatchObject([
    { type: 'step-start' },
    { type: 'tool', state: { status: 'error' } },
    { type: 'step-finish' },
  ]);
  expect(foldSession(await store.read(fork.id))).toEqual(fork.state);
});

test('a fork begins with what was said up to a message, and lives on its own', async () => {
  const store = new SessionStore(await testStore());
  const session = await Session.create(store, sessionInfo());
  addPrompt(session, 'one');
  const second = addPrompt(session, 'two');
  await session.stored();

  const fork = await forkSession(store, session.state, { beforeMessageID: second });
  addPrompt(fork, 'another two');

  const texts = ({ state }: Session) => state.messages.map(({ parts }) => parts[0]!.type === 'text' && parts[0]!.text);
  expect(texts(fork)).toEqual(['one', 'another two']);
  expect(texts(session)).toEqual(['one', 'two']);
  expect(fork.state.info).toMatchObject({
    title: 'A test (fork)',
    forkedFrom: { sessionID: session.id, messageID: second },
  });
  expect(
    fork.state.messages.every(({ info, parts }) => [info, ...parts].every(({ sessionID }) => sessionID === fork.id)),
  ).toBe(true);
  await expect(forkSession(store, session.state, { beforeMessageID: 'msg_x' })).rejects.toThrow(/has no message msg_x/);
});

test('one process does not open a session twice: there would be two writers', async () => {
  const store = new SessionStore(await testStore());
  const session = await Session.create(store, sessionInfo());
  await expect(Session.open(store, session.id)).rejects.toThrow(`Session ${session.id} is already open here.`);
  await session.close();

  const opened = await Promise.allSettled([Session.open(store, session.id), Session.open(store, session.id)]);
  expect(opened.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
});

test('a session whose log cannot be read is not held by whoever tried', async () => {
  const database = await testStore();
  const store = new SessionStore(database);
  const session = await Session.create(new SessionStore(database), sessionInfo());
  const broken = { messageID: 'msg_1', partID: 'prt_1' };
  const messageID = startStep(session);
  session.append({ type: 'tool-input-start', ...broken, messageID, callID: 'c1', tool: 'read' });
  await session.stored();
  const pending = { status: 'pending' as const, input: {}, raw: '' };
  await store.append(session.id, [
    { seq: 9, at: 1, event: { type: 'tool-state', ...broken, messageID, state: pending } },
  ]);

  await expect(Session.open(store, session.id)).rejects.toThrow(/is pending and cannot become pending/);
  const [row] = await database
    .tables<{ agent_sessions: { holder: string | null } }>()
    .selectFrom('agent_sessions')
    .select('holder')
    .execute();
  expect(row!.holder).toBeNull();
});

test('what is held stays held for as long as the process says so', async () => {
  const database = await testStore();
  const store = new SessionStore(database);
  const session = await Session.create(store, sessionInfo());
  const table = database.tables<{ agent_sessions: { held_until: number } }>();
  const heldUntil = async () =>
    (await table.selectFrom('agent_sessions').select('held_until').executeTakeFirstOrThrow()).held_until;
  await table.updateTable('agent_sessions').set({ held_until: 1 }).execute();

  await store.keepHolding([]);
  expect(await heldUntil()).toBe(1);
  await store.keepHolding([session.id]);
  expect(await heldUntil()).toBeGreaterThan(Date.now());
});

test('with PostgreSQL a session is held by the clock of the database, whatever that of a machine says', async () => {
  const database = await testStore('postgres');
  const table = database.tables<SessionTables>();
  const clock = vi.spyOn(Date, 'now');
  onTestFinished(() => clock.mockRestore());
  const now = Date.now();
  clock.mockReturnValue(now + 3_600_000);
  const { id } = await Session.create(new SessionStore(database), sessionInfo());
  await table.updateTable('agent_sessions').set({ holder: 'another-machine/pid 1 an-id' }).execute();

  expect(await new SessionStore(database).isHeldElsewhere(id)).toBe(true);
  clock.mockReturnValue(now);
  // Its holder has given no sign for the half minute that counts.
  await table
    .updateTable('agent_sessions')
    .set((row) => ({ held_until: row('held_until', '-', 30_000) }))
    .execute();
  expect(await new SessionStore(database).isHeldElsewhere(id)).toBe(false);
});

test('a holder of the same number in another container is not known to be gone', async () => {
  const database = await testStore();
  const { id } = await Session.create(new SessionStore(database), sessionInfo());
  await database
    .tables<SessionTables>()
    .updateTable('agent_sessions')
    .set({ holder: `${hostname()}/pid:[1] ${process.pid} an-id` })
    .execute();

  expect(await new SessionStore(database).isHeldElsewhere(id)).toBe(true);
});

test('listeners are told at once, and again when it is stored', async () => {
  const store = new SessionStore(await testStore());
  const session = await Session.create(store, sessionInfo());
  const seen: string[] = [];
  const stop = session.subscribe({
    event: ({ event }) => seen.push(`now ${event.type}`),
    stored: (events) => seen.push(...events.map(({ event }) => `stored ${event.type}`)),
  });

  session.append({ type: 'session-updated', title: 'new' });
  session.append({ type: 'unreverted' });
  await session.stored();
  stop();
  session.append({ type: 'unreverted' });
  await session.stored();

  expect(seen).toEqual(['now session-updated', 'now unreverted', 'stored session-updated', 'stored unreverted']);
});

test('a store that fails is told to whoever waits, and nothing later is stored', async () => {
  const database = await testStore();
  const session = await Session.create(new SessionStore(database), sessionInfo());
  await database.close();
  session.append({ type: 'unreverted' });

  await expect(session.stored()).rejects.toThrow(/^The session ses_\w+ cannot be stored: /);
  expect(session.failing.aborted).toBe(true);
  await expect(session.close()).rejects.toThrow(/cannot be stored/);
});
