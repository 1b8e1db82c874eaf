import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, test } from 'vitest';
import { tempFolder } from '../temp-folder.ts';
import { endOwnProcesses, ownProcesses } from './own-processes.ts';

const WAITS = 'process.stdout.write("up"); setInterval(() => {}, 1000)';

test.runIf(process.platform === 'linux')(
  'a process that left its group is known by the folder in its environment, and ended; others are left alone (needs Linux)',
  async () => {
    const folder = tempFolder();
    const start = async (env: Record<string, string>) => {
      const child = spawn(process.execPath, ['-e', WAITS], {
        env,
        detached: true,
        stdio: ['ignore', 'pipe', 'ignore'],
      });
      await once(child.stdout, 'data');
      return child;
    };
    const own = await start({ HOME: `${folder}/home` });
    const other = await start({ HOME: '/' });

    expect(ownProcesses(folder)).toEqual([{ pid: own.pid, args: [process.execPath, '-e', WAITS] }]);
    await endOwnProcesses(folder);

    expect(ownProcesses(folder)).toEqual([]);
    expect(other.exitCode).toBe(null);
    other.kill('SIGKILL');
    await once(other, 'exit');
    expect(other.signalCode).toBe('SIGKILL');
  },
);
