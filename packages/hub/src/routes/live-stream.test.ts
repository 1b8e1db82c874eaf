import { type LoggedHubEvent, serverEventReader, type ServerEvent } from '@dragoman/protocol';
import { STORE_ENGINES } from '@dragoman/testkit';
import { expect, onTestFinished, test, vi } from 'vitest';
import { type HubDoor, openHubDoor } from '../hub-door.fixture.ts';
import { said } from '../scripted-runner.fixture.ts';

/** Follows the one stream, and keeps what it tells. */
async function followLive(door: HubDoor, query: string) {
  const ending = new AbortController();
  onTestFinished(() => ending.abort());
  const response = await fetch(`${door.url}/api/live${query}`, {
    headers: { authorization: `Bearer ${door.owner.token}` },
    signal: ending.signal,
  });
  const told: ServerEvent[] = [];
  const reader = serverEventReader((event) => told.push(event));
  const ended = (async () => {
    for await (const bytes of response.body!) reader.feed(bytes);
  })().catch(() => {});
  const events = (sessionId: string) =>
    told
      .filter(({ event, id }) => event === 'events' && id?.startsWith(`${sessionId}.`) === true)
      .flatMap(({ data }) => (JSON.parse(data) as { events: LoggedHubEvent[] }).events);
  const parsed = (type: string) =>
    told.flatMap(({ event, data }) => (event === type ? [JSON.parse(data) as object] : []));
  return { response, events, parsed, ended, leave: () => ending.abort() };
}

for (const engine of STORE_ENGINES) {
  test(`${engine}: one stream tells of lists and of several sessions, each from where it is known`, async () => {
    const door = await openHubDoor({ engine });
    const runner = await door.runner();
    const { client } = door.owner;
    const one = await client.createSession({ agent: 'scribe', folder: '/code' });
    const other = await client.createSession({ agent: 'scribe', folder: '/code' });
    await runner.say(other.id, [{ type: 'turn-started', turnId: 't1' }, said('Before.')]);
    const { seq } = await client.getSession({ sessionId: other.id });

    const live = await followLive(door, `?lists=true&sessions=${one.id}.0,${other.id}.${seq}`);
    await runner.say(one.id, [{ type: 'turn-started', turnId: 't2' }, said('First.')]);
    await runner.say(other.id, [said('Second.', 'b2')]);
    await vi.waitFor(() => expect(live.events(other.id)).toHaveLength(1), { timeout: 60_000 });
    await vi.waitFor(() => expect(live.events(one.id).map(({ event }) => event.type)).toContain('block-stop'), 60_000);
    await vi.waitFor(() => expect(live.parsed('change').length).toBeGreaterThan(0), { timeout: 60_000 });

    expect(live.events(one.id)[0]).toMatchObject({ seq: 1, event: { type: 'session-created' } });
    expect(live.events(other.id)).toMatchObject([{ seq: seq + 1, event: { block: { text: 'Second.' } } }]);
    // Who goes on from there hears the rest, and nothing twice.
    const numbers = live.events(one.id).map((event) => event.seq);
    live.leave();
    await live.ended;
    await runner.say(one.id, [said('Third.', 'b3')]);
    const again = await followLive(door, `?sessions=${one.id}.${numbers.at(-1)}`);
    await vi.waitFor(() => expect(again.events(one.id)).toHaveLength(1), { timeout: 60_000 });
    expect(again.events(one.id)).toMatchObject([{ seq: numbers.at(-1)! + 1, event: { block: { text: 'Third.' } } }]);
    expect(again.parsed('change')).toEqual([]);
  });
}

test('a session that cannot be followed says why, and the others go on', async () => {
  const door = await openHubDoor();
  const runner = await door.runner();
  const { client } = door.owner;
  const kept = await client.createSession({ agent: 'scribe', folder: '/code' });
  const removed = await client.createSession({ agent: 'scribe', folder: '/code' });
  const ahead = await client.createSession({ agent: 'scribe', folder: '/code' });

  const live = await followLive(door, `?sessions=ses_never.0,${removed.id}.0,${ahead.id}.999,${kept.id}.0`);
  await vi.waitFor(() => expect(live.events(removed.id)).not.toEqual([]), { timeout: 60_000 });
  await client.removeSession({ sessionId: removed.id });
  await vi.waitFor(() => expect(live.parsed('refused')).toHaveLength(3), { timeout: 60_000 });
  expect(live.parsed('refused')).toEqual([
    { sessionId: 'ses_never', error: { code: 'not-found', message: 'There is no session "ses_never".' } },
    {
      sessionId: ahead.id,
      error: { code: 'bad-request', message: `999 is beyond the last event of ${ahead.id}, which is ${ahead.seq}.` },
    },
    { sessionId: removed.id, error: { code: 'not-found', message: `There is no session "${removed.id}" any more.` } },
  ]);

  await runner.say(kept.id, [said('Still here.')]);
  await vi.waitFor(() => expect(live.events(kept.id).map(({ event }) => event.type)).toContain('block-stop'), 60_000);
});

test('what is no list of sessions is refused', async () => {
  const door = await openHubDoor();
  const many = Array.from({ length: 101 }, (_, index) => `ses_${index}.0`).join(',');
  for (const sessions of ['ses_a', 'ses_a.x', 'ses_a.1,', '../me.1', many]) {
    const { response } = await followLive(door, `?sessions=${encodeURIComponent(sessions)}`);
    expect(response.status).toBe(400);
  }
});
