import { DragomanError } from '@dragoman/protocol/error';
import type { Store } from '@dragoman/server';
import type { Blob } from '../blob-server.ts';
import type { BlobView } from '../blob-view.ts';
import { startWorker } from '../start-worker.ts';
import type { BlobStore } from './blobs/blob-store.ts';
import { packNames } from './blobs/packed-names.ts';
import type { CodeIndex, Hit } from './code-index.ts';
import type { Embedder } from './embedder/embedder.ts';
import { QuestionVectors } from './embedder/question-vectors.ts';
import { type SegmentRow, SegmentStore } from './segment/segment-store.ts';
import { ViewSegments } from './segment/view-segments.ts';
import { readBuiltInFile } from './vectors/built-in-file.ts';
import type { SearchMethods, SegmentAsk } from './worker/search-worker.ts';
import { type IndexLog, SegmentWriter } from './worker/segment-writer.ts';
import type { IndexThreadData } from './worker/vectors-in-use.ts';
import { WorkerCalls } from './worker/worker-calls.ts';

/** What an index stands on. */
export interface CodeIndexParts {
  /** Where segments are kept. It may be deleted at any time: what it held is built again from the stored blobs. */
  folder: string;
  store: Pick<Store, 'engine' | 'tables'>;
  blobs: BlobStore;
  log: IndexLog;
  /** Makes the vectors of code and questions; without it the built-in ones are used. */
  embedder?: Embedder | undefined;
  /** How long it is left alone after it failed. */
  embedderRestMs?: number;
  /** How long a question waits for its vector. */
  questionLimitMs?: number;
  /** How long a question waits for vectors of files that changed. */
  patienceMs?: number;
  /** Whether files that got no vectors get them later without being asked about, as in a process that stays. */
  isStaying?: boolean;
}

/** How long the thread that answers stays when nothing is asked. */
const SEARCH_IDLE_MS = 10 * 60_000;
/** Segments that turn out to be broken are dropped and the question asked again, so often. */
const MOST_BROKEN = 5;
/** How many blobs are looked at a time, among those that are in no segment. */
const UNINDEXED_BATCH = 1_000;

/** Newest first: the segments that a question needs, and all that are in force. */
interface FoundSegments {
  rows: SegmentRow[];
  inForce: SegmentRow[];
}

interface LostBlobs {
  /** Those of the view that are in no segment. */
  lost: string[];
  /** False where segments were replaced while they were looked for. */
  isCurrent: boolean;
}

