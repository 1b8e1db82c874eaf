import { join, resolve } from 'node:path';
import type { CodeSearch } from '@dragoman/protocol';
import type { Store } from '@dragoman/server';
import type { ContextConfig } from './config/context-config.ts';
import { BlobStore } from './index/blobs/blob-store.ts';
import { localBlobServer } from './index/blobs/local-blob-server.ts';
import { BlobsetStore } from './index/checkpoints/blobset-store.ts';
import { CheckpointStore } from './index/checkpoints/checkpoint-store.ts';
import { CommitSearch } from './index/commits/commit-search.ts';
import type { Embedder } from './index/embedder/embedder.ts';
import { openCodeIndex } from './index/open-code-index.ts';
import { switchedIndex } from './index/switched-index.ts';
import type { ContextEngine } from './routes/context-engine.ts';
import { contextHandlers } from './routes/context-handlers.ts';
import type { ContextHandler, ContextHandlers } from './routes/context-plugin.ts';
import { ripgrepHandlers } from './routes/ripgrep-handlers.ts';
import type { SyncLog } from './sync/pipeline/sync-log.ts';
import { WorkspaceStore } from './sync/workspace-store.ts';
import { explainedSearch, type ExplainedPlace } from './workspaces/explained-search.ts';
import { LocalWorkspaces } from './workspaces/local-workspaces.ts';
import { workspaceSearch } from './workspaces/workspace-search.ts';

export interface ContextOptions {
  store: Store;
  /** The data folder; segments are kept in `index` below it. */
  folder: string;
  config: () => ContextConfig;
  log: SyncLog;
  /** Whether workspaces follow changes by themselves: in a server, not in a command that asks once. */
  watch: boolean;
  /** What is open in the editors on this server. */
  editorFolders?: (() => readonly string[]) | undefined;
  /** What makes vectors of code and questions, as it is configured by then; the built-in ones are used where there is nothing. */
  embedder?: (() => Embedder | undefined) | undefined;
}

export interface Context {
  handlers: ContextHandlers;
  engine: ContextEngine;
  workspaces: LocalWorkspaces;
  /** One folder of a user, to be asked. */
  searchIn(userId: string, root: string): CodeSearch;
  /** The same places as `searchIn` finds, each with why it ranked. */
  explainIn(
    userId: string,
    root: string,
    question: { query: string; limit: number },
    signal?: AbortSignal,
  ): Promise<ExplainedPlace[]>;
  close(): Promise<void>;
}

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const FIRST_SWEEP_MS = 10 * 60_000;

/**
 * Puts the context engine together. Its threads start when there is something to index or to answer: where it stays, such
 * as in a server, that includes what an earlier process stored and did not come to index.
 */
export function openContext({ store, folder, config, log, watch, ...more }: ContextOptions): Context {
  const { embedder, editorFolders = () => [] } = more;
  const blobs = new BlobStore(store);
  const parts = { folder: join(folder, 'index'), store, blobs, log };
  const index = switchedIndex(
    () => embedder?.(),
    (wanted) => openCodeIndex({ ...parts, embedder: wanted, isStaying: watch }),
  );
  const checkpoints = new CheckpointStore(store, blobs);
  const maxBlobBytes = () => config().retrieval.maxFileBytes;
  const workspaces = new LocalWorkspaces({
    store: new WorkspaceStore(store),
    blobs,
    index,
    serverOf: (userId) => localBlobServer({ blobs, index, maxBlobBytes: maxBlobBytes() }, userId),
    log,
    watch,
    maxBlobBytes,
    extensions: () => config().retrieval.extensions,
    isShared: store.engine === 'postgres',
  });
  const engine: ContextEngine = {
    blobs,
    checkpoints,
    blobsets: new BlobsetStore(store),
    index,
    commits: new CommitSearch(),
    async workspaces(userId) {
      const known = await workspaces.listAll(userId);
      return known.map((workspace) => ({
        id: workspace.id,
        name: workspace.name,
        root: workspace.root,
        isHere: workspaces.isHere(workspace),
        view: (signal?: AbortSignal) => workspaces.viewOf(workspace, signal),
      }));
    },
    get maxBlobBytes() {
      return maxBlobBytes();
    },
    get extensions() {
      return config().retrieval.extensions;
    },
    get embeddingModel() {
      return config().retrieval.embedding?.model;
    },
  };
  if (watch)
    index
      .indexLeftOver()
      .catch((err: unknown) => log.warn({ err }, 'blobs that an earlier run left behind could not be indexed'));
  const daily = sweepEach(DAY_MS, log, async () => {
    await workspaces.touchAll();
    await checkpoints.sweep();
    await index.forget(await blobs.sweep({ unusedDays: config().retrieval.keepUnusedDays }));
  });
  const hourly = sweepEach(HOUR_MS, log, async () => {
    await workspaces.dropRemoved();
    await index.sweepFiles();
  });

  return {
    handlers: chosenHandlers(config, editorFolders, contextHandlers(engine, workspaces)),
    engine,
    workspaces,
    searchIn: (userId, root) => workspaceSearch(engine, (signal) => workspaces.view(userId, root, signal)),
    explainIn: async (userId, root, question, signal) =>
      explainedSearch(engine, await workspaces.view(userId, root, signal), question, signal),
    async close() {
      daily.stop();
      hourly.stop();
      await workspaces.close();
      await index.close();
    },
  };
}

/** The index answers, or ripgrep where the configuration says so at the moment of the request. */
function chosenHandlers(
  config: () => ContextConfig,
  editorFolders: () => readonly string[],
  indexed: ContextHandlers,
): ContextHandlers {
  const byRipgrep = ripgrepHandlers(() => {
    const { root = '.', editorFolders: isOfEditors = false } = config().retrieval;
    return isOfEditors ? editorFolders() : [resolve(root)];
  });
  const chosen = Object.entries(byRipgrep).map(([path, handler]): [string, ContextHandler] => [
    path,
    (request) =>
      config().retrieval.engine === 'ripgrep' ? handler(request) : indexed[path as keyof typeof byRipgrep](request),
  ]);
  return { ...indexed, ...Object.fromEntries(chosen) };
}

/** Only a process that stays gets to it; one that answers a question and ends does not pay for it. */
function sweepEach(everyMs: number, log: SyncLog, sweep: () => Promise<void>): { stop(): void } {
  let timer: NodeJS.Timeout;
  const next = (afterMs: number) => {
    timer = setTimeout(() => {
      sweep()
        .catch((err: unknown) => log.error({ err }, 'what is no longer used could not be deleted'))
        .finally(() => next(everyMs));
    }, afterMs);
    timer.unref();
  };
  next(FIRST_SWEEP_MS);
  return { stop: () => clearTimeout(timer) };
}
