import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test, vi } from 'vitest';
import { LiveHolder } from './live-holder.ts';
import type { LiveNews, LiveRequest } from './live-message.ts';

const WITHIN = { timeout: 60_000 };

/** A server with logs of sessions, of which it tells each stream from where that stream begins. */
async function serveLogs() {
  const logs = new Map<string, number>();
  const streams = new Set<{ answer: ServerResponse; wants: Map<string, number> }>();
  const seen: { path: string; secret: string | undefined }[] = [];
  const tell = (answer: ServerResponse, id: string, seq: number) =>
    answer.write(`event: events\nid: ${id}.${seq}\ndata: {"events":[{"seq":${seq}}]}\n\n`);
  const server = createServer((request, answer) => {
    const { searchParams } = new URL(request.url!, 'http://x');
    const secret = request.headers['x-dragoman-page'] as string | undefined;
    seen.push({ path: request.url!, secret });
    if (secret === 'old') return answer.writeHead(401).end();
    const wanted = (searchParams.get('sessions') ?? '').split(',').filter((one) => one !== '');
    const wants = new Map(wanted.map((one) => [one.split('.')[0]!, Number(one.split('.')[1])]));
    answer.writeHead(200, { 'content-type': 'text/event-stream' }).write(': here\n\n');
    for (const [id, after] of wants)
      for (let seq = after + 1; seq <= (logs.get(id) ?? 0); seq += 1) tell(answer, id, seq);
    const stream = { answer, wants };
    streams.add(stream);
    answer.once('close', () => streams.delete(stream));
    return undefined;
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    seen,
    streams,
    fetch: ((path: string, init: RequestInit) => fetch(base + path, init)) as typeof fetch,
    append(id: string) {
      const seq = (logs.get(id) ?? 0) + 1;
      logs.set(id, seq);
      for (const { answer, wants } of streams) if (wants.has(id)) tell(answer, id, seq);
    },
    change: () => {
      for (const { answer } of streams) answer.write('event: change\ndata: {"change":1}\n\n');
    },
    refuse(id: string) {
      const told = JSON.stringify({ sessionId: id, error: { code: 'not-found', message: 'gone' } });
      for (const { answer } of streams) answer.write(`event: refused\ndata: ${told}\n\n`);
    },
    cut() {
      for (const { answer } of streams) answer.destroy();
    },
  };
}

/** A page that keeps what it hears. */
function openPage(holder: LiveHolder) {
  const { port1, port2 } = new MessageChannel();
  onTestFinished(() => {
    port2.postMessage({ type: 'bye' });
    port1.close();
    port2.close();
  });
  holder.attach(port1);
  const heard: LiveNews[] = [];
  port2.onmessage = ({ data }: MessageEvent<LiveNews>) => heard.push(data);
  const say = (request: LiveRequest) => port2.postMessage(request);
  return {
    heard,
    say,
    want: (id: number, topic: string, after = 0) => say({ type: 'want', id, topic, after, secret: 'new' }),
    seqs: (of: number) => heard.flatMap((news) => (news.type === 'told' && news.id === of ? [news.seq] : [])),
    states: (of: number) => heard.flatMap((news) => (news.type === 'state' && news.id === of ? [news.state] : [])),
  };
}

test('all pages share one stream, and each hears every event of its session once and in order, over cuts and newcomers', async () => {
  const server = await serveLogs();
  const holder = new LiveHolder({ fetch: server.fetch });
  const [one, other, late] = [openPage(holder), openPage(holder), openPage(holder)];
  for (let count = 0; count < 3; count += 1) server.append('ses_a');
  one.want(1, 'lists');
  one.want(2, 'ses_a');
  other.want(1, 'ses_b');
  other.want(2, 'ses_a', 2);
  await vi.waitFor(() => expect([one.seqs(2), other.seqs(2)]).toEqual([[1, 2, 3], [3]]), WITHIN);

  server.cut();
  server.append('ses_a');
  server.append('ses_b');
  await vi.waitFor(() => expect([one.seqs(2), other.seqs(1)]).toEqual([[1, 2, 3, 4], [1]]), WITHIN);
  // After a gap the lists are read again; they are told that it was one.
  expect(one.states(1).filter((state) => state === 'live').length).toBeGreaterThan(1);

  const lives = one.states(1).length;
  late.want(1, 'ses_a');
  await vi.waitFor(() => expect(late.seqs(1)).toEqual([1, 2, 3, 4]), WITHIN);
  server.append('ses_a');
  await vi.waitFor(() => expect(late.seqs(1)).toEqual([1, 2, 3, 4, 5]), WITHIN);
  expect(one.seqs(2)).toEqual([1, 2, 3, 4, 5]);
  expect(other.seqs(2)).toEqual([3, 4, 5]);
  // A newcomer is no gap for the others, and the stream before is let go.
  expect(one.states(1)).toHaveLength(lives);
  await vi.waitFor(() => expect(server.streams.size).toBe(1), WITHIN);
  server.change();
  await vi.waitFor(() => expect(one.heard.at(-1)).toMatchObject({ type: 'told', id: 1, data: '{"change":1}' }), WITHIN);
});

test('a page that leaves is told nothing more, and goes on from where it was when it comes back', async () => {
  const server = await serveLogs();
  const holder = new LiveHolder({ fetch: server.fetch });
  const page = openPage(holder);
  server.append('ses_a');
  page.want(1, 'ses_a');
  await vi.waitFor(() => expect(page.seqs(1)).toEqual([1]), WITHIN);
  page.say({ type: 'bye' });
  await vi.waitFor(() => expect(server.streams.size).toBe(0), WITHIN);
  server.append('ses_a');
  page.want(1, 'ses_a', 1);
  await vi.waitFor(() => expect(page.seqs(1)).toEqual([1, 2]), WITHIN);

  // One that died without a word is noticed, and told in case it only slept.
  holder.sweep(Date.now() + 200_000);
  await vi.waitFor(() => expect(server.streams.size).toBe(0), WITHIN);
  await vi.waitFor(() => expect(page.heard.at(-1)).toEqual({ type: 'lost' }), WITHIN);
});

test('another login replaces the stream, and what the server refuses is told to who wanted it', async () => {
  const server = await serveLogs();
  const holder = new LiveHolder({ fetch: server.fetch });
  const page = openPage(holder);
  page.say({ type: 'want', id: 1, topic: 'lists', after: 0, secret: 'old' });
  await vi.waitFor(() => expect(page.heard.at(-1)).toMatchObject({ type: 'over', id: 1 }), WITHIN);

  page.want(2, 'lists');
  page.want(3, 'ses_a');
  page.want(4, 'requests');
  await vi.waitFor(() => expect(server.streams.size).toBe(2), WITHIN);
  server.refuse('ses_a');
  const over = { type: 'over', id: 3, error: { code: 'not-found', message: 'gone' } };
  await vi.waitFor(() => expect(page.heard).toContainEqual(over), WITHIN);

  page.say({ type: 'here', secret: 'another' });
  await vi.waitFor(() => expect(server.seen.at(-1)?.secret).toBe('another'), WITHIN);
  await vi.waitFor(() => expect(page.states(2).slice(-2)).toEqual(['connecting', 'live']), WITHIN);
  expect(server.seen.filter(({ secret }) => secret === 'another').map(({ path }) => path)).toEqual([
    '/api/live?lists=true',
    '/api/gateway/requests/live',
  ]);
});
