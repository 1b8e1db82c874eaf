import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { openStore } from '@dragoman/server';
import { contextMigrations } from '../context-migrations.ts';
import type { Embedder } from '../index/embedder/embedder.ts';
import { SegmentStore } from '../index/segment/segment-store.ts';
import { type Context, openContext } from '../open-context.ts';
import { blobName } from '../sync/blob-name.ts';
import type { SyncLog } from '../sync/pipeline/sync-log.ts';
import { indexedContent } from './indexed-content.fixture.ts';

export const USER = 'usr_1';

const CONFIG = { retrieval: { engine: 'index', maxFileBytes: 1_048_576, keepUnusedDays: 30 } } as const;
const SILENT: SyncLog = { trace() {}, debug() {}, warn() {}, error() {} };

export interface House {
  context: Context;
  /** The files of the segments in force, newest first. */
  segments(): Promise<string[]>;
  /** Takes all segments out of force, as a process does that finds them broken. */
  dropSegments(): Promise<void>;
  close(): Promise<void>;
}

/** The whole context engine on a data folder, as a process of its own would open it. */
export async function openHouse(
  home: string,
  { watch = false, log = {}, embedder }: { watch?: boolean; log?: Partial<SyncLog>; embedder?: Embedder } = {},
): Promise<House> {
  mkdirSync(home, { recursive: true });
  const location = { databaseFile: join(home, 'dragoman.sqlite'), databaseUrl: undefined };
  const store = await openStore(location, { rooms: [contextMigrations] });
  const context = openContext({
    store,
    folder: home,
    config: () => CONFIG,
    log: { ...SILENT, ...log },
    watch,
    embedder: () => embedder,
  });
  const segments = new SegmentStore(join(home, 'index'), store);
  let isOpen = true;
  return {
    context,
    segments: async () => (await segments.list()).map(({ id }) => segments.fileOf(id)),
    async dropSegments() {
      for (const { id } of await segments.list()) await segments.drop(id);
    },
    async close() {
      if (!isOpen) return;
      isOpen = false;
      await context.close();
      await store.close();
    },
  };
}

/** The paths that each question about the folder as it is on disk is answered with, best first. */
export async function answersOf(
  { context }: House,
  root: string,
  questions: readonly string[],
): Promise<Record<string, string[]>> {
  const view = await context.workspaces.view(USER, root);
  const answers: Record<string, string[]> = {};
  for (const query of questions) {
    const hits = await context.engine.index.search(view, { query, limit: 10 });
    answers[query] = hits.map(({ path }) => path);
  }
  return answers;
}

/** What the index says about each file of the folder. */
export async function contentOf({ context, segments }: House, root: string): Promise<Record<string, string>> {
  const view = await context.workspaces.view(USER, root);
  await context.engine.index.search(view, { query: 'anything', limit: 1 }); // Whatever is broken is mended by that.
  return indexedContent(await segments(), view);
}

/** The names of all blobs in the house's view of the folder. */
export async function namesIn({ context }: House, root: string): Promise<string[]> {
  return [...(await context.workspaces.view(USER, root)).blobNames].sort();
}

/** The names that the files on disk should have. */
export function namesOnDisk(root: string): string[] {
  return pathsOnDisk(root)
    .map((path) => blobName(path, readFileSync(join(root, path))))
    .sort();
}

/** Every file below the folder but git's own. */
export function pathsOnDisk(root: string): string[] {
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1))
    .filter((path) => !path.startsWith('.git/'))
    .sort();
}
