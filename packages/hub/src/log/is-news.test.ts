import type { HubSession, RunnerEvent } from '@dragoman/protocol';
import { STORE_ENGINES } from '@dragoman/testkit';
import { expect, test } from 'vitest';
import { approvalAsked, openHubDoor } from '../hub-door.fixture.ts';
import { said } from '../scripted-runner.fixture.ts';

const FAULT = { code: 'unavailable', message: 'The provider cannot be reached.' };

for (const engine of STORE_ENGINES) {
  test(`${engine}: a session that was read stays read, in its place and with its time, whatever becomes of its agent`, async () => {
    let clock = 1000;
    const door = await openHubDoor({ engine, now: () => clock });
    let runner = await door.runner();
    const { client } = door.owner;
    const say = (sessionId: string, at: number, ...events: RunnerEvent[]) =>
      runner.send(events.map((event) => ({ sessionId, at, event })));
    const turn = (id: string, at: number, error?: typeof FAULT) =>
      say(id, at, { type: 'agent-state', state: 'ready' }, { type: 'turn-started', turnId: 't1' }, said('Done.'), {
        type: 'turn-finished',
        turnId: 't1',
        reason: error === undefined ? 'done' : 'failed',
        ...(error && { error }),
      });
    const first = await client.createSession({ agent: 'scribe', folder: '/code' });
    const second = await client.createSession({ agent: 'scribe', folder: '/code' });
    const failed = await client.createSession({ agent: 'scribe', folder: '/code' });
    await turn(first.id, 2000);
    await turn(second.id, 3000);
    await turn(failed.id, 4000, FAULT);
    for (const { id: sessionId, seq } of (await client.listSessions()).sessions)
      await client.markRead({ sessionId, seq });
    const lists = async () => (await client.listSessions()).sessions.map(news);
    const read = [
      { id: failed.id, updatedAt: 4000, isUnread: false },
      { id: second.id, updatedAt: 3000, isUnread: false },
      { id: first.id, updatedAt: 2000, isUnread: false },
    ];
    expect(await lists()).toEqual(read);

    clock = 9000;
    // An agent is closed by a person or because it was idle, and another one is asked to be what it was.
    await client.closeSession({ sessionId: first.id });
    await say(first.id, 9000, { type: 'agent-state', state: 'stopped' });
    await say(failed.id, 9000, { type: 'agent-state', state: 'stopped', error: FAULT });
    await client.updateSession({ sessionId: second.id, title: 'Another name' });
    await door.reopen(() => clock);
    runner = await door.runner();
    await say(second.id, 9500, { type: 'agent-state', state: 'stopped' });
    await say(second.id, 9600, { type: 'agent-state', state: 'starting' }, { type: 'agent-state', state: 'ready' });
    await say(second.id, 9700, { type: 'agent-updated', model: 'm2', title: 'Its own name' });

    expect(await lists()).toEqual(read);
    expect(await client.getSession({ sessionId: failed.id })).toMatchObject({ status: 'failed', lastError: FAULT });
  });

  test(`${engine}: turns, questions and failures are new`, async () => {
    const door = await openHubDoor({ engine, now: () => 1000 });
    const runner = await door.runner();
    const { client } = door.owner;
    const { id: sessionId } = await client.createSession({ agent: 'scribe', folder: '/code' });
    const isNew = async (at: number, ...events: RunnerEvent[]) => {
      await client.markRead({ sessionId, seq: 1_000_000 });
      await runner.send(events.map((event) => ({ sessionId, at, event })));
      return news(await client.getSession({ sessionId }));
    };

    expect(await isNew(2000, { type: 'agent-state', state: 'ready' })).toMatchObject({ isUnread: false });
    const unread = (updatedAt: number) => ({ id: sessionId, isUnread: true, updatedAt });
    expect(await isNew(3000, { type: 'turn-started', turnId: 't1' })).toEqual(unread(3000));
    expect(await isNew(4000, said('It shines.'))).toEqual(unread(4000));
    expect(await isNew(5000, approvalAsked('a1'))).toEqual(unread(5000));
    // The process of the agent is gone in the middle of a turn.
    expect(await isNew(6000, { type: 'agent-state', state: 'stopped' })).toEqual(unread(6000));
    expect(await isNew(7000, { type: 'agent-state', state: 'failed', error: FAULT })).toEqual(unread(7000));
    expect(await isNew(8000, { type: 'agent-state', state: 'failed', error: FAULT })).toMatchObject({
      isUnread: false,
      updatedAt: 7000,
    });
    await client.markRead({ sessionId, seq: 1_000_000 });
    await client.sendPrompt({ sessionId, id: 'p1', text: 'once more' });
    expect(news(await client.getSession({ sessionId }))).toMatchObject({ isUnread: true });
  });
}

function news({ id, updatedAt, newsSeq, readSeq }: HubSession) {
  return { id, updatedAt, isUnread: readSeq < newsSeq };
}
