import { getCompileCacheDir } from 'node:module';
import { Worker } from 'node:worker_threads';
import type { ReadablePage } from './html-to-markdown.ts';
import type { HtmlOrder } from './html-worker.ts';
import { stripTags } from './strip-tags.ts';

/** Half a megabyte of page takes about two seconds of work. */
const LIMIT_MS = 20_000;
const MEMORY_MB = 512;

/**
 * Makes a page readable in a thread of its own: a page can be built so that taking it apart needs minutes or all
 * memory, and neither may hold up the rest of the server. Where it does not succeed, the page's bare words are given.
 */
export async function readHtml(
  order: HtmlOrder,
  { signal, limitMs = LIMIT_MS }: { signal: AbortSignal; limitMs?: number },
): Promise<ReadablePage & { isPlain: boolean }> {
  signal.throwIfAborted();
  const cache = getCompileCacheDir();
  const worker = new Worker(
    new URL(`./html-worker${import.meta.url.endsWith('.ts') ? '.ts' : '.js'}`, import.meta.url),
    {
      workerData: order,
      // It needs nothing of this process's surroundings, and works on what a stranger wrote.
      env: cache === undefined ? {} : { NODE_COMPILE_CACHE: cache },
      resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB },
    },
  );
  const done = Promise.withResolvers<ReadablePage | undefined>();
  const giveUp = () => done.resolve(undefined);
  const timer = setTimeout(giveUp, limitMs);
  signal.addEventListener('abort', giveUp, { once: true });
  worker.once('message', (page: ReadablePage) => done.resolve(page));
  worker.once('error', giveUp);
  worker.once('exit', giveUp);
  try {
    const page = await done.promise;
    signal.throwIfAborted();
    return page === undefined ? { title: '', text: stripTags(order.html), isPlain: true } : { ...page, isPlain: false };
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', giveUp);
    // Not waited for: a thread stops when it comes to a place where it can be stopped.
    void worker.terminate();
  }
}
