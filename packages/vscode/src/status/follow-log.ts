import { statSync } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import * as vscode from 'vscode';
import type { ExtensionParts } from '../extension-parts.ts';

const LOOK_MS = 1_000;
/** What one look shows at most; of a flood the end is what counts. */
const MAX_BYTES = 100_000;

/** Shows what a server of ours writes to its log in the channel of this window, from the moment it is the window's server. */
export function followLog({ link, log }: Pick<ExtensionParts, 'link' | 'log'>): vscode.Disposable {
  let following: { file: string; dispose(): void } | undefined;
  const follow = () => {
    const file = link.state.server?.logFile;
    if (file === following?.file) return;
    following?.dispose();
    following = file === undefined ? undefined : { file, ...followFile(file, (line) => show(log, line)) };
  };
  const listening = link.onDidChange(follow);
  follow();
  return new vscode.Disposable(() => {
    listening.dispose();
    following?.dispose();
  });
}

function followFile(file: string, onLine: (line: string) => void): { dispose(): void } {
  let read = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  let rest = '';
  let isReading = false;
  const look = async (): Promise<void> => {
    const { size } = await stat(file);
    if (size === read) return;
    if (size < read) [read, rest] = [0, '']; // It was emptied.
    const from = Math.max(read, size - MAX_BYTES);
    const handle = await open(file);
    try {
      const { bytesRead, buffer } = await handle.read(Buffer.alloc(size - from), 0, size - from, from);
      read = from + bytesRead;
      const lines = (rest + buffer.toString('utf8', 0, bytesRead)).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) if (line.trim() !== '') onLine(line);
    } finally {
      await handle.close();
    }
  };
  // Not by a watcher: what is written before it has begun would be told with the next line only.
  const timer = setInterval(() => {
    if (isReading) return;
    isReading = true;
    void look()
      .catch(() => {}) // A file that is away for a moment is looked at again.
      .finally(() => (isReading = false));
  }, LOOK_MS).unref();
  return { dispose: () => clearInterval(timer) };
}

/** Lines of the log are JSON; what a program prints besides is shown as it is. */
function show(log: vscode.LogOutputChannel, line: string): void {
  try {
    const { level = 30, msg } = JSON.parse(line) as { level?: number; msg?: string };
    const text = `server: ${msg ?? line}`;
    if (level >= 50) log.error(text);
    else if (level >= 40) log.warn(text);
    else if (level >= 30) log.info(text);
    else log.debug(text);
  } catch {
    log.info(`server: ${line}`);
  }
}
