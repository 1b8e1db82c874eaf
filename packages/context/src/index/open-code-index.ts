import { DragomanError } from '@dragoman/protocol';
import type { Store } from '@dragoman/server';
import type { Blob } from '../blob-server.ts';
import type { BlobView } from '../blob-view.ts';
import { startWorker } from '../start-worker.ts';
import type { BlobStore } from './blobs/blob-store.ts';
import type { CodeIndex, Hit } from './code-index.ts';
import { SegmentStore } from './segment/segment-store.ts';
import type { SearchMethods, ViewMessage } from './worker/search-worker.ts';
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
/** A segment that turns out to be broken is dropped and the question asked again. */
const MOST_BROKEN = 20;

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
    call: (ask: { segments: string[]; view: ViewMessage }) => Promise<SearchMethods['search']['output']>,
  ): Promise<Hit[]> {
    for (let broken = 0; broken < MOST_BROKEN;) {
      const files = (await segments.list()).map(({ id }) => segments.fileOf(id));
      const names = knownViews.has(view.key) ? undefined : packNames(view.blobNames);
      knownViews.add(view.key);
      const answer = await call({ segments: files, view: { key: view.key, ...(names !== undefined && { names }) } });
      if ('hits' in answer) return answer.hits;
      if ('isUnknownView' in answer) knownViews.delete(view.key);
      else {
        broken++;
        const id = segments.idOf(answer.broken.segment);
        // One that was merged into another since the question began is not broken.
        if (!(await segments.list()).some((row) => row.id === id)) continue;
        log.warn(answer.broken, 'a piece of the index cannot be read and is built again');
        await segments.drop(id);
        await writer.indexLeftOver();
        await writer.whenAllIndexed();
      }
    }
    throw new DragomanError('unavailable', 'The index cannot be read; see the log.');
  }

  return {
    add: (added: readonly Blob[]) => writer.add(added),
    whenIndexed: (blobNames, signal) => writer.whenIndexed(blobNames, signal),
    prepare: async (view) => void (await ask(view, (where) => search.call('prepare', where))),
    search: (view, { query, limit }) => ask(view, (where) => search.call('search', { ...where, query, limit })),
    findSymbol: (view, name, limit) => ask(view, (where) => search.call('symbol', { ...where, name, limit })),
    forget: () => writer.compact(),
    async close() {
      await writer.close();
      await search.close();
    },
  };
}

function packNames(names: ReadonlySet<string>): Uint8Array {
  const bytes = Buffer.allocUnsafeSlow(names.size * 32);
  let at = 0;
  for (const name of names) at += bytes.write(name, at, 'hex');
  return bytes;
}
