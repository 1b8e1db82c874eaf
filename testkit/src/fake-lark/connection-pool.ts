import type { Server } from 'node:http';
import { type WebSocket, WebSocketServer } from 'ws';
import { hex } from './hex.ts';
import type { LarkState } from './lark-state.ts';
import { decodeFrame, encodeFrame } from './ws-frame.ts';

/** What came back for a frame: the code of the SDK's answer, and what the handler returned. */
export interface FrameAnswer {
  code: number;
  body: unknown;
}

/**
 * The long connections: the SDK asks for an address with a ticket, and opens a WebSocket there.
 *
 * Events go to one of them, as on the platform, where several connections of an app share the work.
 */
export class ConnectionPool {
  readonly clientConfig: Record<string, number>;
  readonly #state: LarkState;
  readonly #fragmentBytes: number;
  readonly #sockets = new Set<WebSocket>();
  readonly #tickets = new Set<string>();
  readonly #waiting = new Map<string, (answer: FrameAnswer) => void>();
  readonly #server = new WebSocketServer({ noServer: true });
  #url = '';
  #turn = 0;

  constructor(
    state: LarkState,
    options: { pingInterval: number; reconnectInterval: number; reconnectNonce: number; fragmentBytes: number },
  ) {
    this.#state = state;
    this.#fragmentBytes = options.fragmentBytes;
    this.clientConfig = {
      PingInterval: options.pingInterval,
      ReconnectCount: -1,
      ReconnectInterval: options.reconnectInterval,
      ReconnectNonce: options.reconnectNonce,
    };
  }

  get size(): number {
    return this.#sockets.size;
  }

  /** Connections come in on the same port as calls. */
  attach(http: Server, url: string): void {
    this.#url = url.replace('http', 'ws');
    http.on('upgrade', (request, socket, head) => {
      const ticket = new URL(request.url!, url).searchParams.get('ticket') ?? '';
      if (!this.#tickets.delete(ticket) || this.#state.access.isDisabled) {
        socket.end('HTTP/1.1 403 Forbidden\r\nhandshake-status: 514\r\nhandshake-msg: auth failed\r\n\r\n');
        return;
      }
      this.#server.handleUpgrade(request, socket, head, (connection) => this.#open(connection));
    });
  }

  /** An address that is good for one connection. */
  invite(): string {
    const ticket = hex(16);
    this.#tickets.add(ticket);
    return `${this.#url}/ws/v2?fpid=493&aid=552564&device_id=${this.#state.nextId()}&access_key=${hex(16)}&service_id=33554678&ticket=${ticket}`;
  }

  /** Sends an event over one connection; `undefined` when there is none, or no answer came in time. */
  async deliver(payload: string, timeoutMs: number): Promise<FrameAnswer | undefined> {
    const sockets = [...this.#sockets];
    const socket = sockets[this.#turn++ % Math.max(1, sockets.length)];
    if (socket === undefined) return undefined;
    const messageId = hex(16);
    const { promise, resolve } = Promise.withResolvers<FrameAnswer | undefined>();
    const timer = setTimeout(() => resolve(undefined), timeoutMs);
    const leave = (): void => resolve(undefined);
    socket.once('close', leave);
    this.#waiting.set(messageId, resolve);
    const bytes = Buffer.from(payload);
    const sum = Math.max(1, Math.ceil(bytes.length / this.#fragmentBytes));
    for (let seq = 0; seq < sum; seq += 1) {
      const headers = {
        type: 'event',
        message_id: messageId,
        sum: String(sum),
        seq: String(seq),
        trace_id: hex(16),
        timestamp: String(this.#state.now()),
      };
      const piece = bytes.subarray(seq * this.#fragmentBytes, (seq + 1) * this.#fragmentBytes);
      socket.send(
        encodeFrame({ seqId: BigInt(seq + 1), logId: 1n, service: 33554678, method: 1, headers, payload: piece }),
      );
    }
    const answer = await promise;
    clearTimeout(timer);
    socket.off('close', leave);
    this.#waiting.delete(messageId);
    return answer;
  }

  cut(): void {
    for (const socket of this.#server.clients) socket.terminate();
    this.#sockets.clear();
    this.#state.changed();
  }

  close(): void {
    this.cut();
    this.#server.close();
  }

  /** It counts from its first ping on: before that the SDK does not listen yet. */
  #open(socket: WebSocket): void {
    socket.on('error', () => {}); // `close` tells it.
    socket.on('close', () => {
      this.#sockets.delete(socket);
      this.#state.changed();
    });
    socket.on('message', (data: Buffer) => this.#hear(socket, data));
  }

  #hear(socket: WebSocket, data: Buffer): void {
    const frame = decodeFrame(data);
    if (frame.method === 0 && frame.headers['type'] === 'ping') {
      const payload = Buffer.from(JSON.stringify(this.clientConfig));
      socket.send(encodeFrame({ ...frame, headers: { type: 'pong' }, payload }));
      if (!this.#sockets.has(socket)) {
        this.#sockets.add(socket);
        this.#state.changed();
      }
    }
    const waiting = frame.method === 1 ? this.#waiting.get(frame.headers['message_id'] ?? '') : undefined;
    if (waiting === undefined) return;
    const answer = JSON.parse(Buffer.from(frame.payload).toString()) as { code: number; data?: string };
    waiting({
      code: answer.code,
      body: answer.data === undefined ? undefined : JSON.parse(Buffer.from(answer.data, 'base64').toString()),
    });
  }
}
