import { promisify } from 'node:util';
import { createZstdDecompress, type ZstdDecompress, zstdDecompress } from 'node:zlib';

/** What is larger gets room of its own. */
const SMALL_BYTES = 65_536;

const unpackAlone = promisify(zstdDecompress);

/**
 * Unpacks texts that were packed with zstd. Small ones go through one stream, one after another: a context for each would cost
 * more than unpacking, and its memory makes Node look for garbage in the whole process every forty questions.
 */
export class Unpacker {
  #stream: ZstdDecompress | undefined;
  #last: Promise<unknown> = Promise.resolve();

  /** Fails where the content is no text of so many bytes. */
  async unpack(content: Uint8Array, size: number): Promise<Buffer> {
    if (size > SMALL_BYTES) return this.#alone(content, size);
    const next = this.#last.then(() => this.#through(content, size));
    this.#last = next.catch(() => undefined);
    return next;
  }

  async #alone(content: Uint8Array, size: number): Promise<Buffer> {
    const text = await unpackAlone(content, { chunkSize: size + 1 });
    const error = misfit(text, size);
    if (error !== undefined) throw error;
    return text;
  }

  #through(content: Uint8Array, size: number): Promise<Buffer> {
    const stream = (this.#stream ??= createZstdDecompress({ chunkSize: 4 * SMALL_BYTES }).on('error', () => undefined));
    const pieces: Buffer[] = [];
    const take = (piece: Buffer) => pieces.push(piece);
    stream.on('data', take);
    return new Promise((resolve, reject) => {
      const end = (failed?: Error | null) => {
        stream.off('data', take).off('close', end);
        const text = pieces.length === 1 ? pieces[0]! : Buffer.concat(pieces);
        const isOver = stream.destroyed || stream.readableEnded;
        const error = stream.errored ?? failed ?? (isOver ? new Error('more follows its end') : misfit(text, size));
        if (error === undefined) return resolve(text);
        // What is left of it in the stream is not for the next text.
        this.#stream = undefined;
        stream.destroy();
        reject(error);
      };
      stream.on('close', end);
      stream.write(content, end);
    });
  }
}

function misfit(text: Buffer, size: number): Error | undefined {
  return text.length === size ? undefined : new Error(`a text of ${size} bytes was unpacked to ${text.length}`);
}
