import { setTimeout as pause } from 'node:timers/promises';
import { newSession, type Bench } from '../hub/bench-session.ts';
import type { Latencies } from '../hub/measure-first-token.ts';
import { type BenchChat, type ChatCall, follow, until } from './bench-chat.ts';
import { marksIn, marksOf, type Telling, tokenAt } from './telling-agent.ts';

/** What one chat saw of an answer. */
export interface StreamedChat {
  chat: BenchChat;
  /** What was called, method by method. */
  calls: ReadonlyMap<string, number>;
  refusals: readonly string[];
  /** From a token to the call that shows it, in ms, sorted. */
  behind: Latencies;
  /** From the last token until nothing more was to be said, in ms. */
  endedMs: number;
  /** Tokens that are not there at the end, or more than once. */
  wrong: number;
}

/** How an answer came through. */
export interface Streamed {
  chats: readonly StreamedChat[];
  hubCpuMs: number;
  /** Share of one core. */
  hubCpu: number;
  seconds: number;
}

/** How an answer comes. */
export interface StreamOptions {
  tokens: number;
  perSecond: number;
  calls: number;
  callMs: number;
}

const BEFORE_MS = 4_000;
/** After this long without a call, everything is said; the slowest chat writes every three seconds. */
const QUIET_MS = 5_000;

/** One answer in one session that all these chats show. */
export async function measureStream(
  bench: Bench,
  chats: readonly BenchChat[],
  given: StreamOptions,
): Promise<Streamed> {
  const sessionId = await newSession(bench, 'The streamed one');
  await Promise.all(chats.map((chat) => follow(chat, sessionId)));
  const telling = { type: 'stream' as const, ...given, firstAt: Date.now() + BEFORE_MS } satisfies Telling;
  await pause(BEFORE_MS - 1_000);
  const said = chats.map((chat) => chat.texts().length);
  const from = { at: Date.now(), cpuMs: bench.hub.cpuMs() };
  await bench.client.sendPrompt({ sessionId, text: JSON.stringify(telling) });
  const endAt = tokenAt(telling, telling.tokens - 1);
  await pause(endAt - Date.now() + 500);
  const spentMs = bench.hub.cpuMs() - from.cpuMs;
  const seconds = (Date.now() - from.at) / 1_000;
  await until('the end of an answer in every chat', () => isQuiet(chats, from.at), 120_000);
  return {
    chats: chats.map((chat, index) => {
      const text = chat.texts().slice(said[index]).join('\n');
      return { chat, ...seen(chat.callsSince(from.at), text, telling) };
    }),
    hubCpuMs: spentMs,
    hubCpu: spentMs / (seconds * 1_000),
    seconds,
  };
}

function isQuiet(chats: readonly BenchChat[], from: number): boolean {
  return chats.every((chat) => {
    const last = chat.callsSince(from).findLast(({ text }) => text !== '');
    return Date.now() - (last?.at ?? from) > QUIET_MS;
  });
}

function seen(
  made: readonly ChatCall[],
  finalText: string,
  telling: Extract<Telling, { type: 'stream' }>,
): Omit<StreamedChat, 'chat'> {
  const calls = new Map<string, number>();
  const behind = new Map<number, number>();
  let unseen: number[] = [];
  for (const { what, at, refusal, text, isSeen } of made) {
    calls.set(what, (calls.get(what) ?? 0) + 1);
    if (refusal !== undefined) continue;
    unseen.push(...marksIn(text));
    if (!isSeen) continue;
    for (const mark of unseen) if (!behind.has(mark)) behind.set(mark, at - tokenAt(telling, mark));
    unseen = [];
  }
  const there = Map.groupBy(marksIn(finalText), (mark) => mark);
  return {
    calls,
    refusals: made.flatMap(({ refusal }) => refusal ?? []),
    behind: [...behind.values()].toSorted((one, other) => one - other),
    endedMs: (made.findLast(({ text }) => text !== '')?.at ?? NaN) - tokenAt(telling, telling.tokens - 1),
    wrong: marksOf(telling).filter((mark) => there.get(mark)?.length !== 1).length,
  };
}
