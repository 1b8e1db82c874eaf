import type { ShadowRepository } from './shadow-repository.ts';

/** A file's content in a state; undefined when it is no longer there to be read. */
interface Blob {
  name: string;
  content: Buffer | undefined;
}

/** Reads contents through one process, in the order asked for, one in memory at a time. */
export async function* readBlobs(
  shadow: ShadowRepository,
  names: readonly string[],
  signal?: AbortSignal,
): AsyncGenerator<Blob> {
  if (names.length === 0) return;
  const git = shadow.start(['cat-file', '--batch'], { input: `${names.join('\n')}\n`, signal });
  const ended = git.ended.then(
    () => undefined,
    (error: unknown) => error,
  );
  try {
    const bytes = new ByteQueue(git.stdout);
    for (const name of names) {
      const [found, , size] = (await bytes.line()).split(' ');
      if (found === name && size !== undefined) {
        const content = await bytes.take(Number(size));
        await bytes.take(1);
        yield { name, content };
      } else yield { name, content: undefined };
    }
  } catch (error) {
    git.stop();
    // How it ended says more than that bytes were missing.
    throw (await ended) ?? error;
  } finally {
    // Whoever read enough leaves it with things to say.
    git.stop();
    git.stdout.resume();
    await ended;
  }
}

/** Bytes of a stream, taken by line or by count. */
class ByteQueue {
  readonly #chunks: AsyncIterator<Buffer>;
  #rest: Buffer = Buffer.alloc(0);

  constructor(stream: AsyncIterable<Buffer>) {
    this.#chunks = stream[Symbol.asyncIterator]();
  }

  async line(): Promise<string> {
    for (;;) {
      const end = this.#rest.indexOf('\n');
      if (end >= 0) {
        const line = this.#rest.subarray(0, end).toString('latin1');
        this.#rest = this.#rest.subarray(end + 1);
        return line;
      }
      if (!(await this.#more())) throw new Error('git ended before all files were read.');
    }
  }

  async take(count: number): Promise<Buffer> {
    const pieces: Buffer[] = [];
    let missing = count;
    while (missing > 0) {
      if (this.#rest.length === 0 && !(await this.#more()))
        throw new Error(`git ended ${missing} bytes before the end of a file.`);
      const piece = this.#rest.subarray(0, missing);
      pieces.push(piece);
      missing -= piece.length;
      this.#rest = this.#rest.subarray(piece.length);
    }
    return pieces.length === 1 ? pieces[0]! : Buffer.concat(pieces);
  }

  async #more(): Promise<boolean> {
    const next = await this.#chunks.next();
    if (next.done === true) return false;
    this.#rest = this.#rest.length === 0 ? next.value : Buffer.concat([this.#rest, next.value]);
    return true;
  }
}
