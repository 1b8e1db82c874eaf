import type { BenchProcess } from '../hub/bench-process.ts';
import type { SharedServers } from './shared-servers.ts';

/** What was worked since, in ms of CPU, by all servers, by the database, by all runners, and by what is watched beside them. */
export interface Cpu {
  servers: number;
  database: number;
  runners: number;
  beside: number;
}

/** Starts to count; each look tells what was worked until then. */
export function startCpuMeter({ servers, database, runners, beside }: SharedServers): () => Cpu {
  const read = (): Cpu => ({
    servers: cpuOf(servers),
    database: database.cpuMs(),
    runners: cpuOf(runners),
    beside: cpuOf(beside ?? []),
  });
  const from = read();
  return () => {
    const now = read();
    return {
      servers: now.servers - from.servers,
      database: now.database - from.database,
      runners: now.runners - from.runners,
      beside: now.beside - from.beside,
    };
  };
}

/** The same for one of so many things that were done. */
export function cpuFor(count: number, { servers, database, runners, beside }: Cpu): Cpu {
  return { servers: servers / count, database: database / count, runners: runners / count, beside: beside / count };
}

function cpuOf(processes: readonly BenchProcess[]): number {
  return processes.reduce((sum, process) => sum + process.cpuMs(), 0);
}
