import type { Costs } from './costs.ts';
import { drawGap, seededRandom } from './random.ts';
import { Station } from './station.ts';
import { Timeline } from './timeline.ts';
import { busiestShare, type Usage } from './usage.ts';

/** What there is to work with. A server works with one core, and beside it with a thread that answers and one that indexes. */
export interface Machines {
  servers: number;
  databaseCores: number;
  runners: number;
}

/** What people wait for: the first piece of a model's answer, a text in a session they look at, an answer about code. */
export const WAITS = ['call', 'text', 'question'] as const;
export type Wait = (typeof WAITS)[number];

/** What can be busy. */
export const STATIONS = ['server', 'search', 'build', 'database', 'runner'] as const;
export type StationKind = (typeof STATIONS)[number];

/** What was seen of it. */
export interface Simulated {
  /** What 95 of 100 waited at most, in ms: computing and waiting for others, without networks, disks and models. */
  p95: Record<Wait, number>;
  /** How busy each kind was, all of it together. Beyond 1 there was more to do than could be done. */
  use: Record<StationKind, number>;
}

/**
 * So many seconds of the busiest hour. People prompt when they like; each prompt is a turn with its model calls, and what the
 * agent says goes from its runner through a server into the database and to the readers. A call goes to any server, as a
 * balancer without stickiness has it; a session stays with its runner. How long a work takes is drawn around its cost.
 */
export function simulate(
  costs: Costs,
  usage: Usage,
  machines: Machines,
  { seconds = enoughSeconds(usage), seed = 1 }: { seconds?: number; seed?: number } = {},
): Simulated {
  const office = new Office(costs, usage, machines, seed);
  office.open();
  const fromMs = usage.secondsPerCall * 1_000; // By then as many calls end as begin.
  office.timeline.runUntil(fromMs);
  const given = office.given();
  const toMs = fromMs + seconds * 1_000;
  office.timeline.runUntil(toMs);

  const now = office.given();
  const use = (kind: StationKind) => (now[kind].ms - given[kind].ms) / (seconds * 1_000 * now[kind].cores);
  const p95 = (wait: Wait) => {
    const seen = office.journeys.filter((journey) => journey.wait === wait && journey.startedMs >= fromMs);
    const waited = seen.map(({ startedMs, doneMs = toMs }) => doneMs - startedMs).toSorted((one, two) => one - two);
    return waited[Math.floor(waited.length * 0.95)] ?? 0;
  };
  return { p95: record(WAITS, p95), use: record(STATIONS, use) };
}

/** Many users tell as much in a shorter time. */
function enoughSeconds({ users }: Usage): number {
  return Math.max(4, Math.min(60, 40_000 / users));
}

/** Work at one place. */
type Step = readonly [Station, number];

/** Something that people wait for. */
interface Journey {
  wait: Wait;
  startedMs: number;
  /** Absent while it is under way. */
  doneMs?: number;
}

/** Pieces of an answer leave together with those that came in one read. */
const BUNDLES = 5;
/** A server tells the others that something was stored so often at most, however much it was. */
export const NOTICES_EVERY_MS = 20;
/** A short message ends so long after it began. */
const SOON_MS = 20;

/** Everybody who works, and what that makes the machines do. */
class Office {
  readonly timeline = new Timeline();
  readonly journeys: Journey[] = [];
  readonly #costs: Costs;
  readonly #usage: Usage;
  readonly #random: () => number;
  readonly #stations: Record<StationKind, Station[]>;
  /** The servers that stored what the others were not told of yet. */
  readonly #untold = new Set<Station>();

