import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import type { Patience } from './claim-server-lock.ts';

const PROGRAM = fileURLToPath(new URL('hold-lock.fixture.ts', import.meta.url));

/** Longer than any test. */
export const PATIENT: Patience = { starting: 60_000, stopping: 60_000, silent: 60_000 };

/** What a process does once it has the lock: stays without listening, listens, or begins to stop. */
export type HolderScript = 'starting' | 'running' | 'stopping';

/** What it says: that it has the lock, that another has it, or that it has lost it. */
export interface HolderWord {
  word: 'held' | 'elsewhere' | 'lost';
  url?: string | undefined;
}

/** A process of its own that claims the lock of a data folder. */
export interface LockHolder {
  process: ChildProcess;
  /** The next thing it says; undefined at its end. */
  says(): Promise<HolderWord | undefined>;
  /** Sends the signal and waits for the end. */
  end(signal?: NodeJS.Signals): Promise<void>;
}

/** Starts one. It is gone when the test is over. */
export function startHolder(home: string, script: HolderScript = 'running'): LockHolder {
  const child = spawn(process.execPath, ['--conditions=@dragoman/source', PROGRAM, script], {
    env: { ...process.env, DRAGOMAN_HOME: home, PATIENCE: JSON.stringify(PATIENT) },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'close');
  const end = async (signal: NodeJS.Signals = 'SIGKILL') => {
    child.kill(signal);
    await ended;
  };
  onTestFinished(() => end());
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    process: child,
    end,
    async says() {
      const line = await lines.next();
      return line.done === true ? undefined : (JSON.parse(line.value) as HolderWord);
    },
  };
}
