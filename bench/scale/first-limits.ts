import type { Costs } from './costs.ts';
import { type Machines, NOTICES_EVERY_MS } from './simulate.ts';
import { cpuPerSecond, LIMITS, sizeMemory } from './size-machines.ts';
import type { Usage } from './usage.ts';

/** Something that ends, and how many users there are then. */
export interface FirstLimit {
  what: string;
  users: number;
  /** What is then done. */
  remedy: string;
}

/** A machine for runners, and what an agent of people takes on it beside its runner. */
export const RUNNER_MACHINE = { agentMb: 200, runnerMachineMb: 64_000 };
/** Of PostgreSQL as it comes, three of them kept for its owner; a server has ten and one that listens. */
const CONNECTIONS = { all: 97, server: 11 };

/**
 * What ends first where there is one of everything, or what comes by itself; the first to end comes first. `carried` says
 * how many users some machines carry where there is plenty of all others.
 */
export function firstLimits(costs: Costs, usage: Usage, carried: (given: Partial<Machines>) => number): FirstLimit[] {
  const connected = Math.floor(CONNECTIONS.all / CONNECTIONS.server);
  const noticed = serversNoticed(costs);
  const limits: FirstLimit[] = [
    { what: 'the memory of one machine for agents', users: usersInMemory(costs, usage), remedy: 'add machines' },
    { what: 'the core of one server', users: carried({ servers: 1 }), remedy: 'add servers' },
    { what: 'one core of PostgreSQL', users: carried({ databaseCores: 1 }), remedy: 'give it cores' },
    { what: 'the core of one runner', users: carried({ runners: 1 }), remedy: 'add machines' },
    {
      what: `the 100 connections of PostgreSQL as it comes, which is ${connected} servers`,
      users: carried({ servers: connected }),
      remedy: 'raise `max_connections`',
    },
    {
      what: `notices, which are half of what each of ${noticed} servers may do`,
      users: carried({ servers: noticed }),
      remedy: 'shard',
    },
  ];
  return limits.toSorted((one, other) => one.users - other.users);
}

/** So many users have all their agents on one machine. */
function usersInMemory(costs: Costs, usage: Usage): number {
  const machines = { servers: 1, databaseCores: 1, runners: 1 };
  const fits = (users: number) => sizeMemory(costs, { ...usage, users }, machines, RUNNER_MACHINE).runners <= 1;
  let users = 0;
  while (fits(users + 10)) users += 10;
  return users;
}

/** With so many servers, half of what each may do is to hear of what the others stored. */
function serversNoticed({ notice }: Costs): number {
  return 1 + Math.floor((NOTICES_EVERY_MS * LIMITS.use) / 2 / notice.server);
}

/** Which share of what servers do is hearing of what others stored. */
export function noticeShare(costs: Costs, usage: Usage, servers: number): number {
  const { server } = cpuPerSecond(costs, usage, servers);
  const silent = { ...costs, notice: { server: 0 } };
  return (server - cpuPerSecond(silent, usage, servers).server) / server;
}
