import { expect, test } from 'vitest';
import { type Costs, mergeCosts } from './costs.ts';
import { firstLimits, noticeShare } from './first-limits.ts';
import { simulate } from './simulate.ts';
import { usersCarried, cpuPerSecond, sizeMachines, sizeMemory } from './size-machines.ts';
import { Station } from './station.ts';
import { Timeline } from './timeline.ts';
import type { Usage } from './usage.ts';

const COSTS: Costs = {
  isMeasured: true,
  gatewayCall: { server: 2, database: 1 },
  gatewayPiece: { server: 0.01 },
  prompt: { server: 4, database: 2, runner: 1 },
  message: { server: 1, database: 2, runner: 0.5, tellings: 2 },
  piece: { server: 0.25, database: 0.25, runner: 0.125 },
  notice: { server: 0.1 },
  elsewhere: { server: 0.4, database: 0.2 },
  delivery: { server: 0.5 },
  question: { server: 1, search: 20, database: 1 },
  indexedMb: { build: 100, database: 50 },
  memoryMb: { server: 100, serverSession: 0.1, reader: 0.2, indexedMb: 0.5, runner: 50, runnerSession: 1 },
};

/** 360 are at work at most: one prompt, ten calls, twenty messages with eighty pieces and two questions a second. */
const USAGE: Usage = {
  users: 1_000,
  activeShare: [0.1, 0.36, 0.2],
  sessionsPerUser: 2,
  promptsPerHour: 10,
  callsPerTurn: 10,
  secondsPerCall: 2,
  piecesPerCall: 100,
  messagesPerCall: 2,
  piecesPerMessage: 4,
  readersPerSession: 2,
  questionsPerTurn: 2,
  indexedMbPerHour: 1,
  usersPerRepository: 100,
  repositoryMb: 10,
};

test('what happens later happens later, whenever it was said', () => {
  const timeline = new Timeline();
  const happened: string[] = [];
  const note = (what: string) => () => happened.push(`${what} at ${timeline.nowMs}`);
  for (const atMs of [5, 1, 4, 2, 3]) timeline.at(atMs, note('one'));
  timeline.at(2.5, () => timeline.at(3.5, note('what followed')));
  timeline.runUntil(4);
  expect(happened).toEqual(['one at 1', 'one at 2', 'one at 3', 'what followed at 3.5', 'one at 4']);
  timeline.runUntil(10);
  expect(happened.slice(5)).toEqual(['one at 5']);
  expect(timeline.nowMs).toBe(10);
});

test('a station does as many things at once as it has cores, and the others wait', () => {
  const one = new Station(1);
  expect([one.take(0, 10), one.take(1, 10), one.take(50, 10)]).toEqual([10, 20, 60]);
  const two = new Station(2);
  expect([two.take(0, 10), two.take(1, 10), two.take(2, 10)]).toEqual([10, 11, 20]);
  expect(two.givenMs).toBe(30);
});

test('the work of a second is what the users do, times what it costs', () => {
  const alone = {
    server: 10 * (2 + 1) + 4 + 20 + 80 * 0.25 + 120 * 2 * 0.5 + 2,
    search: 40,
    build: 10,
    database: 10 + 2 + 40 + 80 * 0.25 + 2 + 5,
    runner: 1 + 10 + 10,
  };
  expect(cpuPerSecond(COSTS, USAGE, 1)).toEqual(alone);
  // A message is told twice and a piece once. Of two readers three quarters are elsewhere.
  const silent = { ...COSTS, notice: { server: 0 } };
  expect(cpuPerSecond(silent, USAGE, 4)).toEqual({
    ...alone,
    server: alone.server + 180 * 0.4,
    database: alone.database + 180 * 0.2,
  });
});

test('what is simulated is about as busy as what its users do costs, and the same for the same seed', () => {
  const machines = { servers: 2, databaseCores: 1, runners: 1 };
  const seen = simulate(COSTS, USAGE, machines, { seconds: 200, seed: 7 });
  expect(simulate(COSTS, USAGE, machines, { seconds: 200, seed: 7 })).toEqual(seen);
  expect(simulate(COSTS, USAGE, machines, { seconds: 200, seed: 8 })).not.toEqual(seen);
  const expected = cpuPerSecond(COSTS, USAGE, 2);
  expect(Math.abs(seen.use.server * 2_000 - expected.server)).toBeLessThan(expected.server * 0.2);
  expect(Math.abs(seen.use.database * 1_000 - expected.database)).toBeLessThan(expected.database * 0.2);
  expect(Math.abs(seen.use.runner * 1_000 - expected.runner)).toBeLessThan(expected.runner * 0.2);
});

test('more users on the same machines wait longer, more machines make it short again', () => {
  const many = { ...USAGE, users: 10_000 };
  const alone = simulate(COSTS, USAGE, { servers: 1, databaseCores: 1, runners: 1 });
  const crowded = simulate(COSTS, many, { servers: 1, databaseCores: 1, runners: 1 });
  const helped = simulate(COSTS, many, { servers: 5, databaseCores: 4, runners: 2 });
  expect(crowded.p95.call).toBeGreaterThan(alone.p95.call * 2);
  expect(crowded.p95.text).toBeGreaterThan(alone.p95.text * 2);
  expect(helped.p95.text).toBeLessThan(crowded.p95.text / 2);
});

