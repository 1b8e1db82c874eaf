import {
  chmodSync,
  chownSync,
  closeSync,
  fsyncSync,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';

/**
 * Puts a new text in the place of a file: written beside, flushed and renamed, so that a reader, and whoever comes after
 * a loss of power, finds the old file or the new one. Its mode and its owner stay; a new one is its owner's alone. A link
 * stays one, and what it leads to is replaced.
 */
export function replaceFile(path: string, text: string, mode?: number): void {
  const before = statSync(path, { throwIfNoEntry: false });
  const file = before === undefined ? path : realpathSync(path);
  const draft = `${file}.${process.pid}.new`;
  try {
    const handle = openSync(draft, 'w', 0o600);
    try {
      writeFileSync(handle, text);
      fsyncSync(handle);
    } finally {
      closeSync(handle);
    }
    chmodSync(draft, (mode ?? before?.mode ?? 0o600) & 0o777);
    if (before !== undefined && before.uid !== statSync(draft).uid) chownSync(draft, before.uid, before.gid);
    renameSync(draft, file);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
}
