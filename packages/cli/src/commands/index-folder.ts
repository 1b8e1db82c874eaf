import { existsSync, realpathSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { explainPath, type WorkspaceSync } from '@dragoman/context';
import { describeBuiltInFile } from '@dragoman/context/setup';
import { loadConfig } from '@dragoman/server/base';
import { isInside, namedFolder, workspaceRoot } from '../choose-folder.ts';
import { EXIT_CODES } from '../exit-code.ts';
import { formatTable } from '../format-table.ts';
import { howToRun, typedPath } from '../how-to-run.ts';
import { type CommonOptions, findPlaces, userPath } from '../load-setup.ts';
import { type LocalContext, withLocalContext } from '../open-local-context.ts';
import { ProgressLine } from '../progress-line.ts';
import { remoteServer } from '../remote-server.ts';
import { cleanPath } from '../terminal/clean-text.ts';
import { print, printError, printJson } from '../terminal/print.ts';

export interface IndexOptions extends CommonOptions {
  watch?: boolean;
  stats?: boolean;
  explain?: string;
  remove?: boolean;
  server?: string;
  token?: string;
  json?: boolean;
}

const LOOK_EVERY_MS = 3_000;

/** `dragoman index`: brings a folder's index up to date, follows it, or tells about it. */
export async function indexFolder(given: string | undefined, options: IndexOptions): Promise<void> {
  if (options.remove === true) return remove(given, options);
  const folder = namedFolder(given);
  if (options.explain !== undefined) return explain(folder, given !== undefined, options.explain, options);
  await withLocalContext(options, options.watch === true, async (local) => {
    const { context, userId, interrupted } = local;
    const root = given === undefined ? workspaceRoot(folder, await context.workspaces.list(userId)) : folder;
    const started = performance.now();
    const line = new ProgressLine();
    const { sync, close } = await openSync(local, root, options, line);
    try {
      await sync.refresh(interrupted.signal);
      if (options.server === undefined) await context.engine.index.makeUp(interrupted.signal);
      line.end();
      await report(local, root, sync, (performance.now() - started) / 1000, options);
      if (options.watch !== true) return;
      printError('Watching for changes. Press Ctrl-C to stop.');
      await follow(sync, interrupted.signal);
    } catch (error) {
      line.end();
      if (interrupted.signal.aborted) printError('Stopped. The next run continues from here.');
      throw error;
    } finally {
      await close();
    }
  });
}

/** Until the signal. A folder that cannot be watched, or is gone for a while, is looked at every few seconds instead. */
async function follow(sync: WorkspaceSync, signal: AbortSignal): Promise<void> {
  let told = '';
  while (!signal.aborted) {
    await setTimeout(LOOK_EVERY_MS, undefined, { signal }).catch(() => {});
    if (signal.aborted || sync.isWatching) continue;
    try {
      await sync.refresh(signal);
      told = '';
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      if (!signal.aborted && message !== told) printError(`dragoman: ${message}`);
      told = message;
    }
  }
}

async function openSync(
  { context, store, setup, log, userId }: LocalContext,
  root: string,
  options: IndexOptions,
  line: ProgressLine,
): Promise<{ sync: WorkspaceSync; close(): Promise<void> }> {
  if (options.server === undefined) {
    // Where nothing is new nobody would notice that nothing can be found.
    describeBuiltInFile();
    return { sync: await context.workspaces.open(userId, root, line.show), close: async () => {} };
  }
  const { openRemoteWorkspace } = await import('@dragoman/context/remote');
  return openRemoteWorkspace({
    store,
    userId,
    root,
    ...remoteServer(options.server, options.token),
    log,
    watch: options.watch === true,
    maxBlobBytes: setup.config.value.retrieval.maxFileBytes,
    extensions: setup.config.value.retrieval.extensions,
    onProgress: line.show,
  });
}

async function report(
  { context, userId }: LocalContext,
  root: string,
  sync: WorkspaceSync,
  seconds: number,
  options: IndexOptions,
): Promise<void> {
  const files = sync.view().blobNames.size;
  const { uploaded, uploadedBytes } = sync.progress;
  const leftOut = sync.rejections();
  const stored = options.server === undefined ? await context.engine.blobs.stats(userId) : undefined;
  const facts = { root, files, indexed: uploaded, bytes: uploadedBytes, seconds: Number(seconds.toFixed(2)), leftOut };
  if (options.json === true) {
    printJson(options.stats === true ? { ...facts, ...metricsOf(sync), stored } : facts);
    return;
  }
  const count = (value: number) => value.toLocaleString('en-US');
  const news =
    uploaded === 0
      ? 'no changes'
      : `${count(uploaded)} new or changed, ${(uploadedBytes / 1e6).toFixed(1)} MB, ${(uploadedBytes / 1e6 / seconds).toFixed(1)} MB/s`;
  print(
    `${cleanPath(root)}: ${count(files)} ${files === 1 ? 'file' : 'files'} indexed (${news}; ${seconds.toFixed(1)} s)`,
  );
  if (options.stats !== true) {
    if (uploaded > 0) print(`Ask: ${howToRun(`search${whereOptions(root, options)} "how are errors handled"`)}`);
    return;
  }
  const rows = leftOut.map(({ reason, count: times, example }) => [reason, count(times), example]);
  if (rows.length > 0) print(`\n${formatTable(['excluded because', 'count', 'example'], rows)}`);
  for (const { name, counters, timings } of [sync.pathMetrics, sync.metrics]) {
    const counts = Object.entries(counters).map(([counter, value]) => [counter, count(value)]);
    const times = Object.entries(timings).map(([timing, ms]) => [timing, `${count(Math.round(ms))} ms`]);
    print(`\n${formatTable([name, ''], [...counts, ...times])}`);
  }
  if (stored !== undefined)
    print(
      `\nStored in total: ${count(stored.blobs)} blobs, ${(stored.bytes / 1e6).toFixed(1)} MB of text in ${(stored.storedBytes / 1e6).toFixed(1)} MB`,
    );
}

function metricsOf({ pathMetrics, metrics }: WorkspaceSync) {
  return {
    paths: pathMetrics.counters,
    counters: metrics.counters,
    timings: { ...pathMetrics.timings, ...metrics.timings },
  };
}

/** What a question needs to be about this folder, asked from where the person is now. */
function whereOptions(root: string, { server }: IndexOptions): string {
  const here = userPath('.');
  const folder = existsSync(here) && isInside(realpathSync(here), root) ? '' : ` --dir ${typedPath(root)}`;
  return server === undefined ? folder : `${folder} --server ${server}`;
}

/** Also for a folder that is no longer there: its index still is. */
async function remove(given: string | undefined, options: IndexOptions): Promise<void> {
  const isGone = given !== undefined && !existsSync(userPath(given));
  const folder = isGone ? userPath(given) : namedFolder(given);
  await withLocalContext(options, false, async ({ context, userId }) => {
    const root = given === undefined ? workspaceRoot(folder, await context.workspaces.list(userId)) : folder;
    const isRemoved = await context.workspaces.remove(userId, root);
    if (options.json === true) printJson({ root, removed: isRemoved });
    else print(`${cleanPath(root)} ${isRemoved ? 'is no longer' : 'was not'} indexed.`);
    if (options.server !== undefined) printError('The other server removes its data after a while without requests.');
    if (!isRemoved) process.exitCode = EXIT_CODES.failed;
  });
}

/** Why a path is in the index or not, layer by layer. */
function explain(folder: string, isNamed: boolean, path: string, options: IndexOptions): void {
  const { maxFileBytes: maxBytes, extensions } = loadConfig(findPlaces(options).source).value.retrieval;
  const root = isNamed ? folder : workspaceRoot(folder, []);
  const inside = relative(root, meantPath(root, folder, path)).replaceAll('\\', '/');
  const { accepted, reason, leftOut, layers } = explainPath(root, inside, { maxBytes, extensions });
  if (options.json === true) {
    printJson({ root, path: inside, accepted, reason, leftOut, layers });
    return;
  }
  const about = leftOut === undefined || leftOut === inside ? '' : ` (because of ${cleanPath(leftOut)})`;
  print(`${cleanPath(inside === '' ? root : inside)}: ${cleanPath(reason)}${about}`);
  const rows = layers.map(({ layer, verdict, reason: why }) => [layer, verdict, why]);
  if (rows.length > 0) print(formatTable(['layer', 'verdict', 'reason'], rows));
}

/** Seen from where the person is or, where that is not in the folder, from the folder. */
function meantPath(root: string, folder: string, path: string): string {
  const fromFolder = resolve(folder, path);
  const inRoot = [userPath(path), fromFolder].map(realParent).filter((meant) => isInside(meant, root));
  return inRoot.find((meant) => existsSync(meant)) ?? inRoot[0] ?? fromFolder;
}

/** The root is a real path, so what is compared with it has to be. The last name stays: a link is left out as one. */
function realParent(path: string): string {
  return existsSync(dirname(path)) ? join(realpathSync(dirname(path)), basename(path)) : path;
}
