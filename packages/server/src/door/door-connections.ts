import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** How long the body of a request may stand still while the server stops. */
const STILL_MS = 1_000;

/** The connections of a door, and what is being answered on each. */
export class DoorConnections {
  readonly #requests = new Map<Socket, Set<IncomingMessage>>();
  /** How much had come from those whose request was not whole, and since when it is no more. */
  readonly #still = new Map<Socket, { bytes: number; since: number }>();

  /** Knows those that are made from now on. */
  constructor(server: Server) {
    server.on('connection', (socket) => this.#begin(socket));
    server.on('request', (request, response) => this.#answer(request, response));
  }

  /** Ends those on which nothing is being answered, whether they had their answer or never asked for anything. */
  endIdle(now = performance.now()): void {
    for (const [socket, requests] of this.#requests)
      if (requests.size === 0 || this.#standsStill(socket, requests, now)) socket.destroy();
  }

  #begin(socket: Socket): void {
    this.#requests.set(socket, new Set());
    socket.once('close', () => {
      this.#requests.delete(socket);
      this.#still.delete(socket);
    });
  }

  #answer(request: IncomingMessage, response: ServerResponse): void {
    const requests = this.#requests.get(request.socket);
    requests?.add(request);
    response.once('close', () => requests?.delete(request));
  }

  #standsStill(socket: Socket, requests: ReadonlySet<IncomingMessage>, now: number): boolean {
    if ([...requests].some(({ complete }) => complete)) return false;
    const seen = this.#still.get(socket);
    if (seen?.bytes !== socket.bytesRead) this.#still.set(socket, { bytes: socket.bytesRead, since: now });
    return seen?.bytes === socket.bytesRead && now - seen.since >= STILL_MS;
  }
}
