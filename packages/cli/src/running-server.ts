import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DataFolder } from '@dragoman/server';

export interface RunningServer {
  url: string;
  pid: number;
}

/** Leaves a note in the data folder, so that other commands find the servers that run there. */
export function noteRunning(folder: DataFolder, server: RunningServer): () => void {
  mkdirSync(notesFolder(folder), { recursive: true, mode: 0o700 });
  const file = join(notesFolder(folder), `${server.pid}.json`);
  writeFileSync(file, `${JSON.stringify(server)}\n`, { mode: 0o600 });
  return () => rmSync(file, { force: true });
}

/** A server that runs on this data folder. A note whose process is gone counts as none. */
export function findRunning(folder: DataFolder): RunningServer | undefined {
  return readNotes(folder).find(({ pid }) => isAlive(pid));
}

function readNotes(folder: DataFolder): RunningServer[] {
  try {
    const files = readdirSync(notesFolder(folder));
    return files.map((file) => JSON.parse(readFileSync(join(notesFolder(folder), file), 'utf8')) as RunningServer);
  } catch {
    return [];
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

function notesFolder(folder: DataFolder): string {
  return join(folder.path, 'running');
}
