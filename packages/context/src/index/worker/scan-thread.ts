import { availableParallelism } from 'node:os';
import type { Worker } from 'node:worker_threads';
import { startWorker } from '../../start-worker.ts';
import {
  type CompareMeaning,
  compareMeaning,
  meaningsOf,
  type ScannedSegment,
  scanSegment,
  tablesOf,
} from '../rank/file-meaning.ts';
import type { SegmentReader } from '../segment/segment-reader.ts';
import type { ScanMessage } from './scan-messages.ts';
import { MOST_PIECES, SharedWork } from './shared-work.ts';

/** A scan of the largest code bases takes a tenth of this; a thread that takes longer is not waited for again. */
const LIMIT_MS = 2_000;

interface Known extends ScannedSegment {
  id: number;
}

/**
 * Compares questions by meaning in a thread of its own, while the one that asks looks up words; then that one takes its share
 * of what is left. It does all of it for as long as the thread starts, which it does with the second question: many a process
 * asks only one.
 */
export class ScanThread {
  readonly #work = new SharedWork();
  readonly #known = new Map<SegmentReader, Known>();
  #worker: Worker | undefined;
  #lastId = 0;
  #questions = 0;
  #isAlone = availableParallelism() < 2;

  readonly compare: CompareMeaning = (segments, question) => {
    const alone = compareMeaning(segments, question);
    if (this.#isAlone || segments.length > MOST_PIECES || this.#questions++ === 0) return alone;
    this.#worker ??= this.#start();
    const round = this.#work.begin(LIMIT_MS);
    if (round === false) {
      this.#giveUp();
      return alone;
    }
    const known = segments.map(({ reader }) => this.#know(reader));
    // The largest first: the last ones should be small, so that nobody waits long for the other.
    const pieces = known.toSorted((one, other) => other.chunks.count - one.chunks.count);
    this.#tell({ round, segments: pieces.map(({ id }) => id), question: question.numbers });
    return () => {
      this.#work.help(round, pieces.length, (piece) => scanSegment(pieces[piece]!, question.numbers));
      if (this.#work.hasEnded(pieces.length, LIMIT_MS))
        return meaningsOf(
          segments,
          question,
          known.map(({ nearness }) => nearness),
        );
      this.#giveUp();
      return alone();
    };
  };

  /** What a reader that is closed has in memory is let go. */
  forget(reader: SegmentReader): void {
    const known = this.#known.get(reader);
    if (known === undefined) return;
    this.#known.delete(reader);
    this.#tell({ forget: known.id });
  }

  #know(reader: SegmentReader): Known {
    const tables = tablesOf(reader);
    const { chunks, paths, firstChunk } = tables;
    const before = this.#known.get(reader);
    if (before?.chunks === chunks && before.paths === paths) return before;
    this.forget(reader);
    const id = ++this.#lastId;
    const nearness = new Float32Array(new SharedArrayBuffer(reader.fileCount * Float32Array.BYTES_PER_ELEMENT));
    this.#tell({ know: { id, chunks: chunks.shared, paths: paths.shared, firstChunk, nearness } });
    const known = { ...tables, id, nearness };
    this.#known.set(reader, known);
    return known;
  }

  #start(): Worker {
    const worker = startWorker('scan-worker', import.meta.url, { workerData: this.#work.state });
    worker.unref();
    worker.on('error', () => this.#giveUp());
    worker.on('exit', () => this.#giveUp());
    return worker;
  }

  #tell(message: ScanMessage): void {
    this.#worker?.postMessage(message);
  }

  /** Whatever that thread still writes is not looked at again. */
  #giveUp(): void {
    this.#isAlone = true;
    this.#known.clear();
    void this.#worker?.terminate();
    this.#worker = undefined;
  }
}
