import { resolve } from 'node:path';
import type { AgentConfig } from '../config/agent-config-shape.ts';
import type { Workplace } from './workplace.ts';

type OwnServers = AgentConfig['mcp'];

/**
 * The workplaces of a process. Sessions in one folder share one; a session that comes with MCP servers of its own has one of
 * its own, which its tasks share and which ends with the last of them.
 */
export class Workplaces {
  readonly #open: (cwd: string, mcp: OwnServers) => Promise<Workplace>;
  readonly #byFolder = new Map<string, Promise<Workplace>>();
  readonly #shared = new Set<Workplace>();
  /** By the session that works there. */
  readonly #own = new Map<string, Workplace>();

  constructor(open: (cwd: string, mcp: OwnServers) => Promise<Workplace>) {
    this.#open = open;
  }

  /** The one that all sessions of a folder share. One that could not be opened is tried again. */
  at(cwd: string): Promise<Workplace> {
    const folder = resolve(cwd);
    let known = this.#byFolder.get(folder);
    if (known === undefined) {
      known = this.#open(folder, {});
      known.then(
        (workplace) => this.#shared.add(workplace),
        () => this.#byFolder.delete(folder),
      );
      this.#byFolder.set(folder, known);
    }
    return known;
  }

  /** Where a session begins to work, with servers of its own or as the task of another one. */
  async choose(
    cwd: string,
    { mcp = {}, parentID }: { mcp?: OwnServers | undefined; parentID: string | undefined },
  ): Promise<Workplace> {
    if (Object.keys(mcp).length > 0) return this.#open(resolve(cwd), mcp);
    return (parentID === undefined ? undefined : this.#own.get(parentID)) ?? this.at(cwd);
  }

  /** A session works here from now on. */
  enter(sessionID: string, workplace: Workplace): void {
    if (!this.#shared.has(workplace)) this.#own.set(sessionID, workplace);
  }

  /** Where a session works. */
  async of(sessionID: string, cwd: string): Promise<Workplace> {
    return this.#own.get(sessionID) ?? this.at(cwd);
  }

  /** A session works here no more. A workplace that nobody shares is closed with its last session. */
  async leave(sessionID: string, workplace: Workplace): Promise<void> {
    workplace.forget(sessionID);
    this.#own.delete(sessionID);
    await this.closeUnused(workplace);
  }

  /** Closes a workplace that was opened for a session which never began. */
  async closeUnused(workplace: Workplace): Promise<void> {
    if (!this.#shared.has(workplace) && ![...this.#own.values()].includes(workplace)) await workplace.close();
  }

  /** Closes those that are shared; the others end with their sessions. */
  async close(): Promise<void> {
    await Promise.all([...this.#byFolder.values()].map(async (workplace) => (await workplace).close()));
  }
}