/** The index over stored blobs: one thread builds segments, another answers from them. Both start when they are needed. */
export function openCodeIndex(parts: CodeIndexParts): CodeIndex {
  const { folder, store, blobs, log, embedder, embedderRestMs, questionLimitMs, patienceMs, isStaying } = parts;
  const segments = new SegmentStore(folder, store);
  const viewSegments = segments.isShared ? new ViewSegments(segments) : undefined;
  const writer = new SegmentWriter(segments, blobs, log, { embedder, embedderRestMs, patienceMs, isStaying });
  const questions =
    embedder &&
    new QuestionVectors(embedder, log, {
      limitMs: questionLimitMs,
      hasWaited: () => writer.hasKeptWaiting,
      answered: () => writer.providerAnswered(),
    });
  const workerData: IndexThreadData = { givenSpace: embedder?.space };
  const knownViews = new Set<string>();
  /** Dimensions of questions that files do not have, also where their vectors were made anew. */
  let misfit: number | undefined;
  const search = new WorkerCalls<SearchMethods>(
    () => startWorker('worker/search-worker', import.meta.url, { workerData }),
    {
      idleMs: SEARCH_IDLE_MS,
      ended: () => knownViews.clear(),
    },
  );

  /** One that is closed judges no segments: those that it cannot read may be another's. */
  const closing = new AbortController();
  const refuseClosed = () => closing.signal.throwIfAborted();

  /** Asks the search thread; the view's names travel only when it does not know them. */
  async function ask(
    view: BlobView,
    call: (ask: SegmentAsk, vector: Float32Array | undefined) => Promise<SearchMethods['search']['output']>,
    signal?: AbortSignal,
    question?: { query: string; vector: Promise<Float32Array | undefined> | undefined },
  ): Promise<Hit[]> {
    let hasRefitted = false;
    for (let broken = 0; broken < MOST_BROKEN;) {
      const { rows, inForce } = await segmentsFor(view, signal);
      const ids = rows.map(({ id }) => id);
      const made = await question?.vector;
      const vector = made?.length === misfit ? undefined : made;
      signal?.throwIfAborted();
      refuseClosed();
      await segments.fetch(ids, signal);
      writer.lookAfter(rows);
      const files = filesOf(ids);
      const writtenAt = new Map<string, number>();
      for (const id of ids) {
        const at = writer.writtenAt(id);
        if (at !== undefined) writtenAt.set(segments.fileOf(id), at);
      }
      const names = knownViews.has(view.key) ? undefined : packNames(view.blobNames);
      knownViews.add(view.key);
      const answer = await call(
        {
          segments: files,
          inForce: rows === inForce ? files : filesOf(inForce.map(({ id }) => id)),
          writtenAt,
          view: { key: view.key, ...(names !== undefined && { names }) },
        },
        vector,
      ).catch(blameVectors);
      if ('hits' in answer) {
        segments.foundWhole(ids);
        if (made !== undefined && vector === undefined) questions?.misfits(question!.query);
        return answer.hits;
      }
      if ('isUnknownView' in answer) knownViews.delete(view.key);
      else if ('misfits' in answer) {
        refuseClosed();
        // Either what makes vectors has changed under its name, and those of files are made anew, or it is in error.
        if (hasRefitted) misfit = vector?.length;
        else await writer.dropBroken(answer.misfits);
        hasRefitted = true;
      } else {
        refuseClosed();
        // Without the built-in vectors no segment can be opened, and nothing is wrong with any.
        readBuiltInFile();
        broken++;
        const lost = answer.broken.filter(({ segment }) => !segments.renew(segments.idOf(segment)));
        if (lost.length > 0) await writer.dropBroken(lost);
      }
    }
    throw new DragomanError('unavailable', 'The index cannot be read; see the log.');
  }

  const filesOf = (ids: readonly string[]) => ids.map((id) => segments.fileOf(id));

  /** The segments that together hold all of the view, once they do: a crash or a lost segment may have left blobs out. */
  async function segmentsFor(view: BlobView, signal: AbortSignal | undefined): Promise<FoundSegments> {
    for (let round = 1; ; round++) {
      signal?.throwIfAborted();
      const { lost, isCurrent, ...found } = await (viewSegments
        ? segmentsOfView(viewSegments, view)
        : allSegments(view));
      if ((lost.length === 0 && isCurrent) || round > MOST_BROKEN) return found;
      if (lost.length > 0) await writer.whileAsked(() => writer.whenIndexed(lost, signal));
    }
  }

  /** Where other servers write segments, too, only those that hold the view are fetched and opened. */
  async function segmentsOfView(known: ViewSegments, view: BlobView): Promise<FoundSegments & LostBlobs> {
    const inForce = await segments.list();
    const { rows, unplaced, isCurrent } = await known.of(view, inForce);
    const lost = unplaced.length === 0 ? [] : await blobs.unindexedAmong(unplaced);
    return { rows, inForce, lost, isCurrent };
  }

  async function allSegments(view: BlobView): Promise<FoundSegments & LostBlobs> {
    const { segments: rows, unindexed } = await segments.state(UNINDEXED_BATCH);
    const lost = unindexed.filter((name) => view.blobNames.has(name));
    for (let some = unindexed; some.length === UNINDEXED_BATCH;) {
      some = await blobs.unindexed(UNINDEXED_BATCH, some.at(-1));
      for (const name of some) if (view.blobNames.has(name)) lost.push(name);
    }
    return { rows, inForce: rows, lost, isCurrent: true };
  }

  return {
    add: (added: readonly Blob[]) => writer.add(added),
    whenIndexed: (blobNames, signal) => writer.whenIndexed(blobNames, signal),
    prepare: async (view) => void (await ask(view, (where) => search.call('prepare', where))),
    search: (view, { query, limit, isExplained = false }, signal) =>
      ask(view, (where, vector) => search.call('search', { ...where, query, limit, isExplained, vector }), signal, {
        query,
        // It is made while the index takes in what it has not yet.
        vector: questions?.of(query, signal ? AbortSignal.any([signal, closing.signal]) : closing.signal),
      }),
    findSymbol: (view, name, limit, signal) =>
      ask(view, (where) => search.call('symbol', { ...where, name, limit }), signal),
    whileAsked: (task) => writer.whileAsked(task),
    indexLeftOver: () => writer.indexLeftOver(),
    makeUp: (signal) => writer.makeUp(signal),
    forget: () => writer.compact(),
    sweepFiles: () => writer.sweepFiles(),
    async close() {
      closing.abort(new DragomanError('cancelled', 'The index is closed.'));
      await writer.close();
      await search.close();
    },
  };
}

/** What goes wrong for want of the built-in vectors says so. */
function blameVectors(error: unknown): never {
  readBuiltInFile();
  throw error;
}
