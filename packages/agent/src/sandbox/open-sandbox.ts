import { homedir } from 'node:os';
import { ToolError } from '../tools/tool.ts';
import { confinedCommand } from './confined-command.ts';
import { bubblewrapFails, type BubblewrapPlace, findBubblewrap } from './find-bubblewrap.ts';
import { guardFolders } from './guard-folders.ts';
import type { HeldBack } from './hold-back.ts';
import { listeningSockets } from './listening-sockets.ts';
import type { Mount } from './mounts.ts';
import { findProcessLimit, type ProcessLimitPlace } from './process-limit.ts';
import { type Limits, runConfined, type SandboxResult } from './run-confined.ts';
import { settleLeftBehind } from './running-notes.ts';
import { secretPlaces, withoutSecrets } from './secret-places.ts';
import { wrappedCommand } from './wrapped-command.ts';

/** A command that is not trusted: what it sees, and how much it may use. It never has a network. */
export interface SandboxRun extends Limits {
  command: readonly string[];
  cwd: string;
  /** What stands on its standard input; nothing where nothing is said. */
  input?: string;
  /**
   * Folders and files it sees besides the system's programs and Node. It can change nothing but a temporary folder, HOME and
   * TMPDIR, which is gone afterwards.
   */
  readOnly?: readonly string[];
  /** All it knows of the environment, besides HOME, TMPDIR, PATH and LANG. */
  env?: Readonly<Record<string, string>>;
  abort: AbortSignal;
}

/** What a command of the person's own machine may do when it is wrapped. */
export interface SandboxWrap {
  cwd: string;
  /** Folders it may change, mostly the project. */
  writable: readonly string[];
  network: boolean;
  /** The environment to start from; our own where nothing is said. */
  env?: Readonly<Record<string, string | undefined>>;
}

/** A command line that runs confined. */
interface WrappedCommand {
  command: string[];
  env: Record<string, string>;
  /** Takes back what was prepared for it, and tells what it made where it must not. */
  settle(): Promise<HeldBack[]>;
}

/** A place to run what is not trusted. It has been tried: what it promises holds here. */
export interface Sandbox {
  /** Runs a command with just enough to run, and holds it to its limits. */
  run(run: SandboxRun): Promise<SandboxResult>;
  /**
   * Turns a command line into one that sees the whole machine read-only, without the places where people keep keys.
   * The caller starts it with exactly this environment, and settles it once it has ended or was not started after all; killing
   * the started process ends everything in it.
   */
  wrap(command: readonly string[], options: SandboxWrap): Promise<WrappedCommand>;
}

/** What must be known of the place the sandbox is opened in. */
export interface SandboxOptions extends BubblewrapPlace, ProcessLimitPlace {
  home?: string;
  /** Folders nobody inside may see: the data folder of Dragoman. */
  hidden?: readonly string[];
  /** Where commands are noted that run; what a process that was killed left undone is done when the sandbox is opened. */
  notes?: string;
}

/**
 * Finds bubblewrap and tries it once, with everything that will be asked of it.
 *
 * There is no weaker way out: where it is missing or does not work, a `ToolError` says so and what to do.
 */
export async function openSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const { home = homedir(), hidden = [], notes, ...place } = options;
  const bubblewrap = await findBubblewrap(place);
  const processLimit = await findProcessLimit(place);
  const secrets = mounts('hidden', [...secretPlaces(home), ...hidden]);

  const sandbox: Sandbox = {
    async run({ command, cwd, readOnly = [], env = {}, ...limits }) {
      refuseWholeDisk(readOnly);
      const view = [...secrets, ...mounts('read-only', readOnly)];
      const processes = await processLimit.begin(limits.maxProcesses * THREADS_PER_PROCESS);
      try {
        const line = await confinedCommand(bubblewrap, { command, cwd, env, mounts: view, limits, processes });
        const { hasStarted, ...result } = await runConfined(line, limits);
        if (!hasStarted) throw bubblewrapFails(bubblewrap.path, result.stderr);
        return result;
      } finally {
        await processes.end();
      }
    },

    async wrap(command, { cwd, writable, network, env = process.env }) {
      refuseWholeDisk(writable);
      const hiddenHere = [...secrets, ...mounts('hidden', network ? [] : await listeningSockets())];
      const { settle, ...guarded } = await guardFolders({
        folders: writable,
        covered: hiddenHere.map(({ path }) => path),
        notes,
      });
      try {
        const line = await wrappedCommand(bubblewrap, {
          command,
          cwd,
          network,
          mounts: [...hiddenHere, ...guarded.mounts],
          checked: guarded.mounts,
        });
        // Commands of git that only look would refresh its index, which is read-only.
        return { command: line, env: { ...withoutSecrets(env), TMPDIR: '/tmp', GIT_OPTIONAL_LOCKS: '0' }, settle };
      } catch (error) {
        await settle();
        throw error;
      }
    },
  };

  if (notes !== undefined) await settleLeftBehind(notes);
  const tried = await sandbox.run({ ...TRIAL, command: ['/bin/sh', '-c', ':'], abort: new AbortController().signal });
  if (tried.exitCode !== 0) throw bubblewrapFails(bubblewrap.path, tried.reason ?? tried.stderr);
  return sandbox;
}

/** A process of Node has about ten threads, and the kernel counts threads. */
const THREADS_PER_PROCESS = 16;

const TRIAL = { cwd: '/', timeoutMs: 10_000, memoryBytes: 2 ** 27, maxProcesses: 4, maxOutputBytes: 2 ** 16 };

/** What covers everything would uncover what is hidden below it. */
function refuseWholeDisk(paths: readonly string[]): void {
  if (paths.includes('/'))
    throw new ToolError('The sandbox cannot show the whole disk as one folder; name the folder that is needed.');
}

function mounts(is: Mount['is'], paths: readonly string[]): Mount[] {
  return paths.map((path) => ({ path, is }));
}
