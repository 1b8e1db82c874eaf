import { createWriteStream, mkdirSync, type WriteStream } from 'node:fs';
import { join } from 'node:path';
import { readableOutput } from './readable-output.ts';

/** How much of an output is kept where. */
export interface OutputLimits {
  /** More than this is not shown whole, and goes into a file. */
  maxBytes: number;
  maxLines: number;
  /** More than this is not even kept in the file: a command that never stops printing must not fill the disk. */
  maxFileBytes: number;
}

/** The limits where nothing else is said. */
const OUTPUT_LIMITS: OutputLimits = { maxBytes: 50 * 1024, maxLines: 2000, maxFileBytes: 64 * 1024 * 1024 };

/** Of what is shown of a long output, how much comes from its beginning. */
const HEAD_SHARE = 0.2;

interface SpilledFile {
  path: string;
  stream?: WriteStream;
  error?: Error;
}

/** Where an output goes that is too long, and how long that is. */
export interface OutputKeeperOptions {
  folder: string;
  /** Of the file, without its ending. */
  name: string;
  limits?: Partial<OutputLimits>;
}

/**
 * Takes what a command prints, however much it is, in bounded memory.
 *
 * A short output is kept whole. Of a long one the first and the last bytes are kept, and all of it goes into a file.
 * Whoever feeds it stops while `add` says false, until `onDrain` is called.
 */
export class OutputKeeper {
  readonly #options: OutputKeeperOptions;
  readonly #limits: OutputLimits;
  readonly #headBytes: number;
  #head = Buffer.alloc(0);
  #tail: Buffer[] = [];
  #tailBytes = 0;
  #lines = 0;
  #file: SpilledFile | undefined;
  totalBytes = 0;
  onDrain: () => void = () => {};

  constructor(options: OutputKeeperOptions) {
    this.#options = options;
    this.#limits = { ...OUTPUT_LIMITS, ...options.limits };
    this.#headBytes = Math.floor(this.#limits.maxBytes * HEAD_SHARE);
  }

  /** The file that holds everything, where there is one. */
  get file(): string | undefined {
    return this.#file === undefined || this.#file.error !== undefined ? undefined : this.#file.path;
  }

  /** Whether it is more than is shown. */
  get isLong(): boolean {
    return this.#file !== undefined;
  }

  add(chunk: Buffer): boolean {
    this.totalBytes += chunk.length;
    for (let at = chunk.indexOf(10); at !== -1; at = chunk.indexOf(10, at + 1)) this.#lines++;
    if (this.#file !== undefined) {
      this.#keepTail(chunk);
      return this.#write(chunk);
    }
    this.#tail.push(chunk);
    this.#tailBytes += chunk.length;
    return this.totalBytes <= this.#limits.maxBytes && this.#lines <= this.#limits.maxLines ? true : this.#overflow();
  }

  /** What the model reads: everything, or the two ends with a line between them that says where the rest is. */
  text(): string {
    const tail = Buffer.concat(this.#tail);
    if (this.#file === undefined) return readableOutput(tail);
    const maxHeadLines = Math.floor(this.#limits.maxLines * HEAD_SHARE);
    const head = firstLines(readableOutput(this.#head, { isCutAtEnd: true }), maxHeadLines);
    const end = lastLines(
      readableOutput(tail.subarray(Math.max(0, tail.length - this.#limits.maxBytes + this.#headBytes)), {
        isCutAtStart: true,
      }),
      this.#limits.maxLines - maxHeadLines,
    );
    return `${head}\n\n[… ${this.#notice()} …]\n\n${end}`;
  }

  /** The last characters, for a screen. */
  preview(maxChars: number): string {
    const last = this.#last(maxChars * 2);
    const text = readableOutput(last, { isCutAtStart: last.length < this.totalBytes });
    return text.length > maxChars ? text.slice(-maxChars) : text;
  }

  /** What came after the first `from` bytes; what is no longer kept of it is counted. */
  since(from: number): { text: string; missedBytes: number } {
    const wanted = this.totalBytes - from;
    const kept = this.#last(Math.min(wanted, this.#limits.maxBytes));
    const missedBytes = wanted - kept.length;
    return { text: readableOutput(kept, { isCutAtStart: missedBytes > 0 }), missedBytes };
  }

  /** Resolves when the file is complete. */
  async close(): Promise<void> {
    const stream = this.#file?.stream;
    if (stream === undefined || stream.closed) return;
    await new Promise<void>((resolve) => {
      stream.once('close', resolve);
      stream.end();
    });
  }

  #notice(): string {
    const { maxFileBytes } = this.#limits;
    const size = `the output has ${this.totalBytes} bytes and ${this.#lines} lines; what stood here was left out`;
    if (this.file === undefined) return `${size} and could not be kept: ${this.#file?.error?.message ?? 'no file'}`;
    const part = this.totalBytes > maxFileBytes ? `its first ${maxFileBytes} bytes are` : 'all of it is';
    return `${size}, and ${part} in ${this.file}, to be searched with grep or read in parts`;
  }

  #overflow(): boolean {
    const { folder, name } = this.#options;
    const path = join(folder, `${name}.txt`);
    const file: SpilledFile = { path };
    this.#file = file;
    try {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      file.stream = createWriteStream(path, { mode: 0o600 });
      file.stream.on('drain', () => this.onDrain());
      file.stream.on('error', (error) => {
        file.error = error;
        this.onDrain();
      });
    } catch (error) {
      file.error = error as Error;
    }
    const all = Buffer.concat(this.#tail);
    this.#head = Buffer.from(all.subarray(0, this.#headBytes));
    this.#tail = [];
    this.#tailBytes = 0;
    this.#keepTail(all);
    return this.#write(all);
  }

  #keepTail(chunk: Buffer): void {
    const { maxBytes } = this.#limits;
    this.#tail.push(chunk.length > maxBytes ? Buffer.from(chunk.subarray(-maxBytes)) : chunk);
    this.#tailBytes += Math.min(chunk.length, maxBytes);
    while (this.#tailBytes - this.#tail[0]!.length >= maxBytes) this.#tailBytes -= this.#tail.shift()!.length;
  }

  #write(chunk: Buffer): boolean {
    const file = this.#file!;
    const room = this.#limits.maxFileBytes - (this.totalBytes - chunk.length);
    if (file.stream === undefined || file.error !== undefined || room <= 0) return true;
    return file.stream.write(chunk.length > room ? chunk.subarray(0, room) : chunk);
  }

  #last(bytes: number): Buffer {
    const all = Buffer.concat(this.#tail);
    return all.subarray(Math.max(0, all.length - bytes));
  }
}

function firstLines(text: string, count: number): string {
  const lines = text.split('\n');
  return lines.length <= count ? text : lines.slice(0, count).join('\n');
}

function lastLines(text: string, count: number): string {
  const lines = text.split('\n');
  return lines.length <= count ? text : lines.slice(-count).join('\n');
}
