import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { guardChildGroup, signalChildGroup } from '@dragoman/server/base';
import { forwardToSocket } from './forward-to-socket.ts';
import { type CodeServerProgram, installCodeServer } from './install-code-server.ts';
import { endOwnProcesses, ownProcesses, type SeenProcess } from './own-processes.ts';
import { writeLanguagePack } from './write-language-pack.ts';

const run = promisify(execFile);
/** For what hangs: the machine may be busy with other tests. */
const START_LIMIT_MS = 180_000;
const INSTALL_LIMIT_MS = 180_000;

/** How an editor is set up. */
export interface CodeServerOptions {
  /** Extensions to install, in this order. */
  vsix?: readonly string[];
  /** What stands in the person's own `settings.json`. */
  settings?: Record<string, unknown>;
  /** What stands in the settings of the machine, the only place for settings of scope `machine`. */
  machineSettings?: Record<string, unknown>;
  /** Variables the extensions see. */
  env?: Record<string, string>;
  /** Without any network: only its own loopback. Needs bubblewrap. */
  isOffline?: boolean;
  /** The display language, as `zh-cn`. */
  language?: string;
}

/** A VS Code that is being served. */
export interface CodeServer {
  url: string;
  /** Everything of this editor: home, user data, extensions; nobody else's. */
  folder: string;
  /** The folder VS Code keeps settings and extension storage in. */
  userData: string;
  home: string;
  /** What it and its extension hosts have printed. */
  output(): string;
  /** The processes that were started in this editor, also those that left its group. */
  processes(): SeenProcess[];
  stop(): Promise<void>;
}

/**
 * Starts code-server on a port of its own, with a home, user data and extensions of its own.
 *
 * It listens on a socket file, and a small forwarder in this process gives it its port. So the editor can be cut off from
 * every network and still be looked at, and no port is chosen before it is taken. What an extension started and let go of
 * carries the editor's folder in its environment, and ends with it.
 */
export async function startCodeServer(options: CodeServerOptions = {}): Promise<CodeServer> {
  const program = await installCodeServer();
  const folder = mkdtempSync(join(tmpdir(), 'dragoman-editor-'));
  const editor = layOut(folder, program, options);
  const stopped: (() => Promise<unknown> | void)[] = [];
  const stop = async (): Promise<void> => {
    for (const end of stopped.splice(0).toReversed()) await end();
    await endOwnProcesses(folder);
    rmSync(folder, { recursive: true, force: true, maxRetries: 20 });
  };
  try {
    const vsix = options.vsix ?? [];
    if (vsix.length > 0)
      await run(process.execPath, [...editor.args, ...vsix.flatMap((file) => ['--install-extension', file])], {
        env: editor.env,
        timeout: INSTALL_LIMIT_MS,
      });

    // After the extensions, because installing one writes the list of packs anew.
    if (options.language !== undefined) writeLanguagePack(editor.userData, options.language);
    const socket = join(folder, 'editor.sock');
    const [command, ...args] = [...editor.command, ...editor.args, ...SERVING, '--socket', socket];
    let printed = '';
    const start = async () => {
      const child = spawn(command, args, { env: editor.env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
      const release = guardChildGroup(child.pid!);
      stopped.push(() => endGroup(child).finally(release));
      for (const stream of [child.stdout, child.stderr])
        stream.on('data', (chunk: Buffer) => {
          printed += chunk.toString();
        });
      await answers(forwarder.url, child, () => printed);
    };
    const forwarder = await forwardToSocket(socket);
    stopped.push(() => forwarder.close());
    // Its two processes give each other ten seconds to say hello, which is too short on a busy machine.
    await start().catch((error: unknown) =>
      printed.includes('error timed out') ? start() : Promise.reject(error as Error),
    );

    const { userData, home } = editor;
    return {
      url: forwarder.url,
      folder,
      userData,
      home,
      output: () => printed,
      processes: () => ownProcesses(folder),
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

const SERVING = [
  '--auth',
  'none',
  '--disable-telemetry',
  '--disable-update-check',
  '--disable-workspace-trust',
  '--disable-getting-started-override',
];

function layOut(folder: string, program: CodeServerProgram, options: CodeServerOptions) {
  const at = (name: string): string => {
    const path = join(folder, name);
    mkdirSync(path, { recursive: true });
    return path;
  };
  const home = at('home');
  const userData = at('user-data');
  writeFileSync(join(at('user-data/User'), 'settings.json'), JSON.stringify(options.settings ?? {}, null, 2));
  writeFileSync(join(at('user-data/Machine'), 'settings.json'), JSON.stringify(options.machineSettings ?? {}, null, 2));
  const config = join(folder, 'config.yaml');
  writeFileSync(config, '');
  const args = [program.entry, '--config', config, '--user-data-dir', userData, '--extensions-dir', at('extensions')];
  if (options.language !== undefined) args.push('--locale', options.language);
  const env = {
    // What is inherited from here also tells whose process it is.
    // Not the PATH of the tests: `dragoman` is in it.
    PATH: [dirname(process.execPath), '/usr/local/bin', '/usr/bin', '/bin'].join(delimiter),
    HOME: home,
    TMPDIR: at('tmp'),
    LANG: 'C.UTF-8',
    ...options.env,
  };
  const command = [process.execPath];
  if (options.isOffline === true) command.unshift('bwrap', '--dev-bind', '/', '/', '--unshare-net', '--');
  return { home, userData, command, args, env };
}

async function answers(url: string, child: ChildProcess, printed: () => string): Promise<void> {
  const signal = AbortSignal.timeout(START_LIMIT_MS);
  for (;;) {
    if (child.exitCode !== null) throw new Error(`code-server ended with ${child.exitCode}: ${printed()}`);
    const answer = await fetch(`${url}/healthz`, { signal }).catch(() => undefined);
    if (answer?.ok === true) return;
    if (signal.aborted) throw new Error(`code-server did not answer within ${START_LIMIT_MS} ms: ${printed()}`);
    await delay(50);
  }
}

async function endGroup(child: ChildProcess): Promise<void> {
  const gone = new Promise<void>((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) resolve();
    else child.once('exit', () => resolve());
  });
  // It has nothing to save that a test needs.
  signalChildGroup(child.pid!, 'SIGKILL');
  await gone;
}
