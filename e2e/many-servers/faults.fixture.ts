import fc from 'fast-check';
import { RUNNERS, SERVERS } from './many-servers.fixture.ts';

/** What goes wrong: a process is killed and started again, or connections are cut. */
export type Fault = { awayMs: number } & (
  | { kind: 'server'; name: (typeof SERVERS)[number] }
  | { kind: 'runner'; name: (typeof RUNNERS)[number] }
  | { kind: 'database' }
  | { kind: 'proxy' }
);
export type FaultKind = Fault['kind'];

/** Faults in an order that the seed decides; what is killed stays away for up to so long. */
export function drawFaults(seed: number, count: number, mostAwayMs: number): Fault[] {
  const awayMs = fc.nat({ max: mostAwayMs });
  const fault = fc.oneof(
    fc.record({ kind: fc.constant('server' as const), name: fc.constantFrom(...SERVERS), awayMs }),
    fc.record({ kind: fc.constant('runner' as const), name: fc.constantFrom(...RUNNERS), awayMs }),
    fc.record({ kind: fc.constant('database' as const), awayMs }),
    fc.record({ kind: fc.constant('proxy' as const), awayMs }),
  );
  return fc.sample(fault, { seed, numRuns: count });
}

export function describeFault(fault: Fault): string {
  if (fault.kind === 'proxy') return 'the connections through the proxy are cut';
  const who = fault.kind === 'database' ? 'the database' : `${fault.kind} ${fault.name}`;
  return `${who} is killed, and away for ${fault.awayMs} ms`;
}
