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
  #open = 0;
  #idleMs: number | undefined;
  #timer: NodeJS.Timeout | undefined;

  /** Begins a lease; the function given back ends it. */
  enter(): () => void {
    this.#open += 1;
    clearTimeout(this.#timer);
    let isOpen = true;
    return () => {
      if (!isOpen) return;
      isOpen = false;
      this.#open -= 1;
      this.#await();
    };
  }

  /** Resolves when no lease was open for that long, from now on. */
  untilIdle(idleMs: number): Promise<void> {
    this.#idleMs = idleMs;
    this.#await();
    return this.#idle.promise;
  }

  #await(): void {
    clearTimeout(this.#timer);
    if (this.#idleMs === undefined || this.#open > 0) return;
    this.#timer = setTimeout(() => this.#idle.resolve(), this.#idleMs).unref();
  }
}

/** `GET /api/lease`: nothing but a comment from time to time, for as long as the client stays. */
export function leaseRoute(door: FastifyInstance, leases: Leases): void {
  const { path, access } = SETTINGS_ROUTES.holdLease;
  door.get(path, { config: { access }, exposeHeadRoute: false }, (request, reply) => {
    const { signal } = openEventStream(request, reply, { isEndless: true });
    if (!signal.aborted) signal.addEventListener('abort', leases.enter(), { once: true });
  });
}
