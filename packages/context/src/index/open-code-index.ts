import { DragomanError } from '@dragoman/protocol';
import type { Store } from '@dragoman/server';
import type { Blob } from '../blob-server.ts';
import type { BlobView } from '../blob-view.ts';
import { startWorker } from '../start-worker.ts';
import type { BlobStore } from './blobs/blob-store.ts';
import { packNames } from './blobs/packed-names.ts';
import type { CodeIndex, Hit } from './code-index.ts';
import { SegmentStore } from './segment/segment-store.ts';
import type { SearchMethods, SegmentAsk } from './worker/search-worker.ts';
import { type IndexLog, SegmentWriter } from './worker/segment-writer.ts';
import { WorkerCalls } from './worker/worker-calls.ts';

export interface CodeIndexParts {
  /** Where segments are kept. It may be deleted at any time: what it held is built again from the stored blobs. */
  folder: string;
  store: Pick<Store, 'engine' | 'tables'>;
  blobs: BlobStore;
  log: IndexLog;
}

/** How long the thread that answers stays when nothing is asked. */
const SEARCH_IDLE_MS = 10 * 60_000;
/** Segments that turn out to be broken are dropped and the question asked again, so often. */
const MOST_BROKEN = 5;
/** How many blobs are looked at a time, among those that are in no segment. */
const UNINDEXED_BATCH = 1_000;

/** The index over stored blobs: one thread builds segments, another answers from them. Both start when they are needed. */
export function openCodeIndex({ folder, store, blobs, log }: CodeIndexParts): CodeIndex {
  const segments = new SegmentStore(folder, store);
  const writer = new SegmentWriter(segments, blobs, log);
  const knownViews = new Set<string>();
  const search = new WorkerCalls<SearchMethods>(() => startWorker('worker/search-worker', import.meta.url), {
    idleMs: SEARCH_IDLE_MS,
    ended: () => knownViews.clear(),
  });

  /** Asks the search thread; the view's names travel only when it does not know them. */
  async function ask(
    view: BlobView,
    call: (ask: SegmentAsk) => Promise<SearchMethods['search']['output']>,
    signal?: AbortSignal,
  ): Promise<Hit[]> {
    for (let broken = 0; broken < MOST_BROKEN;) {
      const ids = await segmentsFor(view, signal);
      const files = ids.map((id) => segments.fileOf(id));
      const writtenAt = new Map<string, number>();
      for (const id of ids) {
        const at = writer.writtenAt(id);
        if (at !== undefined) writtenAt.set(segments.fileOf(id), at);
      }
      const names = knownViews.has(view.key) ? undefined : packNames(view.blobNames);
      knownViews.add(view.key);
      const answer = await call({
        segments: files,
        writtenAt,
        view: { key: view.key, ...(names !== undefined && { names }) },
      });
      if ('hits' in answer) return answer.hits;
      if ('isUnknownView' in answer) knownViews.delete(view.key);
      else {
        broken++;
        await writer.dropBroken(answer.broken);
      }
    }
    throw new DragomanError('unavailable', 'The index cannot be read; see the log.');
  }

  /** The segments that together hold all of the view, once they do: a crash or a lost segment may have left blobs out. */
  async function segmentsFor(view: BlobView, signal: AbortSignal | undefined): Promise<string[]> {
    for (let round = 1; ; round++) {
      signal?.throwIfAborted();
      const { segments: rows, unindexed } = await segments.state(UNINDEXED_BATCH);
      const lost = unindexed.filter((name) => view.blobNames.has(name));
      for (let some = unindexed; some.length === UNINDEXED_BATCH;) {
        some = await blobs.unindexed(UNINDEXED_BATCH, some.at(-1));
        for (const name of some) if (view.blobNames.has(name)) lost.push(name);
      }
      if (lost.length === 0 || round > MOST_BROKEN) return rows.map(({ id }) => id);
      await writer.whenIndexed(lost, signal);
    }
  }

  return {
    add: (added: readonly Blob[]) => writer.add(added),
    whenIndexed: (blobNames, signal) => writer.whenIndexed(blobNames, signal),
    prepare: async (view) => void (await ask(view, (where) => search.call('prepare', where))),
    search: (view, { query, limit }, signal) =>
      ask(view, (where) => search.call('search', { ...where, query, limit }), signal),
    findSymbol: (view, name, limit, signal) =>
      ask(view, (where) => search.call('symbol', { ...where, name, limit }), signal),
    indexLeftOver: () => writer.indexLeftOver(),
    forget: () => writer.compact(),
    async close() {
      await writer.close();
      await search.close();
    },
  };
}
