/**
 * One process of a load: `node load-process.ts spin|write SECONDS`. `spin` takes a core, `write` puts small files on
 * the disk. It ends after its time, or as soon as whoever started it is gone: its standard input closes then.
 */
import { closeSync, fsyncSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** So long it does not look whether it should end. */
const TURN_MS = 20;

const [work, seconds] = process.argv.slice(2);
const folder = work === 'write' ? mkdtempSync(join(tmpdir(), 'dragoman-load-')) : undefined;
process.on('exit', () => folder !== undefined && rmSync(folder, { recursive: true, force: true }));
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit());
process.stdin.on('close', () => process.exit()).resume();
setTimeout(() => process.exit(), Number(seconds) * 1000);
process.stdout.write('ready\n', turn);

function turn(): void {
  const end = performance.now() + TURN_MS;
  while (performance.now() < end) if (folder !== undefined) writeFile(join(folder, 'file'));
  setImmediate(turn);
}

function writeFile(path: string): void {
  const file = openSync(path, 'w');
  writeSync(file, 'x'.repeat(4096));
  fsyncSync(file);
  closeSync(file);
}
