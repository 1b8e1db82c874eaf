import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { isSoak, type RunningDragoman, serveDragoman, tempFolder } from '@dragoman/testkit';
import { expect, onTestFinished, test } from 'vitest';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** How the provider behaves to a call, by the model that it asks for. */
type Behaviour = 'silent' | 'headers' | 'middle' | 'whole';
const STREAMS = isSoak() ? 2_000 : 40;
const RUNS = isSoak() ? 2 : 1;
const LIMIT_MS = isSoak() ? 3_000 : 300;

const chunk = (content: string, reason: string | null = null) =>
  `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm', choices: [{ index: 0, delta: { role: 'assistant', content }, finish_reason: reason }] })}\n\n`;

/** A provider that hangs where it is told to, and notes when a call to it is gone. */
async function startProvider(goOn: Promise<unknown> = Promise.resolve()) {
  const ended: ('whole' | 'left')[] = [];
  let begun = 0;
  const server = createServer((incoming, outgoing) => {
    outgoing.once('close', () => ended.push(outgoing.writableFinished ? 'whole' : 'left'));
    void answer(incoming, outgoing);
  });
  const answer = async (incoming: IncomingMessage, outgoing: ServerResponse) => {
    const { model } = JSON.parse(await text(incoming)) as { model: Behaviour };
    begun += 1;
    if (model === 'silent') return;
    outgoing.writeHead(200, { 'content-type': 'text/event-stream' });
    outgoing.flushHeaders();
    if (model === 'headers') return;
    outgoing.write(chunk('one '));
    if (model === 'middle') return;
    await goOn;
    outgoing.end(`${chunk('two', 'stop')}data: [DONE]\n\n`);
  };
  server.keepAliveTimeout = 0;
  server.listen(0, '127.0.0.1', 4096);
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    ended,
    begun: () => begun,
  };
}

/** A server before that provider, with a route that begins at each place where it hangs and goes on to what is whole. */
function serveBefore(baseUrl: string, timeouts?: object): Promise<RunningDragoman> {
  const home = tempFolder();
  const models: Behaviour[] = ['silent', 'headers', 'middle', 'whole'];
  const provider = { type: 'openai-chat', baseUrl, apiKey: 'key', models, ...(timeouts !== undefined && { timeouts }) };
  const routes = Object.fromEntries(models.map((model) => [`from-${model}`, [`hanging/${model}`, 'other/whole']]));
  const settings = {
    providers: { hanging: provider, other: provider },
    routes,
    limits: { requests: 1_000_000, concurrency: 10_000 },
  };
  writeFileSync(join(home, 'dragoman.json'), JSON.stringify(settings));
  return serveDragoman([], { home });
}

/** The dialects that most programs speak: where they call, and how they ask. */
const DIALECTS = {
  chat: { path: '/v1/chat/completions', body: { messages: [{ role: 'user', content: 'x' }] } },
  anthropic: { path: '/v1/messages', body: { max_tokens: 10, messages: [{ role: 'user', content: 'x' }] } },
  responses: { path: '/v1/responses', body: { input: 'x' } },
} as const;
type Dialect = keyof typeof DIALECTS;

/** A call as a program makes it, on a connection of its own. */
function ask({ url, token }: RunningDragoman, dialect: Dialect, model: string) {
  const { path, body } = DIALECTS[dialect];
  const call = request(`${url}${path}`, {
    method: 'POST',
    agent: false,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
  });
  call.on('error', () => {}); // Who leaves is not answered.
  call.end(JSON.stringify({ model, stream: true, ...body }));
  const answered = once(call, 'response').then(([response]) => response as IncomingMessage);
  answered.catch(() => {});
  return { answered, leave: () => call.destroy() };
}

const LEAVING = (Object.keys(DIALECTS) as Dialect[]).flatMap((dialect) =>
  (['silent', 'headers', 'middle'] as const).map((where): [Dialect, Behaviour] => [dialect, where]),
);

test('the call to a provider ends when its client leaves, in every dialect, before the headers and in the middle', async () => {
  const provider = await startProvider();
  const server = await serveBefore(provider.baseUrl);

  for (const [index, [dialect, where]] of LEAVING.entries()) {
    const call = ask(server, dialect, `hanging/${where}`);
    await expect.poll(() => provider.begun()).toBe(index + 1);
    if (where === 'middle') await once(await call.answered, 'data');
    call.leave();
    await expect.poll(() => provider.ended.length, { message: `${dialect}, ${where}` }).toBe(index + 1);
  }
  expect(provider.ended).toEqual(LEAVING.map(() => 'left'));
});

test('a provider that hangs is given up at its limit: the next one is asked, or the client is told in its dialect', async () => {
  const provider = await startProvider();
  const server = await serveBefore(provider.baseUrl, { firstByteMs: LIMIT_MS, idleMs: LIMIT_MS });
  const outcome = async (dialect: Dialect, model: string) => {
    const response = await ask(server, dialect, model).answered;
    return { status: response.statusCode, said: await text(response) };
  };

  for (const dialect of Object.keys(DIALECTS) as Dialect[]) {
    for (const where of ['silent', 'headers'] as const) {
      const next = await outcome(dialect, `from-${where}`);
      expect([next.status, next.said]).toEqual([200, expect.stringMatching(/one [^]*two/)]);
    }
    expect(await outcome(dialect, 'hanging/silent')).toEqual({
      status: 504,
      said: expect.stringContaining(String.raw`The provider \"hanging\" did not begin to answer in time.`) as string,
    });
    expect(await outcome(dialect, 'hanging/middle')).toEqual({
      status: 200,
      said: expect.stringMatching(/one [^]*The provider \\"hanging\\" stopped in the middle of its answer\./) as string,
    });
  }
});

test('of very many streams at once every one is whole', { timeout: 600_000 }, async () => {
  for (let run = 0; run < RUNS; run++) {
    const everybody = Promise.withResolvers<void>();
    const provider = await startProvider(everybody.promise);
    const server = await serveBefore(provider.baseUrl);
    const calls = Array.from({ length: STREAMS }, async () => {
      const response = await ask(server, 'chat', 'other/whole').answered;
      return [response.statusCode, await text(response)];
    });
    await expect.poll(() => provider.begun()).toBe(STREAMS);
    expect((await fetch(`${server.url}/health`)).status).toBe(200);
    everybody.resolve();

    const whole = [200, expect.stringMatching(/"one "[^]*"two"[^]*data: \[DONE\]/)];
    expect(await Promise.all(calls)).toEqual(calls.map(() => whole));
    expect(provider.ended).toEqual(calls.map(() => 'whole'));
  }
});
