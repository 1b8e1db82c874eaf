import { spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { installed } from '../installed.ts';

/** Where and what a client is asked. */
export interface Place {
  /** The address of Dragoman, and a token for it. */
  url: string;
  token: string;
  /** An empty folder for the client's own files, and one that it works in. */
  home: string;
  folder: string;
  prompt: string;
}

/** A program that people run, and how it is told to use Dragoman. */
export interface Client {
  /** What is installed from npm, by name and version. */
  packages: Readonly<Record<string, string>>;
  /** The command, its arguments, and what it needs beside them; `bin` is the folder of the programs that were installed. */
  command(place: Place & { bin: string }): Command;
}

export interface Command {
  program: string;
  args: readonly string[];
  env?: Readonly<Record<string, string>>;
  /** Files of its configuration, by their path under its home. */
  files?: Readonly<Record<string, string>>;
}

export interface Ran {
  exitCode: number | null;
  output: string;
}

/** Runs the client to its end, or until it has taken too long, in a home of its own and with nothing of this machine's environment but the path. */
export async function runClient(client: Client, place: Place, patienceMs: number): Promise<Ran> {
  const bin = await installed(client.packages);
  const { program, args, env = {}, files = {} } = client.command({ ...place, bin });
  for (const [path, text] of Object.entries(files)) {
    const file = join(place.home, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
  const child = spawn(resolve(bin, program), args, {
    cwd: place.folder,
    env: {
      PATH: `${dirname(process.execPath)}:${process.env['PATH']}`,
      HOME: place.home,
      XDG_CONFIG_HOME: join(place.home, 'config'),
      XDG_DATA_HOME: join(place.home, 'data'),
      XDG_CACHE_HOME: join(place.home, 'cache'),
      XDG_STATE_HOME: join(place.home, 'state'),
      NO_COLOR: '1',
      CI: '1',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  let output = '';
  const keep = (chunk: Buffer) => (output += chunk.toString());
  child.stdout.on('data', keep);
  child.stderr.on('data', keep);
  const end = () => {
    try {
      process.kill(-child.pid!, 'SIGKILL');
    } catch {
      // It has ended, and what it had started too.
    }
  };
  const timer = setTimeout(end, patienceMs);
  const exitCode = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => resolve(code));
  });
  clearTimeout(timer);
  end();
  return { exitCode, output };
}
