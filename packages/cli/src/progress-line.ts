import type { SyncProgress } from '@dragoman/context';
import { rawError } from './terminal/print.ts';

const EVERY_MS = 100;

/** One line on a terminal that tells how far an index is. Elsewhere it says nothing: a log wants the result. */
export class ProgressLine {
  readonly #stream: NodeJS.WriteStream;
  readonly #startedAt = performance.now();
  #shownAt = 0;
  #hasShown = false;
  #isOver = false;

  constructor(stream: NodeJS.WriteStream = rawError) {
    this.#stream = stream;
  }

  readonly show = (progress: SyncProgress): void => {
    if (this.#isOver || !this.#stream.isTTY || performance.now() - this.#shownAt < EVERY_MS) return;
    this.#shownAt = performance.now();
    this.#hasShown = true;
    const line = describeProgress(progress, (this.#shownAt - this.#startedAt) / 1000);
    this.#stream.write(`\r\u001B[K${line.slice(0, (this.#stream.columns || 80) - 1)}`);
  };

  /** Makes room for the result; nothing is shown after it. */
  end(): void {
    if (this.#hasShown && !this.#isOver) this.#stream.write('\r\u001B[K');
    this.#isOver = true;
  }
}

const BAR_WIDTH = 16;

/** `[======          ] 1,200 of 3,000 files · 12.0 MB · 24.0 MB/s · 2 s left` */
export function describeProgress(progress: SyncProgress, seconds: number): string {
  const { isScanning, files, bytes, uploadedBytes, taken, remaining } = progress;
  const count = (value: number) => value.toLocaleString('en-US');
  const megabytes = (value: number) => `${(value / 1e6).toFixed(1)} MB`;
  if (taken === 0) return `scanning files: ${count(files)} · ${megabytes(bytes)}`;
  const done = taken - remaining;
  const share = done / taken;
  const filled = Math.floor(share * BAR_WIDTH);
  const bar = `[${'='.repeat(filled)}${' '.repeat(BAR_WIDTH - filled)}]`;
  const speed = `${megabytes(uploadedBytes / Math.max(seconds, 0.001))}/s`;
  const left = isScanning || done === 0 ? '' : ` · ${timeLeft((seconds * remaining) / done)}`;
  return `${bar} ${count(done)} of ${count(taken)} files${isScanning ? ' so far' : ''} · ${megabytes(uploadedBytes)} · ${speed}${left}`;
}

function timeLeft(seconds: number): string {
  return seconds < 100 ? `${Math.ceil(seconds)} s left` : `${Math.ceil(seconds / 60)} min left`;
}
