import { once } from 'node:events';
import { Agent, type IncomingMessage, request } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import type { Latencies } from '../hub/measure-first-token.ts';
import { type Cpu, cpuFor, startCpuMeter } from './cpu-meter.ts';
import type { SharedServers } from './shared-servers.ts';

/** What model calls through the gateway took. */
export interface Calls {
  perSecond: number;
  /** From the call to the first piece of its answer, in ms, sorted. */
  firstToken: Latencies;
  /** For one call. */
  cpu: Cpu;
}

/** How the calls come: so many at once, each after the one before; or so many a second, whatever becomes of them. */
export type Pace = { atOnce: number } | { perSecond: number };

/** Usage records go to the database twice a second: with this they are there. */
const SETTLE_MS = 1_500;
const PROMPT = `Say something. ${'context '.repeat(200)}`;

/** Calls that are streamed in so many pieces, to one server after the other. Every answer has to come whole. */
export async function measureCalls(
  shared: SharedServers,
  { calls, pieces, pace }: { calls: number; pieces: number; pace: Pace },
): Promise<Calls> {
  const { servers, tokens } = shared;
  const connections = new Agent({ keepAlive: true, maxSockets: Infinity });
  const firstToken: number[] = [];
  const one = async (index: number) => {
    const [{ url }, token] = [servers[index % servers.length]!, tokens[index % tokens.length]!];
    firstToken.push(await callOnce({ url, token }, { pieces, connections }));
  };
  try {
    const cpu = startCpuMeter(shared);
    const startedAt = performance.now();
    await ('atOnce' in pace ? inTurn(calls, pace.atOnce, one) : atRate(calls, pace.perSecond, one));
    const tookMs = performance.now() - startedAt;
    await pause(SETTLE_MS);
    return {
      perSecond: (calls * 1_000) / tookMs,
      firstToken: firstToken.toSorted((first, second) => first - second),
      cpu: cpuFor(calls, cpu()),
    };
  } finally {
    connections.destroy();
  }
}

/** Does something so many times, some of them at once. */
export async function inTurn(count: number, atOnce: number, one: (index: number) => Promise<void>): Promise<void> {
  let next = 0;
  const work = async () => {
    while (next < count) await one(next++);
  };
  await Promise.all(Array.from({ length: atOnce }, work));
}

async function atRate(count: number, perSecond: number, one: (index: number) => Promise<void>): Promise<void> {
  const startedAt = performance.now();
  const begun: Promise<void>[] = [];
  for (let index = 0; index < count; index++) {
    await pause(Math.max(0, startedAt + (index * 1_000) / perSecond - performance.now()));
    begun.push(one(index));
  }
  await Promise.all(begun);
}

/** When the first piece came, in ms after the call. */
async function callOnce(
  { url, token }: { url: string; token: string },
  { pieces, connections }: { pieces: number; connections: Agent },
): Promise<number> {
  const startedAt = performance.now();
  const call = request(`${url}/v1/chat/completions`, {
    method: 'POST',
    agent: connections,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
  });
  call.end(
    JSON.stringify({ model: `model/pieces-${pieces}`, stream: true, messages: [{ role: 'user', content: PROMPT }] }),
  );
  const [answer] = (await once(call, 'response')) as [IncomingMessage];
  let firstMs: number | undefined;
  let text = '';
  for await (const piece of answer.setEncoding('utf8')) {
    text += piece as string;
    if (text.includes('"content"')) firstMs ??= performance.now() - startedAt;
  }
  const came = text.split('some words ').length - 1;
  if (answer.statusCode !== 200 || firstMs === undefined || came !== pieces)
    throw new Error(`${came} of ${pieces} pieces came, with status ${answer.statusCode}: ${text.slice(0, 500)}`);
  return firstMs;
}
