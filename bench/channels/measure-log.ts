import type { Bench } from '../hub/bench-session.ts';
import { newSession, within } from '../hub/bench-session.ts';
import { readSession } from '../hub/session-reader.ts';
import { type BenchChat, follow } from './bench-chat.ts';
import type { Telling } from './telling-agent.ts';

/** What the log took. */
export interface Logged {
  eventsPerSecond: number;
  /** What the hub worked, in ms for a thousand events. */
  hubCpuMs: number;
}

/**
 * Agents speak as fast as they can, one for each chat, until a reader of each has seen the last word. With `isFollowed`
 * each chat shows one of them meanwhile; otherwise the chats look at a session in which nothing happens.
 */
export async function measureLog(
  bench: Bench,
  chats: readonly BenchChat[],
  { blocks, isFollowed }: { blocks: number; isFollowed: boolean },
): Promise<Logged> {
  const quiet = await newSession(bench, 'The quiet one');
  const sessionIds = await Promise.all(chats.map(() => newSession(bench, 'The loud one')));
  await Promise.all(chats.map((chat, index) => follow(chat, isFollowed ? sessionIds[index]! : quiet)));
  const cpuMs = bench.hub.cpuMs();
  const from = performance.now();
  const counts = await Promise.all(sessionIds.map((id) => readBurst(bench, id, blocks)));
  const tookMs = performance.now() - from;
  const events = counts.reduce((sum, count) => sum + count, 0);
  const spentMs = bench.hub.cpuMs() - cpuMs;
  // What is left to say of them is left unsaid.
  await Promise.all(chats.map((chat) => follow(chat, quiet)));
  return { eventsPerSecond: (events * 1_000) / tookMs, hubCpuMs: (spentMs * 1_000) / events };
}

/** Resolves with how many events the session has, when its last block was read. */
async function readBurst(bench: Bench, sessionId: string, blocks: number): Promise<number> {
  const { promise, resolve } = Promise.withResolvers<number>();
  let ended = 0;
  const reader = await readSession(bench.hub, sessionId, (events) => {
    for (const { seq, event } of events) {
      if (event.type === 'block-stop') ended += 1;
      if (event.type === 'turn-finished') resolve(ended < blocks ? NaN : seq);
    }
  });
  try {
    const telling = { type: 'burst', blocks } satisfies Telling;
    await bench.client.sendPrompt({ sessionId, text: JSON.stringify(telling) });
    const seq = await within(120, `${blocks} blocks in one session`, promise);
    if (Number.isNaN(seq)) throw new Error(`Of ${blocks} blocks only ${ended} were read.`);
    return seq;
  } finally {
    reader.close();
  }
}
