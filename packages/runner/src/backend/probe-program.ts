import { join } from 'node:path';
import type { Fault } from '@dragoman/protocol';
import { startChildAgent } from './child-agent.ts';
import { findCommand, missingProgram } from './find-command.ts';
import { type StartAttempt, type StartVerdict, startVerdict } from './start-verdicts.ts';

/** A program that an agent is. */
export interface ProbedProgram {
  /** How people know the agent. */
  title: string;
  command: readonly string[];
  env: Readonly<Record<string, string>>;
  /** What to do where it is missing. */
  install: string;
  patienceMs?: number | undefined;
}

/** Where a program only says which one it is, longer than this it does something else. */
const VERSION_MS = 8_000;
const LONGEST_LINE = 300;

/** Why an agent cannot be started on this machine: its program is missing, or was started and did not come up. */
export async function probeProgram(
  { title, command, env, install, patienceMs }: ProbedProgram,
  attempt: StartAttempt = (cwd) => tryVersion(command, env, cwd),
): Promise<Fault | undefined> {
  const program = command[0] ?? '';
  const place = findCommand(program, env['PATH']);
  if (place === undefined)
    return {
      code: 'unavailable',
      message: `${title} is not installed: ${missingProgram(program)}`,
      fix: install,
    };
  const verdict = await startVerdict(place, [...command, JSON.stringify(env)], attempt, patienceMs);
  if (verdict === undefined) return undefined;
  return { code: 'unavailable', message: `${title} does not start: ${toLine(verdict)}` };
}

/**
 * Starts the program only to say its version, without any input.
 *
 * Some make their folders in the home of the user even then, so it gets others, which go with the folder that it is started in. What
 * is found by way of those of the user, as version managers do, is tried with them.
 */
export async function tryVersion(
  command: readonly string[],
  env: Readonly<Record<string, string>>,
  cwd: string,
): Promise<StartVerdict> {
  const elsewhere = Object.fromEntries(OWN_FOLDERS.map((name) => [name, join(cwd, name.toLowerCase())]));
  const verdict = await runVersion(command, { ...env, ...elsewhere }, cwd);
  return verdict === undefined ? undefined : runVersion(command, env, cwd);
}

/** Where programs keep what is theirs, as the XDG specification has it. */
const OWN_FOLDERS = ['XDG_CACHE_HOME', 'XDG_CONFIG_HOME', 'XDG_DATA_HOME', 'XDG_STATE_HOME'] as const;

async function runVersion(
  command: readonly string[],
  env: Readonly<Record<string, string>>,
  cwd: string,
): Promise<StartVerdict> {
  const child = await startChildAgent({
    command: [command[0] ?? '', '--version'],
    cwd,
    env,
    onLine: () => {},
    graceMs: 500,
  });
  child.closeInput();
  const late = setTimeout(() => void child.stop(), VERSION_MS);
  const { code, wasStopped, text } = await child.ended;
  clearTimeout(late);
  return code === 0 || wasStopped ? undefined : `"${command[0]} --version" ${text}`;
}

function toLine(text: string): string {
  const line = text.trim().replaceAll(/\s+/g, ' ');
  return line.length > LONGEST_LINE ? `${line.slice(0, LONGEST_LINE)}…` : line;
}
