import type { Costs } from './costs.ts';
import {
  type Machines,
  NOTICES_EVERY_MS,
  simulate,
  type Simulated,
  STATIONS,
  type StationKind,
  type Wait,
  WAITS,
} from './simulate.ts';
import { busiestShare, liveAtPeak, type Usage } from './usage.ts';

/** What is good enough: how long 95 of 100 may wait at most, in ms, and how busy anything may be. */
export interface Limits {
  p95: Record<Wait, number>;
  use: number;
}

export const LIMITS: Limits = { p95: { call: 100, text: 100, question: 500 }, use: 0.7 };
/** What waits too long although everything is so little busy takes that long by itself: more machines change nothing. */
const IDLE = 0.1;
/** Nobody asks for more. */
const MOST_USERS = 50_000;
export const MOST_SERVERS = 500;

/** Which machine has to be had more of, when one of this kind is too busy. */
const MACHINE_OF = {
  server: 'servers',
  search: 'servers',
  build: 'servers',
  database: 'databaseCores',
  runner: 'runners',
} as const satisfies Record<StationKind, keyof Machines>;

/** The fewest machines that are good enough: one of what is busiest is added for as long as that helps. */
export function sizeMachines(
  costs: Costs,
  usage: Usage,
  { limits = LIMITS, seed = 1 }: { limits?: Limits; seed?: number } = {},
): { machines: Machines; simulated: Simulated } {
  const machines = atUse(costs, usage, limits.use);
  for (;;) {
    const simulated = simulate(costs, usage, machines, { seed });
    const use = Math.max(...Object.values(simulated.use));
    const isGood = use <= limits.use && lateWaits(simulated, limits).length === 0;
    if (isGood || use < IDLE || machines.servers > MOST_SERVERS) return { machines, simulated };
    machines[MACHINE_OF[busiest(simulated)]] += 1;
  }
}

/** How many users these machines carry where there is plenty of all others, and what is then busiest and late. */
export function usersCarried(
  costs: Costs,
  usage: Usage,
  given: Partial<Machines>,
  { limits = LIMITS, seed = 1 }: { limits?: Limits; seed?: number } = {},
): { users: number; late: Wait | undefined; busiest: StationKind } {
  const look = (users: number) => {
    const fewer = { ...usage, users };
    const simulated = simulate(costs, fewer, { ...atUse(costs, fewer, 0.3), ...given }, { seed });
    return { simulated, late: lateWaits(simulated, limits) };
  };
  const isCarried = (users: number) => {
    const { simulated, late } = look(users);
    return late.length === 0 && Math.max(...Object.values(simulated.use)) <= limits.use;
  };
  let [carried, tooMany] = [0, 100];
  while (tooMany < MOST_USERS && isCarried(tooMany)) [carried, tooMany] = [tooMany, tooMany * 2];
  while (tooMany - carried > Math.max(10, carried / 20)) {
    const middle = Math.round((carried + tooMany) / 2);
    if (isCarried(middle)) carried = middle;
    else tooMany = middle;
  }
  // Half as many again are far too many: what is late then is what is late first.
  const { simulated, late } = look(Math.round(tooMany * 1.5));
  return { users: carried, late: late[0], busiest: busiest(simulated) };
}

/** The memory that it takes: of each server, and how many runners there have to be for the agents alone. */
export function sizeMemory(
  { memoryMb }: Costs,
  usage: Usage,
  { servers }: Machines,
  { agentMb, runnerMachineMb }: { agentMb: number; runnerMachineMb: number },
): { serverMb: number; runners: number } {
  const { sessions, readers } = liveAtPeak(usage);
  const repositories = usage.users / usage.usersPerRepository;
  // Sessions and readers are spread over the servers; any of them may be asked about any repository that is in use.
  const serverMb =
    memoryMb.server +
    (memoryMb.serverSession * sessions) / servers +
    (memoryMb.reader * readers) / servers +
    memoryMb.indexedMb * usage.repositoryMb * repositories * busiestShare(usage);
  const perRunner = Math.floor((runnerMachineMb - memoryMb.runner) / (memoryMb.runnerSession + agentMb));
  return { serverMb, runners: Math.ceil(sessions / perRunner) };
}

/** As many machines as have this much to do on average. */
function atUse(costs: Costs, usage: Usage, use: number): Machines {
  const fits = (servers: number) => {
    const { server, search, build } = cpuPerSecond(costs, usage, servers);
    return Math.max(server, search, build) / 1_000 <= use * servers;
  };
  let servers = 1;
  while (servers < MOST_SERVERS && !fits(servers)) servers++;
  const { database, runner } = cpuPerSecond(costs, usage, servers);
  const count = (ms: number) => Math.max(1, Math.ceil(ms / 1_000 / use));
  return { servers, databaseCores: count(database), runners: count(runner) };
}

/** The work that comes in a second of the busiest hour to so many servers, in ms of CPU. */
export function cpuPerSecond(costs: Costs, usage: Usage, servers: number): Record<StationKind, number> {
  const active = usage.users * busiestShare(usage);
  const turns = (active * usage.promptsPerHour) / 3_600;
  const calls = turns * usage.callsPerTurn;
  const messages = calls * usage.messagesPerCall;
  const pieces = messages * usage.piecesPerMessage;
  const tellings = messages * costs.message.tellings + pieces;
  const told = tellings * usage.readersPerSession;
  const toldElsewhere = (told * (servers - 1)) / servers;
  const questions = turns * usage.questionsPerTurn;
  const mb = (active * usage.indexedMbPerHour) / 3_600;
  const { gatewayCall, gatewayPiece, prompt, message, piece, notice, elsewhere, delivery, question, indexedMb } = costs;
  return {
    server:
      calls * (gatewayCall.server + gatewayPiece.server * usage.piecesPerCall) +
      turns * prompt.server +
      messages * message.server +
      pieces * piece.server +
      noticesPerSecond(tellings / servers) * servers * (servers - 1) * notice.server +
      told * delivery.server +
      toldElsewhere * elsewhere.server +
      questions * question.server,
    search: questions * question.search,
    build: mb * indexedMb.build,
    database:
      calls * gatewayCall.database +
      turns * prompt.database +
      messages * message.database +
      pieces * piece.database +
      toldElsewhere * elsewhere.database +
      questions * question.database +
      mb * indexedMb.database,
    runner: turns * prompt.runner + messages * message.runner + pieces * piece.runner,
  };
}

/** How often one server tells another, which has so much to tell in a second: what comes within a moment goes together. */
function noticesPerSecond(tellings: number): number {
  const perMoment = (tellings * NOTICES_EVERY_MS) / 1_000;
  return ((1 - Math.exp(-perMoment)) * 1_000) / NOTICES_EVERY_MS;
}

/** The waits that are longer than they may be, the worst first. */
function lateWaits({ p95 }: Simulated, limits: Limits): Wait[] {
  const by = (wait: Wait) => p95[wait] / limits.p95[wait];
  return WAITS.filter((wait) => by(wait) > 1).toSorted((one, other) => by(other) - by(one));
}

function busiest({ use }: Simulated): StationKind {
  return STATIONS.toSorted((one, other) => use[other] - use[one])[0]!;
}
