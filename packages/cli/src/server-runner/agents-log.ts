import {
  closeSync,
  copyFileSync,
  fstatSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
} from 'node:fs';
import { dirname } from 'node:path';

/** When a log is this long, a new one is begun; the one before it is kept. */
const MOST_BYTES = 2_000_000;

/** Where the process for agents writes what goes wrong. */
export function agentsLogFile(folder: string): string {
  return `${folder}/runner.log`;
}

/** Opens the log for one more process, behind what the last one wrote. */
export function openAgentsLog(file: string, mostBytes = MOST_BYTES): number {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const log = openSync(file, 'a', 0o600);
  if (fstatSync(log).size < mostBytes) return log;
  closeSync(log);
  rmSync(predecessor(file), { force: true });
  renameSync(file, predecessor(file));
  return openSync(file, 'a', 0o600);
}

/** Begins the log anew where it is long, for the process that has it as its standard error. */
export function boundAgentsLog(file: string, mostBytes = MOST_BYTES): void {
  try {
    if (statSync(file).size < mostBytes) return;
    copyFileSync(file, predecessor(file));
    truncateSync(file);
  } catch {
    // A full disk, or somebody removed it.
  }
}

function predecessor(file: string): string {
  return `${file}.1`;
}
