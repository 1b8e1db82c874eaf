import { relative } from 'node:path';
import { explainPath, type WorkspaceSync } from '@dragoman/context';
import { namedFolder, workspaceRoot } from '../choose-folder.ts';
import { formatTable } from '../format-table.ts';
import { howToRun } from '../how-to-run.ts';
import { type CommonOptions, findPlaces, userPath } from '../load-setup.ts';
import { commandLog, type LocalContext, withLocalContext } from '../open-local-context.ts';
import { ProgressLine } from '../progress-line.ts';
import { remoteToken } from '../remote-token.ts';
import { loadConfig } from '@dragoman/server';

export interface IndexOptions extends CommonOptions {
  watch?: boolean;
  stats?: boolean;
  explain?: string;
  remove?: boolean;
  server?: string;
  token?: string;
  json?: boolean;
}

/** `dragoman index`: brings a folder's index up to date, follows it, or tells about it. */
export async function indexFolder(given: string | undefined, options: IndexOptions): Promise<void> {
  const folder = namedFolder(given);
  if (options.explain !== undefined) return explain(folder, options.explain, options);
  await withLocalContext(options, options.watch === true, async (local) => {
    const root =
      given === undefined ? workspaceRoot(folder, await local.context.workspaces.list(local.userId)) : folder;
    if (options.remove === true) return remove(local, root, options);
    const started = performance.now();
    const line = new ProgressLine();
    const { sync, close } = await openSync(local, root, options, line);
    const interrupted = untilInterrupted();
    try {
      await Promise.race([sync.refresh(interrupted.signal), interrupted.promise]);
      line.clear();
      if (interrupted.signal.aborted) return;
      await report(local, root, sync, (performance.now() - started) / 1000, options);
      if (options.watch !== true) return;
      process.stderr.write('Following changes; Ctrl-C ends it.\n');
      await interrupted.promise;
    } finally {
      line.clear();
      await close();
    }
  });
}

async function openSync(
  { context, store, setup, userId }: LocalContext,
  root: string,
  options: IndexOptions,
  line: ProgressLine,
): Promise<{ sync: WorkspaceSync; close(): Promise<void> }> {
  if (options.server === undefined)
    return { sync: await context.workspaces.open(userId, root, line.show), close: async () => {} };
  const { openRemoteWorkspace } = await import('@dragoman/context/remote');
  return openRemoteWorkspace({
    store,
    userId,
    root,
    url: options.server,
    token: remoteToken(options),
    log: commandLog,
    watch: options.watch === true,
    maxBlobBytes: setup.config.value.retrieval.maxFileBytes,
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
    process.stdout.write(`${JSON.stringify(options.stats === true ? { ...facts, stored } : facts)}\n`);
    return;
  }
  const count = (value: number) => value.toLocaleString('en-US');
  const news =
    uploaded === 0
      ? 'nothing had changed'
      : `${count(uploaded)} new or changed, ${(uploadedBytes / 1e6).toFixed(1)} MB, ${(uploadedBytes / 1e6 / seconds).toFixed(1)} MB/s`;
  process.stdout.write(`${root}: ${count(files)} files to be found (${news}; ${seconds.toFixed(1)} s)\n`);
  if (options.stats !== true) {
    if (uploaded > 0) process.stdout.write(`Ask: ${howToRun('search "how are errors handled"')}\n`);
    return;
  }
  const rows = leftOut.map(({ reason, count: times, example }) => [reason, count(times), example]);
  if (rows.length > 0) process.stdout.write(`\n${formatTable(['left out because', 'times', 'for example'], rows)}\n`);
  const metrics = Object.entries(sync.metrics.counters).map(([name, value]) => [name, count(value)]);
  process.stdout.write(`\n${formatTable(['File metrics', ''], metrics)}\n`);
  if (stored !== undefined)
    process.stdout.write(
      `\nStored for you, in all folders: ${count(stored.blobs)} blobs, ${(stored.bytes / 1e6).toFixed(1)} MB of text in ${(stored.storedBytes / 1e6).toFixed(1)} MB\n`,
    );
}

async function remove({ context, userId }: LocalContext, root: string, options: IndexOptions): Promise<void> {
  const isRemoved = await context.workspaces.remove(userId, root);
  if (options.json === true) process.stdout.write(`${JSON.stringify({ root, removed: isRemoved })}\n`);
  else process.stdout.write(isRemoved ? `${root} is no longer indexed.\n` : `${root} was not indexed.\n`);
  if (!isRemoved) process.exitCode = 1;
}

/** Why a path is in the index or not, layer by layer. */
function explain(folder: string, path: string, options: IndexOptions): void {
  const config = loadConfig(findPlaces(options).source).value;
  const root = workspaceRoot(folder, []);
  const inside = relative(root, userPath(path)).replaceAll('\\', '/');
  const { accepted, reason, leftOut, layers } = explainPath(root, inside, { maxBytes: config.retrieval.maxFileBytes });
  if (options.json === true) {
    process.stdout.write(`${JSON.stringify({ root, path: inside, accepted, reason, leftOut, layers })}\n`);
    return;
  }
  const about = leftOut === undefined || leftOut === inside ? '' : ` (because of ${leftOut})`;
  process.stdout.write(`${inside}: ${reason}${about}\n`);
  const rows = layers.map(({ layer, verdict, reason: why }) => [layer, verdict, why]);
  if (rows.length > 0) process.stdout.write(`${formatTable(['layer', 'verdict', 'reason'], rows)}\n`);
}

function untilInterrupted(): { promise: Promise<void>; signal: AbortSignal } {
  const controller = new AbortController();
  const { promise, resolve } = Promise.withResolvers<void>();
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => {
      controller.abort();
      resolve();
    });
  return { promise, signal: controller.signal };
}
