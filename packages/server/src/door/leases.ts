import { SETTINGS_ROUTES } from '@dragoman/protocol/routes';
import type { FastifyInstance } from 'fastify';
import { openEventStream } from './event-stream.ts';

/**
 * Who holds the server open: the windows of an editor, each with one request that lasts as long as the window.
 *
 * A window may be killed at any moment and nobody tells, but the system closes its connections; so what counts is a
 * connection, and not a word at the end.
 */
export class Leases {
  readonly #idle = Promise.withResolvers<void>();
  /** The folders that are open in each window. */
  readonly #open = new Set<readonly string[]>();
  #idleMs: number | undefined;
  #timer: NodeJS.Timeout | undefined;

  /** Begins a lease of a window with these folders in it; the function given back ends it. */
  enter(folders: readonly string[] = []): () => void {
    const lease = [...folders];
    this.#open.add(lease);
    clearTimeout(this.#timer);
    return () => {
      if (this.#open.delete(lease)) this.#await();
    };
  }

  /** What is open in the windows now, each folder once. */
  folders(): string[] {
    return [...new Set([...this.#open].flat())];
  }

  /** Resolves when no lease was open for that long, from now on. */
  untilIdle(idleMs: number): Promise<void> {
    this.#idleMs = idleMs;
    this.#await();
    return this.#idle.promise;
  }

  #await(): void {
    clearTimeout(this.#timer);
    if (this.#idleMs === undefined || this.#open.size > 0) return;
    this.#timer = setTimeout(() => this.#idle.resolve(), this.#idleMs).unref();
  }
}

/** `GET /api/lease`: nothing but a comment from time to time, for as long as the client stays. */
export function leaseRoute(door: FastifyInstance, leases: Leases): void {
  const { path, access } = SETTINGS_ROUTES.holdLease;
  door.get(path, { config: { access }, exposeHeadRoute: false }, async (request, reply) => {
    const isPlain = Object.keys(request.query as object).length === 0;
    const folders = isPlain ? [] : (await import('./lease-folders.ts')).leaseFolders(request);
    const { signal } = openEventStream(request, reply, { isEndless: true });
    if (!signal.aborted) signal.addEventListener('abort', leases.enter(folders), { once: true });
  });
}
