import { setTimeout as delay } from 'node:timers/promises';
import type { StoreEngine } from '@dragoman/server';
import { freshLocation, type Healing, isSoak, rounds } from '@dragoman/testkit';
import { expect, test } from 'vitest';
import { blockTexts, expectNothingLost, type Found } from './expect-nothing-lost.fixture.ts';
import { FollowedSession, sooner } from './followed-session.fixture.ts';
import { HubAndRunner } from './hub-and-runner.fixture.ts';

const SESSIONS = 10;
/** After so many rounds there are fresh sessions. */
const ROUNDS_PER_SESSION = 10;
const EVERY_MS = isSoak() ? 10 : 40;
/** In a soak it ends about when a call is given up, or after that. */
const halfOpenMs = (round: number) => (isSoak() ? 10_000 + (round % 3) * 1_000 : 1_000);

/** What goes wrong in a round: who is killed, and whether the network between them goes silent around that. */
interface Fault {
  kills: readonly ('hub' | 'runner')[];
  network?: Healing;
}

/** The first two are what the ordinary run has. */
const FAULTS: readonly Fault[] = [
  { kills: ['hub'], network: 'late' },
  { kills: ['runner', 'hub'] },
  { kills: ['hub'] },
  { kills: ['runner'] },
  { kills: [], network: 'late' },
  { kills: ['hub', 'runner'] },
  { kills: [], network: 'lost' },
  { kills: ['runner'], network: 'reset' },
  { kills: ['hub'] },
  { kills: ['runner', 'hub'], network: 'lost' },
];

/** Everything that was in the outbox when the runner was killed, ever. */
type InOutbox = Set<string>;

async function inflict(
  both: HubAndRunner,
  { kills, network, ms }: Fault & { ms: number },
  inOutbox: InOutbox,
): Promise<void> {
  if (network !== undefined) both.proxy.cut();
  const end = {
    hub: () => both.killHub(),
    runner: async () => {
      const agents = both.agentProcesses();
      await both.killRunner();
      for (const text of blockTexts(both.outbox())) inOutbox.add(text);
      await expectGone(both, agents);
    },
  };
  const ended = Promise.all(kills.map((who) => end[who]()));
  if (network !== undefined) await delay(ms);
  await ended;
  if (kills.includes('runner')) both.startRunner();
  if (kills.includes('hub')) await both.startHub();
  if (network !== undefined) both.proxy.heal(network);
}

/** No agent outlives its runner. */
async function expectGone(both: HubAndRunner, agents: readonly number[]): Promise<void> {
  await sooner(async () => {
    const left = both.agentProcesses().filter((pid) => agents.includes(pid));
    if (left.length > 0) throw new Error(`agents ${left.join(', ')} outlive their runner`);
    return true;
  });
}

/** What people do in one session in a round, before the fault and into it. */
async function converse(session: FollowedSession, round: number, streamMs: number): Promise<void> {
  const asksFirst = session.isAnswered ? {} : { askBefore: 2 };
  await session.prompt({ blocks: Math.ceil(streamMs / EVERY_MS), everyMs: EVERY_MS, ...asksFirst });
  await session.prompt({ blocks: 6, everyMs: EVERY_MS, askBefore: 1 + (round % 6) });
  await delay((round * 37) % 1000);
  session.remember();
  await session.prompt(
    { blocks: 5, everyMs: EVERY_MS },
    {
      delivery: round % 2 === 0 ? 'steer' : 'queue',
    },
  );
  await delay(300);
  await session.prompt({ blocks: 5, everyMs: EVERY_MS, askBefore: 3 });
}

const RUNS: [StoreEngine, number][] = [
  ['sqlite', rounds(100)],
  ...(isSoak() ? [['postgres', 20] as [StoreEngine, number]] : []),
];

test.for(RUNS)(
  'UAP-02 UAP-03 whoever is killed, hub, runner or both, and however the network between them breaks, on %s, nothing is lost and nothing is said twice',
  { timeout: isSoak() ? 7_200_000 : 600_000 },
  async ([engine, count]) => {
    const both = await HubAndRunner.open((await freshLocation(engine)).databaseUrl);
    const inOutbox: InOutbox = new Set();
    const total = { blocks: 0, unheard: 0, prompts: 0, approvals: 0 };
    let sessions: FollowedSession[] = [];
    let found: Found[] = [];
    for (let round = 0; round < count; round++) {
      if (round % ROUNDS_PER_SESSION === 0) {
        for (const session of sessions) await session.leave();
        sessions = await startSessions(both, round);
      }
      const fault = FAULTS[round % FAULTS.length]!;
      const startedAt = Date.now();
      try {
        const ms = halfOpenMs(round);
        const streamMs = fault.network === undefined ? 2_500 : ms + 1_500;
        // In some sessions an approval waits through the fault.
        for (const [index, session] of sessions.entries()) session.isAnswered = index % 5 !== round % 5;
        const talking = Promise.all(sessions.map((session) => converse(session, round, streamMs)));
        talking.catch(() => {}); // Waited for below.
        await delay(300 + ((round * 131) % 1200));
        await inflict(both, { ...fault, ms }, inOutbox);
        for (const session of sessions) session.isAnswered = true;
        await talking;
        await Promise.all(sessions.map((session) => session.drained()));
        found = [];
        for (const session of sessions) found.push(await expectNothingLost(session, inOutbox));
      } catch (error) {
        throw new Error(`round ${round} on ${engine}, ${describe(fault)}`, { cause: error });
      }
      if (isSoak())
        console.log(`${engine} round ${round}: ${describe(fault)}, ${Date.now() - startedAt} ms`, sum(found));
      if (round % ROUNDS_PER_SESSION === ROUNDS_PER_SESSION - 1 || round === count - 1) add(total, sum(found));
    }
    const agents = both.agentProcesses();
    expect(agents.length).toBeGreaterThanOrEqual(SESSIONS);
    await both.stopRunner();
    await expectGone(both, agents);
    if (isSoak()) console.log(`${engine}: ${count} rounds, in all`, total);
  },
);

async function startSessions(both: HubAndRunner, round: number): Promise<FollowedSession[]> {
  const sessions: FollowedSession[] = [];
  for (let index = 0; index < SESSIONS; index++)
    sessions.push(await FollowedSession.start(both, { name: `r${round}s${index}`, isFar: index % 2 === 1 }));
  return sessions;
}

function describe({ kills, network }: Fault): string {
  const parts = [
    ...kills.map((who) => `${who} killed`),
    ...(network === undefined ? [] : [`half-open, then ${network}`]),
  ];
  return parts.join(' and ');
}

function sum(found: readonly Found[]): Found {
  const total = { blocks: 0, unheard: 0, prompts: 0, approvals: 0 };
  for (const one of found) add(total, one);
  return total;
}

function add(total: Found, more: Found): void {
  for (const key of Object.keys(total) as (keyof Found)[]) total[key] += more[key];
}
