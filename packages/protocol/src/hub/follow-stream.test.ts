import { expect, test } from 'vitest';
import type { StreamState } from './follow-stream.ts';
import { createHubClient } from './hub-client.ts';
import type { LoggedHubEvent } from './hub-event.ts';
import {
  type EventStream,
  eventStream,
  json,
  message,
  scriptedServer,
  type SeenRequest,
  silence,
} from './scripted-server.fixture.ts';

const AT_ONCE = { firstRetryMs: 1, maxRetryMs: 1 };
const NOT_SOON = { firstRetryMs: 600_000, maxRetryMs: 600_000 };

type Script = (request: SeenRequest, count: number) => Response | Promise<Response>;

/** A reader of one session; `until` resolves when what was told fits. */
function follow(
  script: Script,
  times: Partial<Parameters<typeof createHubClient>[0]['times']> = AT_ONCE,
  after?: number,
) {
  const server = scriptedServer(script);
  const client = createHubClient({ url: 'http://hub.test', fetch: server.fetch, times });
  const leaving = new AbortController();
  const told: (number | string)[] = [];
  const waiting: { holds: () => boolean; go: () => void }[] = [];
  const check = () => waiting.filter(({ holds }) => holds()).forEach(({ go }) => go());
  const done = client.followSession('ses_1', {
    after,
    signal: leaving.signal,
    onEvents(events: LoggedHubEvent[]) {
      told.push(...events.map(({ seq }) => seq));
      check();
    },
    onState(state: StreamState) {
      told.push(state.type === 'waiting' ? `waiting: ${state.reason.message}` : state.type);
      check();
    },
  });
  return {
    client,
    told,
    done,
    seen: server.seen,
    leave: () => leaving.abort(),
    until: (last: number | string) =>
      new Promise<void>((resolve) => {
        waiting.push({ holds: () => told.at(-1) === last, go: resolve });
        check();
      }),
  };
}

test('events are told as they come, and a signal ends it', async () => {
  let stream!: EventStream;
  const reader = follow((request) => (stream = eventStream(request, message(1, 2))).response);
  await reader.until(2);
  stream.write(': still here\n\n');
  stream.write(message(3));
  await reader.until(3);
  reader.leave();
  await reader.done;
  expect(reader.told).toEqual(['connecting', 'live', 1, 2, 3]);
  expect(reader.seen.map(({ call, headers }) => [call, headers.get('accept')])).toEqual([
    ['GET /api/sessions/ses_1/events?after=0', 'text/event-stream'],
  ]);
});

test('what breaks off or ends is opened again behind the last number, and nothing is told twice', async () => {
  let first!: EventStream;
  const script: Script = (request, count) => {
    if (count === 1) return (first = eventStream(request, message(4, 5), message(6).slice(0, 30))).response;
    if (count === 3) return eventStream(request, message(10)).response;
    const stream = eventStream(request, message(5, 6, 9));
    stream.end();
    return stream.response;
  };
  const reader = follow(script, AT_ONCE, 3);
  await reader.until(5);
  first.cut();
  await reader.until(10);
  reader.leave();
  await reader.done;

  expect(reader.told).toEqual([
    'connecting',
    'live',
    4,
    5,
    'waiting: The connection to the server broke off.',
    'connecting',
    'live',
    6,
    9,
    'waiting: The server ended the stream.',
    'connecting',
    'live',
    10,
  ]);
  expect(reader.seen.map(({ call }) => call.split('?')[1])).toEqual(['after=3', 'after=5', 'after=9']);
});

test('a server that is down, busy or something else is asked again, for ever', async () => {
  const reader = follow((request, count) => {
    if (count === 1) throw new TypeError('fetch failed');
    if (count === 2) return json({ error: { code: 'unavailable', message: 'Starting.', requestId: 'r' } }, 503);
    if (count === 3) return json({ name: 'a login page' });
    if (count === 4) return eventStream(request, 'data: {"events":\n\n').response;
    return eventStream(request, message(1)).response;
  });
  await reader.until(1);
  reader.leave();
  await reader.done;
  expect(reader.told.filter((told) => String(told).startsWith('waiting'))).toEqual([
    'waiting: The server at http://hub.test cannot be reached: fetch failed.',
    'waiting: Starting.',
    'waiting: GET /api/sessions/ses_1/events?after=0 was not answered with events; is the address right?',
    'waiting: The server sent an event that cannot be read.',
  ]);
});

test.each([
  [401, 'unauthenticated'],
  [403, 'forbidden'],
  [404, 'not-found'],
])('a refusal with %i is not asked again', async (status, code) => {
  const reader = follow(() => json({ error: { code, message: 'No.', requestId: 'req_1' } }, status));
  await expect(reader.done).rejects.toMatchObject({ code, message: 'No.', requestId: 'req_1' });
  expect(reader.seen).toHaveLength(1);
});

test('the delay grows while nothing works, up to a limit, and starts anew after something did', async () => {
  const delays: number[] = [];
  const server = scriptedServer((request, count) => {
    if (count === 8) {
      const stream = eventStream(request, message(1));
      stream.end();
      return stream.response;
    }
    throw new TypeError('down');
  });
  const client = createHubClient({ url: '', fetch: server.fetch, times: { firstRetryMs: 4, maxRetryMs: 64 } });
  const leaving = new AbortController();
  await client.followSession('ses_1', {
    signal: leaving.signal,
    onEvents: () => {},
    onState(state) {
      if (state.type === 'waiting') delays.push(state.retryInMs);
      if (delays.length === 9) leaving.abort();
    },
  });
  const middle = [4, 8, 16, 32, 64, 64, 64, 4, 4];
  for (const [index, delay] of delays.entries()) {
    expect(delay).toBeGreaterThanOrEqual(middle[index]! * 0.75 - 0.5);
    expect(delay).toBeLessThanOrEqual(middle[index]! * 1.25 + 0.5);
  }
});