  constructor(costs: Costs, usage: Usage, { servers, databaseCores, runners }: Machines, seed: number) {
    this.#costs = costs;
    this.#usage = usage;
    this.#random = seededRandom(seed);
    const make = (count: number) => Array.from({ length: count }, () => new Station());
    this.#stations = {
      server: make(servers),
      search: make(servers),
      build: make(servers),
      database: [new Station(databaseCores)],
      runner: make(runners),
    };
  }

  /** From now on people come and go; those who came before are in the middle of their turns. */
  open(): void {
    const { users, promptsPerHour, indexedMbPerHour, callsPerTurn, secondsPerCall } = this.#usage;
    const active = users * busiestShare(this.#usage);
    this.#repeat(active * promptsPerHour, () => this.#turn());
    this.#repeat(active * indexedMbPerHour, () => this.#index());
    const turnMs = callsPerTurn * secondsPerCall * 1_000;
    const gapMs = 3_600_000 / (active * promptsPerHour);
    for (let agoMs = drawGap(this.#random, gapMs); agoMs < turnMs; agoMs += drawGap(this.#random, gapMs))
      this.#work(this.#any('runner'), -agoMs);
    this.#tellServers();
  }

  /** The work that every kind was given so far. */
  given(): Record<StationKind, { ms: number; cores: number }> {
    return record(STATIONS, (kind) => ({
      ms: sum(this.#stations[kind].map(({ givenMs }) => givenMs)),
      cores: sum(this.#stations[kind].map(({ cores }) => cores)),
    }));
  }

  #turn(): void {
    const runner = this.#any('runner');
    const { prompt } = this.#costs;
    this.#travel([
      [this.#any('server'), prompt.server],
      [this.#any('database'), prompt.database],
      [runner, prompt.runner],
    ]);
    this.#work(runner, this.timeline.nowMs);
  }

  /** What an agent does in a turn that began then; what is past is past. */
  #work(runner: Station, fromMs: number): void {
    const { callsPerTurn, secondsPerCall, questionsPerTurn } = this.#usage;
    const callMs = secondsPerCall * 1_000;
    const at = (atMs: number, happen: () => void) => {
      if (atMs >= this.timeline.nowMs) this.timeline.at(atMs, happen);
    };
    for (let index = 0; index < callsPerTurn; index++)
      at(fromMs + (index + this.#random()) * callMs, () => this.#call(runner));
    this.#times(questionsPerTurn, () => at(fromMs + this.#random() * callsPerTurn * callMs, () => this.#ask()));
  }

  #call(runner: Station): void {
    const { gatewayCall, gatewayPiece } = this.#costs;
    const { secondsPerCall, piecesPerCall, messagesPerCall } = this.#usage;
    const callMs = secondsPerCall * 1_000;
    const server = this.#any('server');
    const first: Step[] = [
      [server, gatewayCall.server],
      [this.#any('database'), gatewayCall.database],
    ];
    this.#travel(first, this.#journey('call'));
    const bundle: Step = [server, (gatewayPiece.server * piecesPerCall) / BUNDLES];
    for (let index = 1; index <= BUNDLES; index++) this.#later((callMs * index) / BUNDLES, () => this.#do(bundle));
    this.#times(messagesPerCall, () => this.#later(this.#random() * callMs, () => this.#say(runner)));
  }

  /** A message begins, grows and ends. */
  #say(runner: Station): void {
    const { message, piece } = this.#costs;
    const { secondsPerCall, messagesPerCall, piecesPerMessage } = this.#usage;
    this.#store(runner, message);
    this.#times(message.tellings - 1, () => this.#later(SOON_MS, () => this.#tell(this.#any('server'))));
    const lengthMs = (secondsPerCall * 1_000) / messagesPerCall;
    this.#times(piecesPerMessage, () => this.#later(this.#random() * lengthMs, () => this.#store(runner, piece)));
  }

  /** Something is stored by any server, and told. */
  #store(runner: Station, cost: Costs['piece']): void {
    const startedMs = this.timeline.nowMs;
    const server = this.#any('server');
    const stored: Step[] = [
      [runner, cost.runner],
      [server, cost.server],
      [this.#any('database'), cost.database],
    ];
    this.#travel(stored, () => this.#tell(server, startedMs));
  }

  /** A reader at another server than the one that stored it has it from the database. */
  #tell(storedAt: Station, startedMs = this.timeline.nowMs): void {
    const { elsewhere, delivery } = this.#costs;
    this.#untold.add(storedAt);
    this.#times(this.#usage.readersPerSession, () => {
      const reader = this.#any('server');
      const told: Step[] = [[reader, delivery.server]];
      if (reader !== storedAt) told.unshift([reader, elsewhere.server], [this.#any('database'), elsewhere.database]);
      this.#travel(told, this.#journey('text', startedMs));
    });
  }

  /** Every server is told by each other one that stored something. */
  #tellServers(): void {
    for (const server of this.#stations.server) {
      const tellers = this.#untold.size - (this.#untold.has(server) ? 1 : 0);
      server.take(this.timeline.nowMs, tellers * this.#costs.notice.server);
    }
    this.#untold.clear();
    this.#later(NOTICES_EVERY_MS, () => this.#tellServers());
  }

  #ask(): void {
    const { question } = this.#costs;
    const at = Math.floor(this.#random() * this.#stations.server.length);
    const steps: Step[] = [
      [this.#stations.server[at]!, question.server],
      [this.#any('database'), question.database],
      [this.#stations.search[at]!, question.search],
    ];
    this.#travel(steps, this.#journey('question'));
  }

  #index(): void {
    const { indexedMb } = this.#costs;
    this.#travel([
      [this.#any('build'), indexedMb.build],
      [this.#any('database'), indexedMb.database],
    ]);
  }

  /** Somebody waits from now on, or from then on. Returns what ends it. */
  #journey(wait: Wait, startedMs = this.timeline.nowMs): () => void {
    const journey: Journey = { wait, startedMs };
    this.journeys.push(journey);
    return () => (journey.doneMs = this.timeline.nowMs);
  }

  /** One step after the other, from now on, and then the rest. */
  #travel(steps: readonly Step[], then?: () => void, index = 0): void {
    const step = steps[index];
    if (step === undefined) then?.();
    else this.timeline.at(this.#do(step), () => this.#travel(steps, then, index + 1));
  }

  /** When a work that comes now is done. */
  #do([station, workMs]: Step): number {
    return station.take(this.timeline.nowMs, drawGap(this.#random, workMs));
  }

  #any(kind: StationKind): Station {
    const stations = this.#stations[kind];
    return stations[Math.floor(this.#random() * stations.length)]!;
  }

  #later(afterMs: number, happen: () => void): void {
    this.timeline.at(this.timeline.nowMs + afterMs, happen);
  }

  /** So many times on average: 1.2 is once, and now and then twice. */
  #times(mean: number, happen: () => void): void {
    for (let left = Math.floor(mean) + (this.#random() < mean % 1 ? 1 : 0); left > 0; left--) happen();
  }

  /** Again and again, so often an hour. */
  #repeat(perHour: number, happen: () => void): void {
    if (perHour <= 0) return;
    this.#later(drawGap(this.#random, 3_600_000 / perHour), () => {
      happen();
      this.#repeat(perHour, happen);
    });
  }
}

function record<Name extends string, Value>(names: readonly Name[], of: (name: Name) => Value): Record<Name, Value> {
  return Object.fromEntries(names.map((name) => [name, of(name)])) as Record<Name, Value>;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
