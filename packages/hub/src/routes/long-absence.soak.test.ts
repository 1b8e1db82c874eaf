import {
  createHubClient,
  foldHubEvents,
  type HubClient,
  type LoggedHubEvent,
  type RunnerEvent,
  type SessionView,
} from '@dragoman/protocol';
import { isSoak, openCutProxy, STORE_ENGINES } from '@dragoman/testkit';
import { expect, onTestFinished, test } from 'vitest';
import { openHubDoor } from '../hub-door.fixture.ts';
import { said } from '../scripted-runner.fixture.ts';

const EVENTS = 50_000;
/** No divisor of a block's or a turn's length, so that batches end anywhere inside of both. */
const BATCH = 997;

/** Follows a session, and can be waited for. */
function follow(client: HubClient, sessionId: string, view?: SessionView) {
  const leaving = new AbortController();
  const reader = { view, connections: 0, leave: () => leaving.abort() };
  const following = client.followView(sessionId, {
    view,
    signal: leaving.signal,
    onState: ({ type }) => (reader.connections += type === 'live' ? 1 : 0),
    onView: (next) => (reader.view = next),
  });
  onTestFinished(async () => {
    leaving.abort();
    await following;
  });
  return reader;
}

/** A long conversation: turns of blocks that are written in pieces, and of calls with their results. */
function conversation(count: number): RunnerEvent[] {
  const events: RunnerEvent[] = [];
  for (let turn = 1; events.length < count; turn++) {
    const turnId = `trn_${turn}`;
    events.push({ type: 'turn-started', turnId });
    for (let step = 1; step <= 5; step++) {
      const [id, place] = [`${turn}_${step}`, { messageId: `msg_${turn}`, role: 'assistant' } as const];
      const input = { path: `src/${id}.ts` };
      const block = { type: 'tool_use', id: `call_${id}`, name: 'read', input } as const;
      const result = { type: 'tool_result', tool_use_id: `call_${id}`, content: `line ${id}` } as const;
      events.push(
        { type: 'block-start', ...place, blockId: `blk_${id}`, block: { type: 'text', text: '' } },
        ...['Look', 'ing ', 'at ', id].map((delta) => ({ type: 'block-delta', blockId: `blk_${id}`, delta }) as const),
        { type: 'block-stop', ...place, blockId: `blk_${id}`, block: { type: 'text', text: `Looking at ${id}` } },
        { type: 'block-stop', ...place, blockId: `use_${id}`, block },
        { type: 'block-stop', messageId: `res_${id}`, role: 'user', blockId: `out_${id}`, block: result },
      );
    }
    // Now and then one is left open, as by an agent that was ended.
    if (turn % 7 === 0)
      events.push({
        type: 'block-start',
        messageId: `msg_${turn}`,
        role: 'assistant',
        blockId: `blk_${turn}`,
        block: { type: 'thinking', thinking: 'hm' },
      });
    events.push({ type: 'turn-finished', turnId, reason: turn % 7 === 0 ? 'interrupted' : 'done' });
  }
  return events.slice(0, count);
}

test.for(isSoak() ? STORE_ENGINES : ['sqlite' as const])(
  'UAP-02 UAP-03 a reader that was away for 50,000 events catches up exactly over a network that breaks, on %s',
  async (engine) => {
    const door = await openHubDoor({ engine });
    const runner = await door.runner();
    const { client, token } = door.owner;
    const proxy = await openCutProxy(Number(new URL(door.url).port));
    const far = createHubClient({ url: proxy.url, token, times: { firstRetryMs: 1, maxRetryMs: 5 } });
    const { id: sessionId } = await client.createSession({ agent: 'scribe', folder: '/code' });
    const events = conversation(EVENTS);
    // It leaves inside of a block of which it has seen the start and one piece.
    await runner.say(sessionId, events.slice(0, 3));
    const before = follow(far, sessionId);
    await expect.poll(() => before.view?.turn?.id, { timeout: 60_000 }).toBe('trn_1');
    await expect
      .poll(async () => before.view?.seq === (await client.getSession({ sessionId })).seq, { timeout: 60_000 })
      .toBe(true);
    before.leave();
    const stayed = follow(client, sessionId);

    for (let from = 3; from < EVENTS; from += BATCH) await runner.say(sessionId, events.slice(from, from + BATCH));
    const back = follow(far, sessionId, before.view);
    for (let breaks = 1; breaks <= 3; breaks++) {
      await expect.poll(() => back.connections, { interval: 1, timeout: 60_000 }).toBeGreaterThanOrEqual(breaks);
      proxy.heal('reset');
      await runner.say(sessionId, [said(`after ${breaks}`)]);
    }

    const { seq } = await client.getSession({ sessionId });
    expect(seq).toBeGreaterThan(EVENTS);
    await expect.poll(() => [stayed.view?.seq, back.view?.seq], { timeout: 60_000 }).toEqual([seq, seq]);
    const log: LoggedHubEvent[] = [];
    for (let after = 0; after < seq; after = log.at(-1)!.seq)
      log.push(...(await client.readLog({ sessionId, after, limit: 5000 })).events);
    const whole = foldHubEvents(log);
    expect(whole?.turns.length).toBe(events.filter(({ type }) => type === 'turn-started').length);
    expect(back.view).toEqual(whole);
    expect(stayed.view).toEqual(whole);
  },
);
