import { setTimeout as delay } from 'node:timers/promises';
import { onTestFinished } from 'vitest';
import { CountingSession } from './counting-session.fixture.ts';
import { expectSessionOnce, expectUploadsOnce, expectUsageOnce } from './expect-exactly-once.fixture.ts';
import { describeFault, type Fault, type FaultKind } from './faults.fixture.ts';
import { type LongestGaps, longestGaps } from './live-reader.fixture.ts';
import { ManyServers } from './many-servers.fixture.ts';
import { ModelCalls, startNumberedProvider } from './model-calls.fixture.ts';
import { Uploads } from './uploads.fixture.ts';

/** How much goes on, and how much goes wrong. */
export interface Trial {
  sessions: number;
  /** Sessions that somebody reads and answers. */
  readers: number;
  /** How many make model calls, and how many upload files and ask for them, one after the other. */
  callers: number;
  uploaders: number;
  /** What goes wrong, one in each round. */
  faults: readonly Fault[];
  /** A round takes at least this long. */
  everyMs: number;
  /** Is told how it goes. */
  tell: (line: string) => void;
}

/** How much was acknowledged, and is there exactly once. */
export interface Kept {
  prompts: number;
  approvals: number;
  modelCalls: number;
  uploads: number;
  /** The longest time that a reader was without a live stream. */
  gaps: LongestGaps;
}

/** Everybody works through all the faults; then everything that was acknowledged has to be there exactly once. */
export async function runTrial(trial: Trial): Promise<Kept> {
  const { faults, tell } = trial;
  const servers = await ManyServers.open(await startNumberedProvider());
  let lastFault: FaultKind | 'start' = 'start';
  const sessions = await startSessions(servers, trial, () => lastFault);
  const readers = sessions.flatMap(({ reader }) => reader ?? []);
  const [calls, uploads] = [new ModelCalls(servers), new Uploads(servers)];
  const load = keepGoing([
    ...Array.from({ length: trial.callers }, () => () => calls.call()),
    ...Array.from({ length: trial.uploaders }, () => () => uploads.uploadAndAsk()),
  ]);

  for (const [index, fault] of faults.entries()) {
    const startedAt = Date.now();
    const prompts = sessions.map((session) => session.prompt(`round-${index + 1}`));
    await half(prompts);
    lastFault = fault.kind;
    await servers.inflict(fault);
    await Promise.all(prompts);
    await Promise.all(sessions.map((session) => session.caughtUp()));
    load.check();
    tell(`round ${index + 1}: ${describeFault(fault)}; all read again after ${Date.now() - startedAt} ms`);
    await delay(Math.max(startedAt + trial.everyMs - Date.now(), 0));
  }

  await load.end();
  // One after the other, as each asks its server again and again.
  for (const session of sessions) await session.drained();
  for (const session of sessions) await expectSessionOnce(servers, session);
  await expectUsageOnce(servers, calls);
  await expectUploadsOnce(servers, uploads);
  const kept = {
    prompts: sessions.flatMap(({ accepted }) => accepted).length,
    approvals: sessions.flatMap(({ decided }) => decided).length,
    modelCalls: calls.answered.length,
    uploads: uploads.accepted.length,
    gaps: longestGaps(readers),
  };
  tell(`exactly once: ${JSON.stringify(kept)}`);
  return kept;
}

async function startSessions(
  servers: ManyServers,
  trial: Trial,
  lastFault: () => FaultKind | 'start',
): Promise<CountingSession[]> {
  const runnerIds = await servers.runnerIds();
  const sessions: CountingSession[] = [];
  for (let index = 0; index < trial.sessions; index++) {
    const runnerId = runnerIds[index % runnerIds.length]!;
    const isRead = index < trial.readers;
    sessions.push(await CountingSession.start(servers, { name: `session-${index}`, runnerId, isRead, lastFault }));
  }
  return sessions;
}

/** Waits for half of them. */
function half(all: readonly Promise<unknown>[]): Promise<unknown> {
  let left = Math.ceil(all.length / 2);
  return new Promise<void>((resolve, reject) => {
    for (const one of all)
      one.then(() => {
        if (--left === 0) resolve();
      }, reject);
  });
}

const PAUSE_MS = 200;

/** Work that is done again and again. */
interface Load {
  /** Throws what went wrong. */
  check(): void;
  end(): Promise<void>;
}

/** Does each of these again and again, until it is ended. */
function keepGoing(works: readonly (() => Promise<void>)[]): Load {
  let isOver = false;
  let problem: Error | undefined;
  onTestFinished(() => {
    isOver = true;
  });
  const going = Promise.all(
    works.map(async (work) => {
      while (!isOver) {
        await work();
        await delay(PAUSE_MS);
      }
    }),
  );
  going.catch((error: unknown) => {
    problem = new Error('the load on the servers broke off', { cause: error });
  });
  return {
    check() {
      if (problem !== undefined) throw problem;
    },
    async end() {
      isOver = true;
      await going;
    },
  };
}
