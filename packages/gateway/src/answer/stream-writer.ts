import type { ServerResponse } from 'node:http';
import type { FlowControl } from '../upstreams/upstream.ts';

/** Waits this long for a reader that takes nothing; then it counts as gone. */
const STALLED_READER_MS = 120_000;

/**
 * Writes a streamed answer to the raw response: what the events of one read add up to leaves in one write, and a slow
 * reader holds the provider back.
 */
export class StreamWriter implements FlowControl {
  readonly #raw: ServerResponse;
  #pending = '';
  bytes = 0;

  constructor(raw: ServerResponse) {
    this.#raw = raw;
  }

  write = (text: string): void => {
    this.#pending = this.#pending === '' ? text : this.#pending + text;
  };

  afterRead(): boolean {
    if (this.#pending === '' || this.#raw.destroyed) return false;
    const text = this.#pending;
    this.#pending = '';
    this.bytes += text.length;
    return !this.#raw.write(text);
  }

  untilReady(): Promise<void> {
    return new Promise((resolve) => {
      const go = () => {
        clearTimeout(stalled);
        this.#raw.off('drain', go);
        this.#raw.off('close', go);
        resolve();
      };
      const stalled = setTimeout(() => this.#raw.destroy(), STALLED_READER_MS);
      this.#raw.once('drain', go);
      this.#raw.once('close', go);
    });
  }

  end(): void {
    this.afterRead();
    this.#raw.end();
  }
}