test('a stream without a sign of life is dead, while it is opened and later', async () => {
  const reader = follow((request, count) => (count === 1 ? silence() : eventStream(request, message(count)).response), {
    ...AT_ONCE,
    silenceMs: 30,
  });
  await reader.until(3);
  reader.leave();
  await reader.done;
  expect(reader.told).toEqual([
    'connecting',
    'waiting: The server has been silent for 30 ms.',
    'connecting',
    'live',
    2,
    'waiting: The server has been silent for 30 ms.',
    'connecting',
    'live',
    3,
  ]);
});

test('when the network is back, a reader that waits tries again at once', async () => {
  const reader = follow((request, count) => {
    if (count === 1) throw new TypeError('offline');
    return eventStream(request, message(1)).response;
  }, NOT_SOON);
  await reader.until('waiting: The server at http://hub.test cannot be reached: offline.');
  reader.client.online();
  await reader.until(1);
  reader.client.online(); // A stream that is well is left alone.
  reader.leave();
  await reader.done;
  expect(reader.told.slice(2)).toEqual(['connecting', 'live', 1]);
  expect(reader.seen).toHaveLength(2);
});

test('when one stream gets through, those of the same client that still wait try again at once', async () => {
  const reader = follow((request, count) => {
    if (count === 1) throw new TypeError('offline');
    return eventStream(request, message(1)).response;
  }, NOT_SOON);
  await reader.until('waiting: The server at http://hub.test cannot be reached: offline.');
  const leaving = new AbortController();
  const other = reader.client.followSession('ses_2', { signal: leaving.signal, onEvents: () => {} });
  await reader.until(1);
  leaving.abort();
  reader.leave();
  await Promise.all([reader.done, other]);
  expect(reader.told.slice(2)).toEqual(['connecting', 'live', 1]);
});

test('a reader that waits leaves at once when it is told to', async () => {
  const reader = follow(() => {
    throw new TypeError('offline');
  }, NOT_SOON);
  await reader.until('waiting: The server at http://hub.test cannot be reached: offline.');
  reader.leave();
  await reader.done;
  expect(reader.seen).toHaveLength(1);
});

test('a mistake of the reader itself ends it, and is what the caller gets', async () => {
  const server = scriptedServer((request) => eventStream(request, message(1)).response);
  const client = createHubClient({ url: '', fetch: server.fetch, times: AT_ONCE });
  const mistake = new Error('a mistake');
  const onEvents = () => {
    throw mistake;
  };
  await expect(client.followSession('ses_1', { onEvents })).rejects.toBe(mistake);
  expect(server.seen).toHaveLength(1);
});

test('a view is told again with each change, and goes on from one that is known', async () => {
  const by = { type: 'user', userId: 'usr_1', name: 'Ada', channel: 'web' } as const;
  const session = { id: 'ses_1', title: 'First', agent: 'native', runnerId: 'run_1', folder: '/code', by };
  const events = [
    { seq: 1, at: 10, event: { type: 'session-created', session } },
    { seq: 2, at: 20, event: { type: 'session-updated', title: 'Second', by } },
    { seq: 3, at: 30, event: { type: 'session-updated', title: 'Third', by } },
  ];
  const server = scriptedServer((request) => {
    const after = Number(/after=(\d+)/.exec(request.call)![1]);
    const later = events.filter(({ seq }) => seq > after);
    const texts = later.map((event) => `id: ${event.seq}\ndata: ${JSON.stringify({ events: [event] })}\n\n`);
    return eventStream(request, ...texts).response;
  });
  const client = createHubClient({ url: '', fetch: server.fetch });
  const titles = async (count: number, view?: Parameters<typeof client.followView>[1]['view']) => {
    const leaving = new AbortController();
    const shown: string[] = [];
    let last = view;
    await client.followView('ses_1', {
      view,
      signal: leaving.signal,
      onView(now) {
        last = now;
        shown.push(now.title);
        if (shown.length === count) leaving.abort();
      },
    });
    return { shown, last };
  };

  const first = await titles(2);
  expect(first.shown).toEqual(['First', 'Second']);
  expect((await titles(1, first.last)).shown).toEqual(['Third']);
  expect(server.seen.map(({ call }) => call)).toEqual([
    'GET /api/sessions/ses_1/events?after=0',
    'GET /api/sessions/ses_1/events?after=2',
  ]);
});

test('changes of lists are told, and a reader knows when to read the lists again', async () => {
  const change = { type: 'session-removed', sessionId: 'ses_1' };
  const server = scriptedServer((request) => {
    const stream = eventStream(request, `data: ${JSON.stringify(change)}\n\n`);
    stream.end();
    return stream.response;
  });
  const client = createHubClient({ url: '', fetch: server.fetch, times: AT_ONCE });
  const leaving = new AbortController();
  const told: unknown[] = [];
  await client.followChanges({
    signal: leaving.signal,
    onChange: (given) => void told.push(given),
    onState({ type }) {
      if (type !== 'waiting') return void told.push(type);
      if (told.length === 6) leaving.abort();
    },
  });
  expect(told).toEqual(['connecting', 'live', change, 'connecting', 'live', change]);
  expect(server.seen[0]!.call).toBe('GET /api/changes');
});
