import { newId } from '@dragoman/protocol';
import { findProgram, searchPathOutside } from '@dragoman/server/base';
import { realpathSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { isAbsolute, join, relative, resolve, sep } from 'node:path';
import { z } from 'zod';
import { isProtectedName } from '../../sandbox/protected-names.ts';
import { permitted } from '../files/permitted-path.ts';
import { pathBelow } from '../files/resolve-path.ts';
import { Tool, ToolError } from '../tool.ts';
import { commandEnvironment } from './command-environment.ts';
import { readCommands, type ShellPlace } from './command-subjects.ts';
import { permissionPaths } from './file-commands.ts';
import { findShell } from './find-shell.ts';
import type { JobRegistry } from './job-registry.ts';
import { guardedEnvironment, type JudgedPrograms, judgePrograms } from './judge-programs.ts';
import { OutputKeeper, type OutputLimits } from './output-keeper.ts';
import { type CommandEnd, PREVIEW_CHARS, runCommand } from './run-command.ts';

/** Makes of a command one that runs confined, to be started with exactly the environment it gives. */
interface CommandSandbox {
  wrap(
    command: string[],
    options: { cwd: string; writable: string[]; network: boolean; env: Record<string, string> },
  ): Promise<{
    command: string[];
    env: Record<string, string>;
    /** When it has ended: what it made where it must not, and the name that has now. */
    settle?: () => Promise<{ path: string; renamedTo: string | undefined }[]>;
  }>;
}

/** What `bash` needs, and how it is set up. */
export interface BashToolOptions {
  jobs: JobRegistry;
  /** Where outputs go that are too long to be shown: each session has a folder of its own in it. */
  outputFolder: string;
  /** With it, every command runs through it. */
  sandbox?: CommandSandbox;
  /** What a command in the sandbox may do: write here (the project and the folder it runs in when left out), use the network. */
  confinement?: { writable?: readonly string[]; network?: boolean };
  /** The shell's path; else `bash` or `sh` is looked for. */
  shell?: string;
  /** Variables for commands, over those of this process. */
  env?: Readonly<Record<string, string>>;
  /** Names of variables that hold secrets of ours and that no command is handed. */
  hiddenEnv?: readonly string[];
  /** The time limits: of a command that asks for none, and the longest that can be asked for. */
  timeoutMs?: number;
  maxTimeoutMs?: number;
  /** Between SIGTERM and SIGKILL. */
  graceMs?: number;
  limits?: Partial<OutputLimits>;
}

const [TIMEOUT_MS, MAX_TIMEOUT_MS, GRACE_MS] = [120_000, 600_000, 3_000];
/** Beyond its own limit a call still ends its processes and puts its result together. */
const ENDING_MS = 7_000;

/**
 * `bash`: runs a command in the user's shell.
 *
 * A command that fails is a result, not an error: its output and its exit code are what the model works with. The same
 * goes for one that is stopped, whose last line says so.
 */
export function bashTool(options: BashToolOptions) {
  const { jobs, limits = {} } = options;
  const { timeoutMs: usualMs = TIMEOUT_MS, maxTimeoutMs = MAX_TIMEOUT_MS, graceMs = GRACE_MS } = options;
  const limitOf = ({ timeout = usualMs }: BashInput) => Math.min(timeout, maxTimeoutMs);
  const look = async ({ command, workdir }: BashInput, { cwd, root }: Tool.Context) => {
    const { folder, real } = findFolder(resolve(cwd, workdir ?? '.'), root);
    const env = environmentOf(options);
    const { subjects: told, touched, programs } = await readCommands(command, placeOf(folder, root, env));
    const judged = await judgePrograms(told, programs, { root, cwd: folder, env });
    const paths = workdir === undefined ? [] : permissionPaths(folder, root);
    const isAsked = paths.some((path) => isAbsolute(path) || path.split('/').some(isGitFolder));
    const others = paths
      .filter((path) => isAsked && !judged.subjects.some(({ value }) => value === path))
      .map((value) => ({ kind: 'path' as const, value }));
    return { ...judged, subjects: [...judged.subjects, ...others, ...touched], env, folder, real };
  };

  return Tool.define({
    id: 'bash',
    description: describe(usualMs, maxTimeoutMs, options.sandbox !== undefined),
    parameters,
    keeps: 'tail',
    timeoutMs: (input) => limitOf(input) + graceMs + ENDING_MS,
    subjects: async (input, context) => (await look(input, context)).subjects,
    async execute(input, context) {
      const found = await permitted(
        context,
        () => look(input, context),
        ({ subjects }) => subjects,
      );
      const start = await prepare(options, input.command, found, context);
      const title = firstLine(input.description ?? input.command);
      const { sessionID } = context;
      const outputFolder = join(options.outputFolder, sessionID);
      if (input.background === true) {
        const starting = jobs.start({ sessionID, command: input.command, outputFolder, ...start });
        const job = await starting.catch(async (error: unknown) => {
          await start.settle();
          throw error;
        });
        return {
          title,
          output: `[Started as background job ${job.id}. You will be told when it ends; job-output shows what it prints, job-kill ends it.]`,
          metadata: { jobID: job.id, command: input.command },
          isBounded: true,
        };
      }
      const output = new OutputKeeper({ folder: outputFolder, name: newId('call'), limits });
      const show = (preview: string) => context.metadata({ title, metadata: { output: preview } });
      const timeoutMs = limitOf(input);
      let end: CommandEnd;
      try {
        end = await runCommand(
          { ...start, env: { ...start.env, ...jobs.environmentOf(sessionID) }, output, guard: jobs.guard },
          { timeoutMs, abort: context.abort, graceMs, onPreview: show },
        );
      } finally {
        await start.settle(); // Also where it was not even started.
      }
      const isKeptOut = options.sandbox !== undefined && end.exitCode !== 0 && KEPT_OUT.test(output.text());
      return {
        title,
        output: [output.text().trimEnd(), ...(isKeptOut ? [`[${IN_SANDBOX}]`] : []), ...closingLines(end, timeoutMs)]
          .filter((text) => text !== '')
          .join('\n\n'),
        metadata: {
          output: output.preview(PREVIEW_CHARS),
          exitCode: end.exitCode,
          durationMs: end.durationMs,
          end: end.end,
          ...(end.signal === null ? {} : { signal: end.signal }),
          ...(output.file === undefined ? {} : { outputFile: output.file }),
          isTruncated: output.isLong,
        },
        isBounded: true,
      };
    },
  });
}

/** Linux starts nothing with a longer word, and a shell is handed its text as one. */
const MAX_COMMAND_CHARS = 128 * 1024 - 1;

const parameters = z.object({
  command: z.string().min(1).max(MAX_COMMAND_CHARS).describe('The command, as it would be typed into bash.'),
  timeout: z.number().int().positive().optional().describe('Its time limit in milliseconds.'),
  workdir: z
    .string()
    .min(1)
    .optional()
    .describe('The folder it runs in, instead of `cd`; the working folder when left out.'),
  description: z.string().optional().describe('What it does, in one short line for the person who watches.'),
  background: z.boolean().optional().describe('Return at once and let it run on as a job, for servers and watchers.'),
});

type BashInput = z.infer<typeof parameters>;

/** What a command is told that met the walls of the sandbox, and every model before it does. */
const IN_SANDBOX =
  'Commands run in a sandbox: they can change the project, but not what other programs run or obey in it, such as .git, .dragoman, .claude, .vscode and .husky. git can look but not add, commit or switch branches; that is for the person to do.';
const KEPT_OUT = /Read-only file system|Device or resource busy|\bE(?:ROFS|BUSY)\b/;

function describe(usualMs: number, maxMs: number, isConfined: boolean): string {
  return [
    'Runs a command in bash, in the working folder or in workdir. Each call is a fresh shell: variables and cd do not last.',
    'To find, read and change files use the tools made for that (glob, grep, read, edit, write); use bash for everything else: builds, tests, git, package managers.',
    'There is no input and no terminal: pass flags such as --yes instead of answering questions, and a message instead of opening an editor.',
    `It is stopped after ${usualMs / 1000} s, or after timeout milliseconds (at most ${maxMs}). For what takes longer or does not end (servers, watchers) set background: true; you get a job id, and job-output shows what it prints. Do not use & or nohup for that.`,
    'Output and errors come back together, with the exit code when it is not 0. Of long output you get both ends and the path of a file with everything, so there is no need for head or tail.',
    ...(isConfined ? [IN_SANDBOX] : []),
  ].join('\n');
}

function isGitFolder(name: string): boolean {
  return name.toLowerCase() === '.git';
}

function environmentOf({ env = {}, hiddenEnv = [] }: BashToolOptions): Record<string, string> {
  return commandEnvironment({ inherited: process.env, hidden: hiddenEnv, added: env });
}

function placeOf(cwd: string, root: string, env: Readonly<Record<string, string>>): ShellPlace {
  const isOtherShell = findProgram('bash', searchPathOutside(env['PATH'] ?? '', root)) === undefined;
  return { cwd, root, home: env['HOME'] ?? homedir(), inherited: new Set(Object.keys(env)), isOtherShell };
}

/**
 * The folder that a command runs in, without the links that lead to it, and as it is called from the project. Whoever moves
 * a link after this moves it for others.
 */
function findFolder(named: string, root: string): { folder: string; real: string | undefined } {
  const real = realFolder(named);
  const inside = real === undefined ? undefined : pathBelow(realFolder(root) ?? root, real);
  return { folder: inside === undefined ? (real ?? named) : resolve(root, inside), real };
}

function realFolder(path: string): string | undefined {
  try {
    return realpathSync.native(path);
  } catch {
    return undefined;
  }
}

/** What was found out about a command, when that was permitted. */
interface PermittedCommand extends JudgedPrograms {
  env: Record<string, string>;
  folder: string;
  real: string | undefined;
}

async function prepare(
  options: BashToolOptions,
  command: string,
  { real, folder, ...found }: PermittedCommand,
  { root, byDefault = [] }: Tool.Context,
) {
  if (command.includes('\0'))
    throw new ToolError('The command holds a NUL character, which no shell takes. Leave it out.');
  if (real === undefined || statSync(real, { throwIfNoEntry: false })?.isDirectory() !== true)
    throw new ToolError(`The folder ${folder} does not exist, so nothing can run in it. Name another workdir.`);
  if (realFolder(real) !== real)
    throw new ToolError(`The folder ${folder} was replaced while this call waited, so it was not run.`);
  const env = guardedEnvironment(byDefault, found, { root, env: found.env });
  // What begins with a sign would be taken for an option of the shell.
  const text = /^[-+]/.test(command) ? ` ${command}` : command;
  const argv = [options.shell ?? findShell(searchPathOutside(env['PATH'] ?? '', root)), '-c', text];
  if (options.sandbox === undefined) return { argv, cwd: real, env, settle: async () => '' };
  const { writable = writableFolders(root, real), network = false } = options.confinement ?? {};
  const wrapped = await options.sandbox.wrap(argv, { cwd: real, writable: [...writable], network, env });
  let settled: Promise<string> | undefined;
  const settle = () => (settled ??= Promise.resolve(wrapped.settle?.() ?? []).then((held) => tellHeldBack(held, root)));
  return { argv: wrapped.command, cwd: real, env: wrapped.env, settle };
}

/** The project, and the folder a command runs in where that is elsewhere, unless programs obey what is in it. */
function writableFolders(root: string, real: string): string[] {
  const isObeyed = real.split(sep).some(isProtectedName);
  return isObeyed || real === realFolder(root) ? [root] : [root, real];
}

function tellHeldBack(held: readonly { path: string; renamedTo: string | undefined }[], root: string): string {
  const lines = held.map(({ path, renamedTo }) =>
    renamedTo === undefined
      ? `[${relative(root, path)} was made or replaced in the sandbox. Other programs run or obey it, and it could not be renamed: remove it.]`
      : `[${relative(root, path)} was made or replaced in the sandbox. Other programs run or obey what has this name, so it is now ${relative(root, renamedTo)}; the person can rename it back.]`,
  );
  return lines.join('\n');
}

/** What the model has to know beside the output. The last one says how it ended. */
function closingLines({ end, exitCode, signal, hasLeftovers }: CommandEnd, timeoutMs: number): string[] {
  const leftovers =
    'Something that was started is still running and its output is no longer read. It ends with the agent; use background: true for what is to run on.';
  const lines = hasLeftovers && end === 'exited' ? [`[${leftovers}]`] : [];
  if (end === 'timed-out')
    return [
      ...lines,
      `[Stopped: it took longer than its limit of ${timeoutMs} ms. Set a longer timeout or background: true.]`,
    ];
  if (end === 'aborted') return [...lines, '[Stopped: the call was cancelled before the command ended.]'];
  if (exitCode === null) return [...lines, `[Ended by ${signal}.]`];
  return exitCode === 0 ? lines : [...lines, `[Exit code ${exitCode}.]`];
}

function firstLine(text: string): string {
  return text.trim().split('\n', 1)[0]!;
}
