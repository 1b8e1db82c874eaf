import type { CodePlace } from '@dragoman/protocol';
import { DragomanError } from '@dragoman/protocol';
import { namedFolder, workspaceRoot } from '../choose-folder.ts';
import type { CommonOptions } from '../load-setup.ts';
import { commandLog, type LocalContext, withLocalContext } from '../open-local-context.ts';
import { ProgressLine } from '../progress-line.ts';
import { remoteToken } from '../remote-token.ts';

export interface SearchOptions extends CommonOptions {
  dir?: string;
  limit?: string;
  symbol?: boolean;
  server?: string;
  token?: string;
  json?: boolean;
}

const SHOWN_LINES = 12;

/** `dragoman search`: the right places for a question, from the index of this folder, which is brought up to date first. */
export async function search(words: string[], options: SearchOptions): Promise<void> {
  const query = words.join(' ').trim();
  if (query === '') throw new DragomanError('bad-request', 'Say what you are looking for: dragoman search "…"');
  const limit = readLimit(options.limit);
  const folder = namedFolder(options.dir);
  await withLocalContext(options, false, async (local) => {
    const { context, userId } = local;
    const root = workspaceRoot(folder, await context.workspaces.list(userId));
    if (options.server !== undefined) return searchRemote(local, root, query, options);
    const line = new ProgressLine();
    const sync = await context.workspaces.open(userId, root, line.show);
    await sync.refresh().finally(() => line.clear());
    const code = context.searchIn(userId, root);
    const places = options.symbol === true ? await code.findSymbol(query, limit) : await code.search({ query, limit });
    if (options.json === true) process.stdout.write(`${JSON.stringify({ root, results: places })}\n`);
    else process.stdout.write(places.length === 0 ? nothingFound(root) : `${places.map(showPlace).join('\n')}\n`);
    if (places.length === 0) process.exitCode = 1;
  });
}

async function searchRemote(
  { store, setup, userId }: LocalContext,
  root: string,
  query: string,
  options: SearchOptions,
): Promise<void> {
  const line = new ProgressLine();
  const { openRemoteWorkspace } = await import('@dragoman/context/remote');
  const remote = await openRemoteWorkspace({
    store,
    userId,
    root,
    url: options.server!,
    token: remoteToken(options),
    log: commandLog,
    watch: false,
    maxBlobBytes: setup.config.value.retrieval.maxFileBytes,
    onProgress: line.show,
  });
  try {
    const text = await remote.retrieve(query).finally(() => line.clear());
    process.stdout.write(options.json === true ? `${JSON.stringify({ root, text })}\n` : text);
  } finally {
    await remote.close();
  }
}

/** `src/retry.ts:12-30  retryWithBackoff`, and the first lines of the place. */
function showPlace({ path, start, end, symbol, text }: CodePlace): string {
  const isTerminal = process.stdout.isTTY;
  const head = `${path}:${start}-${end}${symbol === undefined ? '' : `  ${symbol}`}`;
  const lines = text.replace(/\n$/, '').split('\n');
  const width = String(end).length;
  const shown = lines
    .slice(0, SHOWN_LINES)
    .map((line, index) => `${String(start + index).padStart(width + 2)}  ${line}`);
  if (lines.length > SHOWN_LINES) shown.push(`${' '.repeat(width + 4)}… ${lines.length - SHOWN_LINES} more lines`);
  return `${isTerminal ? `\u001B[1m${head}\u001B[0m` : head}\n${shown.join('\n')}\n`;
}

function nothingFound(root: string): string {
  return `Nothing in ${root} has these words. Ask in other ones, or see what is indexed with: dragoman index --stats\n`;
}

function readLimit(given: string | undefined): number {
  const limit = Number(given ?? 10);
  if (Number.isInteger(limit) && limit >= 1 && limit <= 100) return limit;
  throw new DragomanError('bad-request', `--limit ${given}: expected a whole number from 1 to 100.`);
}
