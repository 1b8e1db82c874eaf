import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

/**
 * What becomes of the connections from before when a network is back: what was held up arrives after all, or nothing
 * ever comes through them again although nobody closes them, or they are reset.
 */
export type Healing = 'late' | 'lost' | 'reset';

/** A way to a port of this machine that can go dead. */
export interface CutProxy {
  url: string;
  /** From now on nothing passes in either direction, and nobody is told: connections stay open, new ones are accepted. */
  cut(): void;
  /** New connections work again; those from before as it is said. */
  heal(how: Healing): void;
  /** Ends connections at once, with a word to both ends or with a reset: those that are chosen. New ones work. Says how many it were. */
  drop(how: 'end' | 'reset', isChosen: () => boolean): number;
}

/** Opens a proxy to a port, which need not be listened on yet. */
export async function openCutProxy(targetPort: number): Promise<CutProxy> {
  const ways = new Set<Way>();
  const clients = new Set<Socket>();
  let isCut = false;
  const server = createServer((client) => {
    clients.add(client);
    client.once('close', () => clients.delete(client));
    const way = new Way(client, targetPort, () => ways.delete(way));
    ways.add(way);
    if (isCut) way.silence();
    else way.resume();
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  onTestFinished(async () => {
    for (const way of ways) way.reset();
    // A way is over when one end has left; the other one may stay as long as it likes.
    for (const client of clients) client.destroy();
    await new Promise((resolve) => server.close(resolve));
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    cut() {
      isCut = true;
      for (const way of ways) way.silence();
    },
    heal(how) {
      isCut = false;
      for (const way of ways) {
        if (how === 'late') way.resume();
        if (how === 'lost') way.lose();
        if (how === 'reset') way.reset();
      }
    },
    drop(how, isChosen) {
      const chosen = [...ways].filter(isChosen);
      for (const way of chosen) way[how]();
      return chosen.length;
    },
  };
}

/** One connection, of two sockets. While it is silent, neither end learns what the other one does. */
class Way {
  readonly #client: Socket;
  readonly #targetPort: number;
  readonly #onOver: () => void;
  #target: Socket | undefined;
  #isSilent = false;
  #isLost = false;
  /** An end that closed while nothing passed. */
  #closed: { other: () => Socket | undefined; hadError: boolean } | undefined;

  constructor(client: Socket, targetPort: number, onOver: () => void) {
    this.#client = client;
    this.#targetPort = targetPort;
    this.#onOver = onOver;
    this.#watch(client, () => this.#target);
  }

  silence(): void {
    this.#isSilent = true;
    this.#client.unpipe().pause();
    this.#target?.unpipe().pause();
  }

  resume(): void {
    if (this.#isLost) return;
    this.#isSilent = false;
    if (this.#closed !== undefined) return this.#passOn(this.#closed);
    if (this.#target === undefined) {
      this.#target = connect(this.#targetPort, '127.0.0.1');
      this.#watch(this.#target, () => this.#client);
    }
    this.#client.pipe(this.#target);
    this.#target.pipe(this.#client);
  }

  lose(): void {
    if (this.#isSilent) this.#isLost = true;
  }

  end(): void {
    this.#isSilent = this.#isLost = true;
    this.#client.destroySoon();
    this.#target?.destroySoon();
    this.#onOver();
  }

  reset(): void {
    this.#isSilent = this.#isLost = true;
    this.#client.resetAndDestroy();
    this.#target?.resetAndDestroy();
    this.#onOver();
  }

  #watch(socket: Socket, other: () => Socket | undefined): void {
    socket.setNoDelay(true);
    socket.on('error', () => {}); // `close` tells it.
    socket.on('close', (hadError) => {
      if (this.#isSilent) this.#closed ??= { other, hadError };
      else this.#passOn({ other, hadError });
    });
  }

  #passOn({ other, hadError }: { other: () => Socket | undefined; hadError: boolean }): void {
    if (hadError) other()?.resetAndDestroy();
    else other()?.end();
    this.#onOver();
  }
}
