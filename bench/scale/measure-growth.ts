import { setTimeout as pause } from 'node:timers/promises';
import { newSession, say } from '../hub/bench-session.ts';
import { middle } from '../hub/measure-crowd.ts';
import { FirstSeen, type Latencies } from '../hub/measure-first-token.ts';
import { readSession, type SessionReader } from '../hub/session-reader.ts';
import { type Cpu, cpuFor, startCpuMeter } from './cpu-meter.ts';
import { inTurn } from './measure-calls.ts';
import type { SharedServers } from './shared-servers.ts';

/** What so many sessions cost that are in the middle of a turn, each with a reader. */
export interface Growth {
  serverMb: number;
  /** Before the readers came. */
  serverUnreadMb: number;
  runnerMb: number;
  /** While everyone talks: messages that came to their readers, and seconds of CPU. */
  messages: number;
  cpuSeconds: Cpu;
  /** For the beginning of one session with its first prompt, in ms. */
  startCpu: Cpu;
  firstToken: Latencies;
}

const ONE_MESSAGE_EVERY_MS = 10_000;
const AT_ONCE = 8;
/** Starting leaves much to clear away; memory is looked at when that is done. */
const SETTLE_MS = 5_000;
/** What was said while the sessions were started is told by then, or the machine does not keep up. */
const MOST_CALM_SECONDS = 60;
const CALM_MS = 1_000;

/** Sessions at one server and one runner; each says something every ten seconds. */
export async function measureGrowth(
  shared: SharedServers,
  { sessions, seconds }: { sessions: number; seconds: number },
): Promise<Growth> {
  const [server, client, runner] = [shared.servers[0]!, shared.clients[0]!, shared.runners[0]!];
  const ids: string[] = [];
  const startCpu = startCpuMeter(shared);
  await inTurn(sessions, AT_ONCE, async (index) => {
    const id = await newSession({ client, runner });
    const firstMs = (index * 7_919) % ONE_MESSAGE_EVERY_MS;
    await say({ client }, id, { type: 'paced', messages: 1_000_000, everyMs: ONE_MESSAGE_EVERY_MS, firstMs });
    ids.push(id);
  });
  const started = cpuFor(sessions, startCpu());
  await pause(SETTLE_MS);
  const serverUnreadMb = server.rssMb();
  const opened: { reader?: SessionReader; seen: FirstSeen }[] = [];
  try {
    for (const [index, id] of ids.entries()) {
      const token = shared.tokens[index % shared.tokens.length]!;
      const one: (typeof opened)[number] = { seen: new FirstSeen() };
      opened.push(one);
      one.reader = await readSession({ ...server, token }, id, (events) => one.seen.note(events));
    }
    await pause(SETTLE_MS);
    for (let second = 0; second < MOST_CALM_SECONDS && opened.some(isBehind); second++) await pause(1_000);
    for (const one of opened) one.seen = new FirstSeen();
    const cpu = startCpuMeter(shared);
    const looks: { server: number; runner: number }[] = [];
    for (let second = 0; second < seconds; second++) {
      await pause(1_000);
      looks.push({ server: server.rssMb(), runner: runner.rssMb() });
    }
    return {
      serverMb: middle(looks.map((look) => look.server)),
      serverUnreadMb,
      runnerMb: middle(looks.map((look) => look.runner)),
      messages: opened.reduce((sum, { seen }) => sum + seen.size, 0),
      cpuSeconds: cpuFor(1_000, cpu()),
      startCpu: started,
      firstToken: opened.flatMap(({ seen }) => seen.latencies()).toSorted((one, other) => one - other),
    };
  } finally {
    for (const { reader } of opened) reader?.close();
  }
}

function isBehind({ seen }: { seen: FirstSeen }): boolean {
  return seen.lastLateMs > CALM_MS;
}
