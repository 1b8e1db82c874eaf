/** What another server does not repeat for so long is over, or the server is. */
const FORGOTTEN_MS = 15_000;

/** Limits how many calls each client has under way at once. The limit is asked for each time, so it may change. */
export class ConcurrencyLimit {
  readonly #max: () => number;
  readonly #now: () => number;
  readonly #underWay = new Map<string, number>();
  /** Calls under way at other servers, by client and server. */
  readonly #elsewhere = new Map<string, Map<string, { count: number; at: number }>>();

  constructor(max: () => number, now: () => number = () => performance.now()) {
    this.#max = max;
    this.#now = now;
  }

  /** Lets one more call in, or gives nothing at the limit. What comes back lets it out; calling it again does nothing. */
  enter(client: string): (() => void) | undefined {
    const count = this.underWay(client);
    if (count + this.#countElsewhere(client) >= this.#max()) return undefined;
    this.#underWay.set(client, count + 1);
    let isInside = true;
    return () => {
      if (!isInside) return;
      isInside = false;
      this.#leave(client);
    };
  }

  /** How many calls of a client are under way here. */
  underWay(client: string): number {
    return this.#underWay.get(client) ?? 0;
  }

  /** The clients that have calls under way here. */
  get clients(): string[] {
    return [...this.#underWay.keys()];
  }

  /** Another server says how many calls of a client it has under way. */
  note(server: string, client: string, count: number): void {
    const servers = this.#elsewhere.get(client) ?? new Map<string, { count: number; at: number }>();
    if (count > 0) servers.set(server, { count, at: this.#now() });
    else servers.delete(server);
    if (servers.size > 0) this.#elsewhere.set(client, servers);
    else this.#elsewhere.delete(client);
  }

  #leave(client: string): void {
    const count = this.#underWay.get(client)! - 1;
    if (count === 0) this.#underWay.delete(client);
    else this.#underWay.set(client, count);
  }

  #countElsewhere(client: string): number {
    const servers = this.#elsewhere.get(client);
    if (servers === undefined) return 0;
    const now = this.#now();
    for (const [server, { at }] of servers) if (now - at > FORGOTTEN_MS) this.note(server, client, 0);
    return [...servers.values()].reduce((sum, { count }) => sum + count, 0);
  }
}
