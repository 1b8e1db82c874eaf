import { join } from 'node:path';
import type { Sandbox } from '../sandbox/open-sandbox.ts';
import type { Limits, SandboxResult } from '../sandbox/run-confined.ts';
import { ToolError } from '../tools/tool.ts';
import type { Skill } from './find-skills.ts';

/** How much a script may use where its skill says nothing. */
export const SKILL_LIMITS: Limits = {
  timeoutMs: 30_000,
  memoryBytes: 256 * 2 ** 20,
  maxProcesses: 16,
  maxOutputBytes: 2 ** 20,
};

/** Where a skill keeps its script, below its folder. */
export const SKILL_SCRIPT = join('scripts', 'execute.js');

/**
 * Runs the script of a skill and gives back what it printed.
 *
 * The script finds one line of JSON on its standard input, `{"name": …, "cwd": …}`: the name it was asked for by, and the
 * folder the agent works in. It cannot read that folder; it is told so that it can speak of it. It is run in its own folder
 * with Node, as CommonJS or as a module by Node's own rules. What it prints is the result; ending with an exit code other
 * than 0 is a failure, and what it wrote to standard error says why.
 */
export async function runSkillScript(
  skill: Skill,
  { sandbox, cwd, abort, limits }: { sandbox: Sandbox; cwd: string; abort: AbortSignal; limits: Limits },
): Promise<string> {
  const result = await sandbox.run({
    ...limits,
    timeoutMs: skill.timeoutMs ?? limits.timeoutMs,
    // The collector works harder before the limit instead of being surprised by it.
    command: [process.execPath, `--max-old-space-size=${heapMegabytes(limits)}`, join(skill.folder, SKILL_SCRIPT)],
    cwd: skill.folder,
    input: `${JSON.stringify({ name: skill.name, cwd })}\n`,
    readOnly: [skill.folder],
    abort,
  });
  if (result.exitCode !== 0) throw failure(skill, result);
  return result.stdout;
}

function heapMegabytes({ memoryBytes }: Limits): number {
  return Math.max(16, Math.floor((memoryBytes / 2 ** 20) * 0.75));
}

const END_OF_STDERR = 2000;

function failure({ name }: Skill, { exitCode, endedBy, reason, stderr }: SandboxResult): ToolError {
  const why = reason ?? guessed(exitCode, stderr);
  const said = stderr.trim().slice(-END_OF_STDERR);
  return new ToolError(
    [
      `The skill "${name}" failed: ${why}.`,
      'Its script runs in a sandbox: the network is off, its own folder is read-only, the home folder and the project are ' +
        'not there, and it can write only to its temporary folder ($TMPDIR).',
      said === '' ? 'It wrote nothing to standard error.' : `The end of its standard error:\n${said}`,
    ].join('\n'),
    { metadata: { skill: name, mode: 'sandbox', exitCode, ...(endedBy === undefined ? {} : { endedBy }) } },
  );
}

/** What the sandbox has to do with it, by the words in which the system refuses. */
function guessed(exitCode: number | null, stderr: string): string {
  const ended = `its script ended with exit code ${exitCode}`;
  const refusal = REFUSALS.find(([words]) => words.test(stderr));
  return refusal === undefined ? ended : `${refusal[1]} (${ended})`;
}

const REFUSALS: readonly (readonly [RegExp, string])[] = [
  [
    /\b(?:ENETUNREACH|EHOSTUNREACH|ENETDOWN|EAI_AGAIN|ENOTFOUND|ECONNREFUSED|EAFNOSUPPORT)\b|Network is unreachable/,
    'network is off',
  ],
  [/\bEROFS\b|Read-only file system/, 'read-only: it tried to write outside its temporary folder'],
  [/\bENOENT\b|No such file or directory/, 'files: it looked for one that is not there, or not in the sandbox'],
];
