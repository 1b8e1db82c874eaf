import { newSession, say, stampIn, within } from '../hub/bench-session.ts';
import { FirstSeen, type Latencies } from '../hub/measure-first-token.ts';
import type { Pieces, Script } from '../hub/scripted-agent.ts';
import { readSession, type SessionReader } from '../hub/session-reader.ts';
import { type Cpu, cpuFor, startCpuMeter } from './cpu-meter.ts';
import { inTurn } from './measure-calls.ts';
import type { SharedServers } from './shared-servers.ts';

/** What it took to bring what agents said to their readers. */
export interface Sessions {
  perSecond: number;
  /** From the agent's first word of a message to the reader, in ms, sorted. */
  firstToken: Latencies;
  /** For one message. */
  cpu: Cpu;
}

/** Messages at a steady pace. */
export interface Paced extends Sessions {
  /** How often a reader was told something of one message. */
  tellings: number;
  tookMs: number;
}

/** So many calls at once while sessions are made. */
const AT_ONCE = 8;

/** A session, and how to have its agent do something until the end of its turn. */
interface LiveSession {
  id: string;
  seen: FirstSeen;
  blocks: number;
  /** How often something of a block came. */
  tellings: number;
  play(script: Script): Promise<void>;
}

/** Agents that say so many messages each, at a steady pace. */
export async function measurePaced(
  shared: SharedServers,
  {
    sessions,
    messages,
    everyMs,
    pieces,
    readers = 1,
  }: { sessions: number; messages: number; everyMs: number; pieces?: Pieces; readers?: number },
): Promise<Paced> {
  return withSessions(shared, { sessions, readers }, async (live) => {
    const cpu = startCpuMeter(shared);
    const startedAt = performance.now();
    await Promise.all(
      live.map(({ play }, index) =>
        play({ type: 'paced', messages, everyMs, firstMs: (index * 37) % everyMs, ...(pieces && { pieces }) }),
      ),
    );
    const tookMs = performance.now() - startedAt;
    for (const { seen } of live)
      if (seen.size !== messages) throw new Error(`${messages - seen.size} of ${messages} messages were lost`);
    const total = sessions * messages;
    return {
      perSecond: (total * 1_000) / tookMs,
      firstToken: live.flatMap(({ seen }) => seen.latencies()).toSorted((one, other) => one - other),
      cpu: cpuFor(total, cpu()),
      tellings: live.reduce((sum, session) => sum + session.tellings, 0) / total,
      tookMs,
    };
  });
}

/** Agents that say so many blocks each, as fast as they can. */
export async function measureBurst(
  shared: SharedServers,
  { sessions, blocks }: { sessions: number; blocks: number },
): Promise<Sessions> {
  return withSessions(shared, { sessions, readers: 1 }, async (live) => {
    const cpu = startCpuMeter(shared);
    const startedAt = performance.now();
    await Promise.all(live.map(({ play }) => play({ type: 'burst', blocks })));
    const tookMs = performance.now() - startedAt;
    for (const session of live)
      if (session.blocks !== blocks) throw new Error(`${session.blocks} of ${blocks} blocks came`);
    const total = sessions * blocks;
    return { perSecond: (total * 1_000) / tookMs, firstToken: [], cpu: cpuFor(total, cpu()) };
  });
}

/** Prompts to which nothing is said, one after the other in each session: what a turn costs without what is in it. */
export async function measurePrompts(
  shared: SharedServers,
  { sessions, prompts }: { sessions: number; prompts: number },
): Promise<Cpu> {
  return withSessions(shared, { sessions, readers: 1 }, async (live) => {
    const cpu = startCpuMeter(shared);
    await Promise.all(
      live.map(async ({ play }) => {
        for (let left = prompts; left > 0; left--) await play({ type: 'paced', messages: 0, everyMs: 1 });
      }),
    );
    return cpuFor(sessions * prompts, cpu());
  });
}

/**
 * Sessions spread over the machines, each made through its machine's server and read through the next one, as a balancer
 * without stickiness has it.
 */
async function withSessions<Result>(
  { servers, clients, runners, tokens }: SharedServers,
  { sessions, readers }: { sessions: number; readers: number },
  work: (live: readonly LiveSession[]) => Promise<Result>,
): Promise<Result> {
  const opened: SessionReader[] = [];
  const live: LiveSession[] = [];
  try {
    await inTurn(sessions, AT_ONCE, async (index) => {
      const [client, runner] = [clients[index % clients.length]!, runners[index % runners.length]!];
      const id = await newSession({ client, runner });
      let ended: (() => void) | undefined;
      const session: LiveSession = {
        id,
        seen: new FirstSeen(),
        blocks: 0,
        tellings: 0,
        async play(script) {
          const { promise, resolve } = Promise.withResolvers<void>();
          ended = resolve;
          await say({ client }, id, script);
          await within(300, 'the end of a turn', promise);
        },
      };
      live.push(session);
      for (let reader = 0; reader < readers; reader++) {
        const { url } = servers[(index + 1 + reader) % servers.length]!;
        const token = tokens[opened.length % tokens.length]!;
        const onEvents: Parameters<typeof readSession>[2] = (events) => {
          session.seen.note(events);
          if (events.some(({ event }) => 'blockId' in event)) session.tellings += 1;
          for (const logged of events) {
            if (logged.event.type === 'block-stop' && stampIn(logged) !== undefined) session.blocks += 1;
            if (logged.event.type === 'turn-finished') ended?.();
          }
        };
        // The others only have to be told; looking at it once is enough work for this process.
        opened.push(await readSession({ url, token }, id, reader === 0 ? onEvents : () => {}));
      }
    });
    return await work(live);
  } finally {
    for (const reader of opened) reader.close();
  }
}
