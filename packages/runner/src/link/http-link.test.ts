import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gunzipSync } from 'node:zlib';
import {
  DragomanError,
  OutboxGapError,
  type OutboxRecord,
  type RunnerHello,
  type RunnerMessage,
} from '@dragoman/protocol';
import { openCutProxy } from '@dragoman/testkit';
import { expect, onTestFinished, test } from 'vitest';
import { type HttpLink, httpLink, type HttpLinkTimeouts } from './http-link.ts';

const hello: RunnerHello = {
  id: 'run_1',
  name: 'desk',
  host: 'desk.local',
  version: '0.1.0',
  isShared: false,
  folders: [],
  agents: [],
  outboxId: 'out_1',
};
const batch = (...records: OutboxRecord[]) => ({ outboxId: 'out_1', first: 1, records });
const never = new AbortController().signal;

interface Seen {
  call: string;
  headers: IncomingHttpHeaders;
  body: unknown;
  port: number | undefined;
}

/** A hub that answers as the test says, and the link to it. */
async function startHub(
  answer: (response: ServerResponse, request: IncomingMessage) => void,
  timeouts: Partial<HttpLinkTimeouts> = {},
): Promise<{ link: HttpLink; url: string; seen: Seen[] }> {
  const seen: Seen[] = [];
  const server = createServer((request, response) => {
    void request.toArray().then((pieces: Buffer[]) => {
      const bytes = Buffer.concat(pieces);
      const text = String(request.headers['content-encoding'] === 'gzip' ? gunzipSync(bytes) : bytes);
      seen.push({
        call: `${request.method} ${request.url}`,
        headers: request.headers,
        body: text === '' ? undefined : JSON.parse(text),
        port: request.socket.remotePort,
      });
      answer(response, request);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const link = httpLink({ url: `${url}/`, token: 'secret-token', timeouts });
  onTestFinished(async () => {
    await link.close();
    server.closeAllConnections();
    server.close();
  });
  return { link, url, seen };
}

function json(response: ServerResponse, body: unknown, status = 200, headers: Record<string, string> = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
}

function stream(response: ServerResponse, ...pieces: string[]): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.flushHeaders();
  for (const piece of pieces) response.write(piece);
}

async function failure(work: Promise<unknown>): Promise<DragomanError> {
  const error = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(DragomanError);
  return error as DragomanError;
}

test('a runner introduces itself and hands batches over, with its token', async () => {
  const { link, seen } = await startHub((response, request) =>
    json(response, { acked: request.url!.endsWith('hello') ? 4 : 6 }),
  );

  expect(await link.hello(hello, never)).toEqual({ acked: 4 });
  expect(await link.send('run_1', batch({ handled: 7 }), never)).toEqual({ acked: 6 });

  expect(seen.map(({ call, body }) => [call, body])).toEqual([
    ['POST /api/runner/hello', hello],
    ['POST /api/runner/run_1/events', { outboxId: 'out_1', first: 1, records: [{ handled: 7 }] }],
  ]);
  expect(seen.map(({ headers }) => headers.authorization)).toEqual(['Bearer secret-token', 'Bearer secret-token']);
});

test('connections are kept and used again', async () => {
  const { link, seen } = await startHub((response) => json(response, { acked: 1 }));
  for (let count = 0; count < 10; count++) await link.send('run_1', batch(), never);
  // undici leaves a connection alone for a moment after an answer, so that calls in a row use two in turn.
  expect(new Set(seen.map(({ port }) => port)).size).toBeLessThanOrEqual(2);
});

test('a large batch travels packed, a small one as it is', async () => {
  const { link, seen } = await startHub((response) => json(response, { acked: 1 }));
  const large = batch({
    sessionId: 'ses_1',
    at: 1,
    event: { type: 'block-delta', blockId: 'blk_1', delta: 'words '.repeat(1_000) },
  });

  await link.send('run_1', batch({ handled: 1 }), never);
  await link.send('run_1', large, never);

  expect(seen.map(({ headers }) => headers['content-encoding'])).toEqual([undefined, 'gzip']);
  expect(seen[1]!.body).toEqual(large);
  expect(Number(seen[1]!.headers['content-length'])).toBeLessThan(1_000);
});

test('a question of the hub is answered under its id', async () => {
  const { link, seen } = await startHub((response) => response.writeHead(200).end());
  await link.reply('run 1', 'ask/1', { result: { folders: [] } });
  expect(seen[0]).toMatchObject({
    call: 'POST /api/runner/run%201/replies/ask%2F1',
    body: { result: { folders: [] } },
  });
});

test('commands are received in order as they come, however they are cut, and the end of the stream is an error to come back from', async () => {
  const commands: RunnerMessage[] = [
    { type: 'sync', sync: { open: [], handled: 2 } },
    { type: 'ask', askId: 'ask_1', ask: { method: 'list-folder', path: '/home/zoë' } },
  ];
  const { link, url, seen } = await startHub((response) => {
    const text = commands.map((command) => `: still here\n\ndata: ${JSON.stringify(command)}\n\n`).join('');
    const bytes = Buffer.from(text);
    const middle = bytes.indexOf(0xc3) + 1; // Inside the ë.
    stream(response);
    response.write(bytes.subarray(0, middle), () => response.end(bytes.subarray(middle)));
  });
  const received: RunnerMessage[] = [];

  const error = await failure(link.listen('run_1', (message) => received.push(message), never));

  expect(received).toEqual(commands);
  expect(seen[0]).toMatchObject({ call: 'GET /api/runner/run_1/commands', headers: { accept: 'text/event-stream' } });
  expect(error).toMatchObject({
    code: 'unavailable',
    isRetryable: true,
    message: `${url} ended the stream of commands.`,
  });
});

test('a hub that goes silent while it is listened to is dead after the time limit; comments keep it alive', async () => {
  let sent = 0;
  const { link, url } = await startHub(
    (response) => {
      stream(response);
      // Longer in all than the silence that is allowed.
      const timer = setInterval(() => {
        response.write(': still here\n\n');
        if (++sent === 6) clearInterval(timer);
      }, 400);
    },
    { silenceMs: 2_000 },
  );

  const error = await failure(link.listen('run_1', () => {}, never));

  expect(sent).toBe(6);
  expect(error).toMatchObject({
    code: 'timed-out',
    isRetryable: true,
    message: `${url} has been silent for 2000 ms.`,
  });
});

test('a hub that takes a batch and never answers is given up, and the next batch takes another connection', async () => {
  let isSilent = true;
  const { link, url, seen } = await startHub(
    (response) => {
      if (!isSilent) json(response, { acked: 1 });
    },
    { callMs: 2_000 },
  );

  const error = await failure(link.send('run_1', batch(), never));
  expect(error).toMatchObject({
    code: 'timed-out',
    isRetryable: true,
    message: `${url} did not answer within 2000 ms.`,
  });

  isSilent = false;
  expect(await link.send('run_1', batch(), never)).toEqual({ acked: 1 });
  expect(seen[1]!.port).not.toBe(seen[0]!.port);
});

test('after a call that was never answered, no connection from before it is trusted, also those that rested', async () => {
  const { url } = await startHub((response) => json(response, { acked: 1 }));
  const proxy = await openCutProxy(Number(new URL(url).port));
  const link = httpLink({ url: proxy.url, token: 'secret-token', timeouts: { callMs: 2_000 } });
  onTestFinished(() => link.close());
  const send = () => link.send('run_1', batch({ handled: 1 }), never);
  await Promise.all([send(), send(), send()]);

  proxy.cut();
  const error = await failure(send());
  proxy.heal('lost');

  expect(error).toMatchObject({ code: 'timed-out', isRetryable: true });
  expect(await send()).toEqual({ acked: 1 });
});

test('an answer that begins and does not end is given up too', async () => {
  const { link } = await startHub((response) => void response.writeHead(200).write('{"acked"'), { callMs: 150 });
  expect(await failure(link.hello(hello, never))).toMatchObject({ code: 'timed-out', isRetryable: true });
});

test('a token that is refused is final, and the message says what to do', async () => {
  const { link, url } = await startHub((response) =>
    json(response, { error: { code: 'unauthenticated', message: 'This token is unknown.', requestId: 'req_1' } }, 401),
  );
  expect(await failure(link.hello(hello, never))).toMatchObject({
    code: 'unauthenticated',
    isRetryable: false,
    message: `${url} does not accept the runner's token: This token is unknown. Make one there with "dragoman token create NAME --role member", and start the runner with it.`,
  });
});

test.each([
  [401, '<html>Log in to the company network</html>'],
  [403, '<html>Blocked by the firewall</html>'],
  [403, '{"error":"access denied"}'],
  [401, '{"error":{"message":"Missing API key"}}'],
])("a %i that is not the hub's own, such as %s, passes by itself", async (status, text) => {
  const { link, url } = await startHub((response) => void response.writeHead(status).end(text));
  expect(await failure(link.hello(hello, never))).toMatchObject({
    code: 'unavailable',
    isRetryable: true,
    message: `${url} was answered with ${status}, and not by Dragoman: a proxy or a login page stands before it.`,
  });
});

test('a gap is told with the number the hub has', async () => {
  const { link } = await startHub((response) =>
    json(
      response,
      { error: { code: 'conflict', message: 'Records from 4 on are missing.', requestId: 'r' }, acked: 3 },
      409,
    ),
  );
  const error = await failure(link.send('run_1', batch(), never));
  expect(error).toBeInstanceOf(OutboxGapError);
  expect(error).toMatchObject({ code: 'conflict', acked: 3, message: 'Records from 4 on are missing.' });
});

test('a server that does not know runners is told apart from one that is down', async () => {
  const old = await startHub((response) =>
    json(response, { error: { code: 'not-found', message: 'There is no such call.', requestId: 'r' } }, 404),
  );
  const message = `The server at ${old.url} takes no runners: it is older than this program, or not a Dragoman hub. Update it, or check the address.`;
  expect(await failure(old.link.hello(hello, never))).toMatchObject({ code: 'not-found', isRetryable: false, message });

  const page = await startHub((response) => void response.end('<html>welcome</html>'));
  expect(await failure(page.link.hello(hello, never))).toMatchObject({
    code: 'unavailable',
    message: `${page.url} did not answer with JSON; is it the address of a Dragoman hub?`,
  });
  expect(await failure(page.link.listen('run_1', () => {}, never))).toMatchObject({ code: 'not-found' });
  const wordless = await startHub((response) => json(response, { acked: 'many' }));
  expect(await failure(wordless.link.send('run_1', batch(), never))).toMatchObject({ code: 'not-found' });
});

test('a hub that cannot be reached, breaks off or is busy may be tried again, after the time it asks for', async () => {
  const nobody = httpLink({ url: 'http://127.0.0.1:1', token: 't' });
  onTestFinished(() => nobody.close());
  expect(await failure(nobody.hello(hello, never))).toMatchObject({
    code: 'unavailable',
    isRetryable: true,
    message: 'http://127.0.0.1:1 cannot be reached: ECONNREFUSED.',
  });

  const cut = await startHub((response) => void response.socket!.destroy());
  expect(await failure(cut.link.send('run_1', batch(), never))).toMatchObject({
    code: 'unavailable',
    isRetryable: true,
  });

  const busy = await startHub((response) =>
    json(response, { error: { code: 'rate-limited', message: 'Too many calls.', requestId: 'r' } }, 429, {
      'retry-after': '2',
    }),
  );
  expect(await failure(busy.link.send('run_1', batch(), never))).toMatchObject({
    code: 'rate-limited',
    isRetryable: true,
    retryAfterMs: 2_000,
    requestId: 'r',
  });
});

test('a signal ends a call and a stream at once, and closing the link ends all', async () => {
  const { link } = await startHub((response, request) => {
    if (request.url!.endsWith('commands')) stream(response, 'data: {"type":"sync"}\n\n');
  });
  const leaving = new AbortController();
  const listening = failure(link.listen('run_1', () => leaving.abort(), leaving.signal));
  expect(await listening).toMatchObject({ code: 'cancelled' });
  expect(await failure(link.send('run_1', batch(), leaving.signal))).toMatchObject({ code: 'cancelled' });

  const waiting = failure(link.listen('run_1', () => void link.close(), never));
  expect(await waiting).toMatchObject({ code: 'cancelled' });
});

test('a mistake of the one who listens is not taken for a broken connection', async () => {
  const { link } = await startHub((response) => stream(response, 'data: {"type":"sync"}\n\n'));
  const mistake = new RangeError('a mistake');
  const listening = link.listen(
    'run_1',
    () => {
      throw mistake;
    },
    never,
  );
  await expect(listening).rejects.toBe(mistake);
});
