import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { onTestFinished } from 'vitest';

export type Program = ChildProcessByStdio<Writable, Readable, null>;

/** Kept between runs: most of such a start is compiling. */
const CACHE = join(tmpdir(), 'dragoman-compile-cache');

/** Starts a fixture as a process of its own, with one value it reads; it is gone when the test is. What one has compiled the next finds. */
export function startProgram(file: string, given: unknown): Program {
  const program = spawn(process.execPath, ['--conditions=@dragoman/source', file, JSON.stringify(given)], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { ...process.env, NODE_COMPILE_CACHE: CACHE },
  });
  onTestFinished(() => void program.kill('SIGKILL'));
  return program;
}

/** How a program ended: the signal, or its exit code. */
export function exited(program: Program): Promise<string | number | null> {
  return new Promise((resolve) => program.once('close', (code, signal) => resolve(signal ?? code)));
}
