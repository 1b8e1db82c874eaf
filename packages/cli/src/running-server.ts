import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DataFolder } from '@dragoman/server';

export interface RunningServer {
  url: string;
  pid: number;
}

/** Leaves a note in the data folder, so that other commands find the server that runs there. */
export function noteRunning(folder: DataFolder, server: RunningServer): () => void {
  writeFileSync(noteFile(folder), `${JSON.stringify(server)}\n`, { mode: 0o600 });
  return () => {
    if (findRunning(folder)?.pid === server.pid) rmSync(noteFile(folder), { force: true });
  };
}

/** The server that runs on this data folder. A note whose process is gone counts as none. */
export function findRunning(folder: DataFolder): RunningServer | undefined {
  try {
    const note = JSON.parse(readFileSync(noteFile(folder), 'utf8')) as RunningServer;
    process.kill(note.pid, 0);
    return note;
  } catch {
    return undefined;
  }
}

function noteFile(folder: DataFolder): string {
  return join(folder.path, 'running.json');
}
