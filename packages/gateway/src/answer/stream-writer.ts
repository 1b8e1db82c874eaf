import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { FlowControl } from '../upstreams/upstream.ts';

/** Waits this long for a reader that takes nothing; then it counts as gone. */
const STALLED_READER_MS = 120_000;

/**
 * Writes a streamed answer: what the events of one read add up to leaves in one write, and a slow reader holds the
 * provider back.
 *
 * Node writes a chunk of an answer as three pieces, gathered until the end of the tick. That is a fifth of what a piece
 * of text costs here, so from the second chunk on the frame is put around it by hand and it goes to the socket whole.
 */
export class StreamWriter implements FlowControl {
  readonly #raw: ServerResponse;
  #pending = '';
  #hasBegun = false;

  constructor(raw: ServerResponse) {
    this.#raw = raw;
  }

  write = (text: string): void => {
    this.#pending = this.#pending === '' ? text : this.#pending + text;
  };

  /** Bytes that are passed on as they came. True asks for a pause. */
  writeBytes(bytes: Buffer): boolean {
    const socket = this.#framedSocket();
    if (socket === undefined) return !this.#raw.write(bytes);
    return !socket.write(`${bytes.length.toString(16)}\r\n${bytes.toString('latin1')}\r\n`, 'latin1');
  }

  afterRead(): boolean {
    if (this.#pending === '' || this.#raw.destroyed) return false;
    const text = this.#pending;
    this.#pending = '';
    const socket = this.#framedSocket();
    if (socket === undefined) return !this.#raw.write(text);
    const length = Buffer.byteLength(text);
    return !socket.write(`${length.toString(16)}\r\n${text}\r\n`, length === text.length ? 'latin1' : 'utf8');
  }

  /** An answer that waits behind another one on its connection has no socket yet; then its own events tell. */
  untilReady(): Promise<void> {
    const places = [this.#raw, ...(this.#raw.socket === null ? [] : [this.#raw.socket])];
    return new Promise((resolve) => {
      const go = () => {
        clearTimeout(stalled);
        for (const place of places) place.off('drain', go).off('close', go);
        resolve();
      };
      const stalled = setTimeout(() => this.#raw.destroy(), STALLED_READER_MS);
      for (const place of places) place.once('drain', go).once('close', go);
      if (this.#raw.destroyed) go();
    });
  }

  end(): void {
    this.afterRead();
    this.#raw.end();
  }

  /** The socket, where frames may be written to it: the head is out, and this answer is the one being sent. */
  #framedSocket(): Socket | undefined {
    if (!this.#hasBegun) {
      this.#hasBegun = true;
      return undefined;
    }
    return this.#raw.chunkedEncoding && this.#raw.socket !== null ? this.#raw.socket : undefined;
  }
}