test('what never comes to an end is as late as it is by then', () => {
  const slow = { ...COSTS, gatewayCall: { server: 2_000, database: 1 } };
  expect(simulate(slow, USAGE, { servers: 1, databaseCores: 1, runners: 1 }).p95.call).toBeGreaterThan(10_000);
});

test('machines are added until nobody waits too long and nothing is too busy', () => {
  const { machines, simulated } = sizeMachines(COSTS, { ...USAGE, users: 20_000 });
  expect(machines.servers).toBeGreaterThanOrEqual(2);
  expect(machines.databaseCores).toBeGreaterThanOrEqual(2);
  expect(Math.max(...Object.values(simulated.use))).toBeLessThanOrEqual(0.7);
  expect(simulated.p95.call).toBeLessThanOrEqual(100);
  expect(simulated.p95.text).toBeLessThanOrEqual(100);
});

test('one database that costs twice as much carries about half as many users', () => {
  const { gatewayCall, prompt, message, piece, elsewhere, question, indexedMb } = COSTS;
  const dear: Costs = {
    ...COSTS,
    gatewayCall: { ...gatewayCall, database: 2 },
    prompt: { ...prompt, database: 4 },
    message: { ...message, database: 4 },
    piece: { ...piece, database: 0.5 },
    elsewhere: { ...elsewhere, database: 0.4 },
    question: { ...question, database: 2 },
    indexedMb: { ...indexedMb, database: 100 },
  };
  const [cheap, twice] = [COSTS, dear].map((costs) => usersCarried(costs, USAGE, { databaseCores: 1 }));
  expect(cheap!.busiest).toBe('database');
  expect(cheap!.users / twice!.users).toBeGreaterThan(1.5);
  expect(cheap!.users / twice!.users).toBeLessThan(2.7);
});

test('where each server has to be told of what others stored, more of them carry fewer users each', () => {
  const loud = { ...COSTS, notice: { server: 1 } };
  const [one, eight] = [1, 8].map((servers) => usersCarried(loud, USAGE, { servers }).users);
  expect(eight!).toBeGreaterThan(one!);
  expect(eight! / 8).toBeLessThan(one! / 2);
});

test('a server is told by each other one, for every telling while there are few, and not more often than every 20 ms', () => {
  const noticed = (users: number, servers: number) => {
    const [told, silent] = [COSTS, { ...COSTS, notice: { server: 0 } }].map(
      (costs) => cpuPerSecond(costs, { ...USAGE, users }, servers).server,
    );
    return told! - silent!;
  };
  // 1.2 tellings a second for ten users; three others are told of each, for 0.1 ms.
  expect(noticed(10, 4)).toBeCloseTo(1.2 * 3 * 0.1, 2);
  // Each of four servers tells each of the three others 50 times a second, for 0.1 ms.
  expect(noticed(1_000_000, 4)).toBeCloseTo(4 * 3 * 50 * 0.1);
});

test('memory is that of the program, its sessions, its readers and the repositories that are asked about', () => {
  const machines = { servers: 2, databaseCores: 1, runners: 1 };
  expect(sizeMemory(COSTS, USAGE, machines, { agentMb: 99, runnerMachineMb: 10_050 })).toEqual({
    serverMb: 100 + (0.1 * 720) / 2 + (0.2 * 1_440) / 2 + 0.5 * 10 * 10 * 0.36,
    runners: 8,
  });
});

test('what ends first comes first, and notices end it with a number of servers', () => {
  const limits = firstLimits({ ...COSTS, notice: { server: 0.4 } }, USAGE, ({ servers = 0 }) => 500 + servers * 100);
  // Each of 17 others tells 50 times a second, which is 35 % of a core at 0.4 ms; 70 % may be busy.
  expect(limits.map(({ users }) => users)).toEqual([440, 500, 500, 600, 1_300, 2_300]);
  expect(limits.at(-1)?.what).toBe('notices, which are half of what each of 18 servers may do');
  // A machine of 64 GB holds 318 agents of 200 MB with a MB each for the runner; 100 users have 72 of them.
  expect(limits.find(({ what }) => what.includes('memory'))?.users).toBe(440);
});

test('notices are a part of what servers do, and none with one server', () => {
  expect(noticeShare(COSTS, USAGE, 1)).toBe(0);
  // 30 tellings a second at each of four servers are some 22.6 moments of 20 ms; three others hear of each, for 0.1 ms.
  const noticed = 22.56 * 12 * 0.1;
  expect(noticeShare(COSTS, USAGE, 4)).toBeCloseTo(noticed / (196 + noticed + 72), 3);
});

test('a cost that was found takes the place of the one that was known, and a table is measured when all were found', () => {
  const guessed = { ...COSTS, isMeasured: false };
  expect(mergeCosts(guessed, { delivery: { server: 9 }, message: { server: 3 } })).toEqual({
    ...guessed,
    delivery: { server: 9 },
    message: { server: 3, database: 2, runner: 0.5, tellings: 2 },
  });
  const { isMeasured: _, ...all } = COSTS;
  expect(mergeCosts(guessed, all).isMeasured).toBe(true);
});
