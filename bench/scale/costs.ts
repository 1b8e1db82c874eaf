import { readFileSync, writeFileSync } from 'node:fs';

const FILE = new URL('costs.json', import.meta.url);

/** What things cost: CPU in ms on the machine that they were measured on, memory in MB. `costs.json` holds the numbers. */
export interface Costs {
  /** False while some of the numbers are guesses. */
  isMeasured: boolean;
  /** A model call up to its first piece: token, limits, route, the call, its usage record. */
  gatewayCall: { server: number; database: number };
  /** One streamed piece of an answer. */
  gatewayPiece: { server: number };
  /** A prompt and the turn around what is said in it. */
  prompt: { server: number; database: number; runner: number };
  /** A short message that an agent says in a session, as it is stored; its readers are told of it so often. */
  message: { server: number; database: number; runner: number; tellings: number };
  /** Each further piece of a message that is streamed, as it is stored; its readers are told once. */
  piece: { server: number; database: number; runner: number };
  /** A server is told by another what was stored there since it told last. */
  notice: { server: number };
  /** A server that has readers of it and did not store it reads it from the database, once for each telling. */
  elsewhere: { server: number; database: number };
  /** One reader is told, once. */
  delivery: { server: number };
  /** A question about code; `search` is the thread of a server that answers. */
  question: { server: number; search: number; database: number };
  /** A MB of source that is indexed; `build` is the thread of a server that does it. */
  indexedMb: { build: number; database: number };
  memoryMb: {
    server: number;
    serverSession: number;
    reader: number;
    /** Of an index that is asked about, for each MB of its source. */
    indexedMb: number;
    runner: number;
    /** Without the agent itself, which is a program of its own. */
    runnerSession: number;
  };
}

/** What a benchmark found of them: the others stay. */
export type FoundCosts = { [Name in Exclude<keyof Costs, 'isMeasured'>]?: Partial<Costs[Name]> };

export function readCosts(): Costs {
  return JSON.parse(readFileSync(FILE, 'utf8')) as Costs;
}

/** Puts what was found in the place of what was known. Everything was found: then the table is a measured one. */
export function mergeCosts(known: Costs, found: FoundCosts): Costs {
  const groups = Object.entries(known).filter(([name]) => name !== 'isMeasured') as [keyof FoundCosts, object][];
  const isWhole = groups.every(([name, group]) => Object.keys(group).every((key) => key in (found[name] ?? {})));
  const merged = Object.fromEntries(groups.map(([name, group]) => [name, { ...group, ...found[name] }]));
  return { isMeasured: known.isMeasured || isWhole, ...merged } as Costs;
}

export function writeCosts(costs: Costs): void {
  const rounded = JSON.stringify(
    costs,
    (_, value: unknown) => (typeof value === 'number' ? Number(value.toPrecision(3)) : value),
    2,
  );
  writeFileSync(FILE, `${rounded}\n`);
}
