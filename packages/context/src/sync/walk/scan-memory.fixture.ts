import { rmSync, statSync, writeFileSync } from 'node:fs';
import { type KnownFile, type KnownFolder, type ScanBatch, scanFolder, type ScanOptions } from './scan-folder.ts';

/** What a program would keep from one scan to the next. Writes are trusted at once unless a test says otherwise. */
export class ScanMemory {
  readonly files = new Map<string, KnownFile>();
  readonly folders = new Map<string, KnownFolder>();
  readonly root: string;

  constructor(root: string) {
    this.root = root;
  }

  scan(options: Omit<ScanOptions, 'root'> = {}): ScanBatch {
    const known = { knownFiles: new Map(this.files), knownFolders: new Map(this.folders) };
    const result = this.apply(scanFolder({ root: this.root, settleMs: 0, ...known, ...options }));
    letTimesMoveOn(`${this.root}.tick`);
    return result;
  }

  apply(batches: Iterable<ScanBatch>): ScanBatch {
    const all: ScanBatch[] = [];
    for (const batch of batches) {
      all.push(batch);
      for (const path of batch.gone) this.files.delete(path);
      for (const path of batch.goneFolders) this.folders.delete(path);
      for (const { path, ...file } of batch.files) this.files.set(path, file);
      for (const { path, ...folder } of batch.folders) this.folders.set(path, folder);
    }
    return {
      files: all.flatMap((batch) => batch.files),
      unchanged: all.reduce((sum, batch) => sum + batch.unchanged, 0),
      gone: all.flatMap((batch) => batch.gone),
      folders: all.flatMap((batch) => batch.folders),
      goneFolders: all.flatMap((batch) => batch.goneFolders),
      rejected: all.flatMap((batch) => batch.rejected),
      unreadable: all.flatMap((batch) => batch.unreadable),
      needsSweep: all.find((batch) => batch.needsSweep !== undefined)?.needsSweep,
      met: sum(all.map(({ met }) => met)),
      timings: sum(all.map(({ timings }) => timings)),
    };
  }

  names(): Record<string, string | undefined> {
    return Object.fromEntries([...this.files].map(([path, file]) => [path, file.blobName ?? file.leftOut]));
  }
}

function sum<Name extends string>(records: readonly Record<Name, number>[]): Record<Name, number> {
  const sums = { ...records[0]! };
  for (const record of records.slice(1)) for (const name in sums) sums[name] += record[name];
  return sums;
}

/** A file system may count time in steps of some milliseconds; what is written after this is later than what was before. */
function letTimesMoveOn(file: string): void {
  const touch = () => {
    writeFileSync(file, '');
    return statSync(file).ctimeMs;
  };
  const before = touch();
  while (touch() === before);
  rmSync(file);
}
