import { join, relative } from 'node:path';
import type { ExplainedPlace, WorkspaceSync } from '@dragoman/context';
import { type CodePlace, DragomanError } from '@dragoman/protocol';
import { isInside, namedFolder, workspaceRoot } from '../choose-folder.ts';
import { EXIT_CODES } from '../exit-code.ts';
import { howToRun, typedPath } from '../how-to-run.ts';
import { type CommonOptions, userPath } from '../load-setup.ts';
import { type LocalContext, withLocalContext } from '../open-local-context.ts';
import { ProgressLine } from '../progress-line.ts';
import { remoteServer } from '../remote-server.ts';
import { showPlace } from '../show-place.ts';
import { showReasons } from '../show-reasons.ts';
import { cleanLine, cleanPath } from '../terminal/clean-text.ts';
import { print, printJson, printPainted } from '../terminal/print.ts';
import { terminalLooks } from '../terminal-looks.ts';

export interface SearchOptions extends CommonOptions {
  dir?: string;
  limit?: string;
  symbol?: boolean;
  why?: boolean;
  server?: string;
  token?: string;
  json?: boolean;
}

/** `dragoman search`: the right places for a question, from the index of this folder, which is brought up to date first. */
export async function search(words: string[], options: SearchOptions): Promise<void> {
  const query = words.join(' ').trim();
  if (query === '') throw new DragomanError('bad-request', 'Enter a question: dragoman search "…"');
  const limit = readLimit(options.limit);
  if (options.symbol === true && options.why === true)
    throw new DragomanError('bad-request', '--why cannot be combined with --symbol: definitions are not ranked.');
  const folder = namedFolder(options.dir);
  await withLocalContext(options, false, async (local) => {
    const root = workspaceRoot(folder, await local.context.workspaces.list(local.userId));
    if (options.server === undefined) await searchHere(local, root, { query, limit }, options);
    else await searchThere(local, root, query, options);
  });
}

async function searchHere(
  { context, userId, interrupted: { signal } }: LocalContext,
  root: string,
  question: { query: string; limit: number },
  options: SearchOptions,
): Promise<void> {
  const line = new ProgressLine();
  const { query, limit } = question;
  let sync: WorkspaceSync;
  let places: (CodePlace & Partial<ExplainedPlace>)[];
  try {
    sync = await context.workspaces.open(userId, root, line.show);
    const code = context.searchIn(userId, root);
    if (options.symbol === true) places = await code.findSymbol(query, limit, signal);
    else if (options.why === true) places = await context.explainIn(userId, root, question, signal);
    else places = await code.search(question, signal);
  } finally {
    line.end();
  }
  if (places.length === 0) process.exitCode = EXIT_CODES.failed;
  if (options.json === true) printJson({ root, results: places });
  else if (places.length === 0) print(nothingFound(root, sync.view().blobNames.size, query, options));
  else {
    const shown = places.map(
      (place) =>
        showPlace(
          { ...place, path: pathFromHere(root, place.path) },
          { query, isSymbol: options.symbol === true },
          terminalLooks().isColored,
        ) + showReasons(place.why ?? []),
    );
    printPainted(`${shown.join('\n')}\n`);
  }
}

async function searchThere(
  { store, setup, log, userId, interrupted }: LocalContext,
  root: string,
  query: string,
  options: SearchOptions,
): Promise<void> {
  if (options.symbol === true || options.why === true || options.limit !== undefined)
    throw new DragomanError('bad-request', '--symbol, --why and --limit cannot be combined with --server.');
  const line = new ProgressLine();
  const { openRemoteWorkspace } = await import('@dragoman/context/remote');
  const remote = await openRemoteWorkspace({
    store,
    userId,
    root,
    ...remoteServer(options.server!, options.token),
    log,
    watch: false,
    maxBlobBytes: setup.config.value.retrieval.maxFileBytes,
    extensions: setup.config.value.retrieval.extensions,
    onProgress: line.show,
  });
  try {
    const text = await remote.retrieve(query, undefined, interrupted.signal).finally(() => line.end());
    if (options.json === true) printJson({ root, text });
    else print(text, '');
  } finally {
    await remote.close();
  }
}

/** As a person can open it from where they are. */
function pathFromHere(root: string, path: string): string {
  const here = userPath('.');
  const whole = join(root, path);
  return isInside(here, root) || isInside(root, here) ? relative(here, whole) : whole;
}

function nothingFound(root: string, files: number, query: string, { dir, symbol }: SearchOptions): string {
  const stats = howToRun(dir === undefined ? 'index --stats' : `index ${typedPath(root)} --stats`);
  const here = cleanPath(root);
  if (files === 0) return `${here} has no searchable files. To see what was excluded and why: ${stats}`;
  const advice = `see what is indexed: ${stats}`;
  if (symbol === true) return `No definition of ${cleanLine(query)} found in ${here}; ${advice}`;
  return `No results in ${here}. Try other words, or ${advice}`;
}

function readLimit(given: string | undefined): number {
  const limit = Number(given ?? 10);
  if (Number.isInteger(limit) && limit >= 1 && limit <= 100) return limit;
  throw new DragomanError('bad-request', `--limit ${given}: expected a whole number from 1 to 100.`);
}
