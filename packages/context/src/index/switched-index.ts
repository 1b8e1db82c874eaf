import type { CodeIndex } from './code-index.ts';
import type { Embedder } from './embedder/embedder.ts';

/**
 * The index with the vectors that are wanted now. When others are wanted, such as after a change of the configuration, another
 * index on the same segments takes over with the next call, and builds them anew. The one before is closed; what it was still
 * asked, the other one answers.
 */
export function switchedIndex(
  wanted: () => Embedder | undefined,
  open: (embedder: Embedder | undefined) => CodeIndex,
): CodeIndex {
  const start = () => {
    const embedder = wanted();
    return { index: open(embedder), space: embedder?.space };
  };
  let current = start();
  let isClosed = false;
  const closing = new Set<Promise<void>>();
  const end = (index: CodeIndex) => {
    const ended = index
      .close()
      .catch(() => {}) // What it could not write is stored.
      .finally(() => closing.delete(ended));
    closing.add(ended);
  };

  async function ask<Result>(call: (index: CodeIndex) => Promise<Result>): Promise<Result> {
    for (;;) {
      if (!isClosed && wanted()?.space !== current.space) {
        end(current.index);
        current = start();
      }
      const asked = current;
      try {
        return await call(asked.index);
      } catch (error) {
        // One that failed because it was closed is not the last word.
        if (asked === current) throw error;
      }
    }
  }

  return {
    add: (blobs) => ask((index) => index.add(blobs)),
    whenIndexed: (blobNames, signal) => ask((index) => index.whenIndexed(blobNames, signal)),
    whileAsked: (task) => ask((index) => index.whileAsked(task)),
    makeUp: (signal) => ask((index) => index.makeUp(signal)),
    indexLeftOver: () => ask((index) => index.indexLeftOver()),
    prepare: (view) => ask((index) => index.prepare(view)),
    search: (view, question, signal) => ask((index) => index.search(view, question, signal)),
    findSymbol: (view, name, limit, signal) => ask((index) => index.findSymbol(view, name, limit, signal)),
    forget: (blobNames) => ask((index) => index.forget(blobNames)),
    sweepFiles: () => ask((index) => index.sweepFiles()),
    async close() {
      isClosed = true;
      await current.index.close();
      await Promise.all(closing);
    },
  };
}
