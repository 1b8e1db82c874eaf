import type { Workplace } from '@dragoman/agent';

/** A workplace, and how everything that was opened for it is closed. */
export interface OpenedWorkplace {
  workplace: Workplace;
  close(): Promise<void>;
}

/** How workplaces are opened, and when one is out of date. */
export interface VisitedWorkplacesOptions {
  open: (folder: string) => Promise<OpenedWorkplace>;
  /** What a workplace takes up only when it is opened, as text: one of another text is opened anew. */
  version: () => string;
  idleMs?: number;
}

interface Visited {
  opened: Promise<OpenedWorkplace>;
  version: string;
  visitors: number;
  isLeft: boolean;
  isClosed: boolean;
  timer: NodeJS.Timeout | undefined;
}

const IDLE_MS = 5 * 60_000;

/**
 * The folders that somebody looks at in the console. One is opened with the first look and closed when nobody looked for
 * five minutes, so that the next look finds its MCP servers connected, and none of them stays for ever. Sessions have
 * workplaces of their own, which are neither waited for nor disturbed.
 */
export class VisitedWorkplaces {
  readonly #options: Required<VisitedWorkplacesOptions>;
  readonly #byFolder = new Map<string, Visited>();
  readonly #closing = new Set<Promise<void>>();

  constructor(options: VisitedWorkplacesOptions) {
    this.#options = { idleMs: IDLE_MS, ...options };
  }

  /** Looks at a folder, which stays open meanwhile. One that could not be opened is tried again with the next look. */
  async visit<Result>(folder: string, look: (workplace: Workplace) => Promise<Result>): Promise<Result> {
    const visited = this.#enter(folder);
    try {
      return await look((await visited.opened).workplace);
    } finally {
      this.#leave(folder, visited);
    }
  }

  /** Closes all of them, whoever looks: what waits for a server that starts does not wait any longer. */
  async close(): Promise<void> {
    for (const [folder, visited] of this.#byFolder) {
      this.#forget(folder, visited);
      this.#close(visited);
    }
    await Promise.all(this.#closing);
  }

  #enter(folder: string): Visited {
    const version = this.#options.version();
    let visited = this.#byFolder.get(folder);
    if (visited !== undefined && visited.version !== version) {
      this.#forget(folder, visited);
      visited = undefined;
    }
    if (visited === undefined) {
      const opened = this.#options.open(folder);
      visited = { opened, version, visitors: 0, isLeft: false, isClosed: false, timer: undefined };
      const failed = visited;
      opened.catch(() => this.#forget(folder, failed));
      this.#byFolder.set(folder, visited);
    }
    clearTimeout(visited.timer);
    visited.visitors += 1;
    return visited;
  }

  #leave(folder: string, visited: Visited): void {
    visited.visitors -= 1;
    if (visited.visitors > 0) return;
    if (visited.isLeft) this.#forget(folder, visited);
    else visited.timer = setTimeout(() => this.#forget(folder, visited), this.#options.idleMs).unref();
  }

  /** Nobody comes here any more; it is closed now, or with the last who is still here. */
  #forget(folder: string, visited: Visited): void {
    clearTimeout(visited.timer);
    visited.isLeft = true;
    if (this.#byFolder.get(folder) === visited) this.#byFolder.delete(folder);
    if (visited.visitors === 0) this.#close(visited);
  }

  #close(visited: Visited): void {
    if (visited.isClosed) return;
    visited.isClosed = true;
    const closing = visited.opened
      .then((opened) => opened.close())
      .catch(() => {}) // Who wanted to look was told.
      .finally(() => this.#closing.delete(closing));
    this.#closing.add(closing);
  }
}
