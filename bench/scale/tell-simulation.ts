import type { Costs } from './costs.ts';
import { firstLimits, noticeShare, RUNNER_MACHINE } from './first-limits.ts';
import type { Table } from './markdown-table.ts';
import { type Machines, type Simulated, simulate } from './simulate.ts';
import { usersCarried, LIMITS, MOST_SERVERS, sizeMachines, sizeMemory } from './size-machines.ts';
import { liveAtPeak, type Usage } from './usage.ts';

const STEPS = [100, 1_000, 3_000, 10_000];
const GIVEN: readonly [string, Partial<Machines>][] = [
  ['1 server', { servers: 1 }],
  ['4 servers', { servers: 4 }],
  ['16 servers', { servers: 16 }],
  ['1 core of PostgreSQL', { databaseCores: 1 }],
  ['4 cores of PostgreSQL', { databaseCores: 4 }],
  ['1 runner', { runners: 1 }],
];
const GUESSED = 'Some of the costs behind this are guesses so far (`bench/scale/costs.json`).';

/** How many machines so many users take, what some machines carry, and what breaks first. */
export function tellSimulation(costs: Costs, usage: Usage): Table[] {
  const note = costs.isMeasured ? {} : { note: GUESSED };
  const sized = STEPS.map((users) => ({ users, ...sizeMachines(costs, { ...usage, users }) }));
  const { machines } = sized.at(-1)!;
  const known = new Map<string, ReturnType<typeof usersCarried>>();
  const carried = (given: Partial<Machines>) => {
    const key = JSON.stringify(given);
    const found = known.get(key) ?? usersCarried(costs, usage, given);
    known.set(key, found);
    return found;
  };
  return [
    { name: 'simulated-machines', head: SIZED_HEAD, rows: sized.map((one) => sizedRow(costs, usage, one)), ...note },
    {
      name: 'simulated-first',
      head: ['what ends', 'users by then', 'what is done'],
      rows: firstLimits(costs, usage, (given) => carried(given).users).map(({ what, users, remedy }) => [
        what,
        String(users),
        remedy,
      ]),
      ...note,
    },
    {
      name: 'simulated-carried',
      head: ['with plenty of all else', 'users', 'busiest beyond that', 'late first'],
      rows: GIVEN.map(([what, given]) => {
        const { users, busiest, late } = carried(given);
        return [what, String(users), busiest, late ?? '-'];
      }),
      ...note,
    },
    {
      name: 'simulated-break',
      head: ['users', 'call p95', 'text p95', 'question p95', 'busiest'],
      rows: [1, 1.25, 1.5, 1.75, 2].map((times) => {
        const users = Math.round(usage.users * times);
        return breakRow(users, simulate(costs, { ...usage, users }, machines));
      }),
      ...note,
    },
  ];
}

const SIZED_HEAD = [
  'users',
  'live sessions',
  'servers',
  'PostgreSQL cores',
  'runners (CPU)',
  'runners (memory)',
  'MB a server',
  'notices, of what servers do',
  'call p95',
  'text p95',
];

function sizedRow(
  costs: Costs,
  usage: Usage,
  { users, machines, simulated }: { users: number; machines: Machines; simulated: Simulated },
): string[] {
  const these = { ...usage, users };
  const memory = sizeMemory(costs, these, machines, RUNNER_MACHINE);
  return [
    String(users),
    liveAtPeak(these).sessions.toFixed(0),
    machines.servers > MOST_SERVERS ? `more than ${MOST_SERVERS}` : String(machines.servers),
    String(machines.databaseCores),
    String(machines.runners),
    String(memory.runners),
    memory.serverMb.toFixed(0),
    `${(noticeShare(costs, these, machines.servers) * 100).toFixed(0)} %`,
    ms(simulated.p95.call),
    ms(simulated.p95.text),
  ];
}

function breakRow(users: number, { p95, use }: Simulated): string[] {
  const [kind, share] = Object.entries(use).toSorted(([, one], [, other]) => other - one)[0]!;
  const told = (wait: keyof typeof p95) => `${ms(p95[wait])}${p95[wait] > LIMITS.p95[wait] ? ' late' : ''}`;
  return [String(users), told('call'), told('text'), told('question'), `${kind} ${(share * 100).toFixed(0)} %`];
}

function ms(value: number): string {
  return `${value.toFixed(value < 100 ? 1 : 0)} ms`;
}
