import { realpathSync, statSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import type { Sandbox } from '../sandbox/open-sandbox.ts';
import type { Limits } from '../sandbox/run-confined.ts';
import { Tool, ToolError } from '../tools/tool.ts';
import { describeSkills } from './describe-skills.ts';
import type { Skill, SkillSet } from './find-skills.ts';
import { MAX_SKILL_TIMEOUT_MS } from './parse-skill.ts';
import { runSkillScript, SKILL_LIMITS, SKILL_SCRIPT } from './run-skill-script.ts';

/** What the tool needs of its surroundings. */
export interface SkillToolOptions {
  /** Asked when the tool is made, for its description, and again at every use. */
  skills(): Promise<SkillSet>;
  /** Asked only when a script is to be run. Throws a `ToolError` where there is no sandbox. */
  sandbox(): Promise<Sandbox>;
  limits?: Limits;
}

/**
 * The tool through which a model uses skills, whichever way they work.
 *
 * A script is run in the sandbox; a skill without one, or one that says `mode: direct`, gives its text and starts no process.
 * The description is made once, so that what a model is sent stays the same for as long as the tool is used.
 */
export async function skillTool({
  skills,
  sandbox,
  limits = SKILL_LIMITS,
}: SkillToolOptions): Promise<Tool.Info<{ name: string }>> {
  return Tool.define({
    id: 'skill',
    description: describeSkills((await skills()).skills),
    parameters: z.object({ name: z.string().min(1).describe('The name of the skill, as it is listed.') }),
    isReadOnly: true,
    subjects: ({ name }) => [{ kind: 'name', value: name }],
    // The script has its own limit, which ends it with its reason.
    timeoutMs: () => Math.max(MAX_SKILL_TIMEOUT_MS, limits.timeoutMs) + 10_000,
    async execute({ name }, { cwd, abort }) {
      const skill = named(name, await skills());
      if (!runsScript(skill))
        return { title: name, output: await instructions(skill), metadata: { skill: name, mode: 'direct' } };

      const output = await runSkillScript(skill, { sandbox: await sandbox(), cwd, abort, limits });
      return {
        title: name,
        output: output.trim() === '' ? `The script of the skill "${name}" ended well and printed nothing.` : output,
        metadata: { skill: name, mode: 'sandbox' },
      };
    },
  });
}

function named(name: string, { skills, problems }: SkillSet): Skill {
  const skill = skills.find((candidate) => candidate.name === name);
  if (skill !== undefined) return skill;
  const broken = problems.find(({ kind, path }) => kind === 'broken' && path.endsWith(`/${name}/SKILL.md`));
  const known = skills.map((candidate) => candidate.name).toSorted();
  throw new ToolError(
    [
      broken === undefined
        ? `There is no skill "${name}".`
        : `The skill "${name}" cannot be used: ${broken.path}:${broken.line ?? 1}: ${broken.reason}.`,
      known.length === 0 ? 'There are no skills here.' : `The skills are: ${known.join(', ')}.`,
    ].join(' '),
  );
}

function runsScript({ name, mode, folder }: Skill): boolean {
  if (mode === 'direct') return false;
  const script = join(folder, SKILL_SCRIPT);
  if (statSync(script, { throwIfNoEntry: false })?.isFile() !== true) return false;
  // The folder was looked at a moment ago; whatever is at its path by now is what the sandbox would show.
  if (realpathSync.native(script) !== script)
    throw new ToolError(`The skill "${name}" cannot be used: its script is a link that leads out of its folder.`);
  return true;
}

/** The text of the skill, and what a reader needs to follow it: where its files are. */
async function instructions({ body, folder }: Skill): Promise<string> {
  const { files, hasMore } = await filesIn(folder);
  return [
    body,
    `The folder of this skill, where its relative paths start: ${folder}`,
    ...(files.length === 0
      ? []
      : [`Files in it:\n${files.map((file) => `- ${file}`).join('\n')}${hasMore ? '\n- and more' : ''}`]),
  ].join('\n\n');
}

const MAX_FILES = 10;
const LEFT_OUT = new Set(['SKILL.md', 'node_modules', '.git', '.DS_Store', '__pycache__']);

/** The first files by name, folder by folder; links are not followed. */
async function filesIn(folder: string): Promise<{ files: string[]; hasMore: boolean }> {
  const files: string[] = [];
  const folders = [''];
  for (let place = folders.shift(); place !== undefined && files.length <= MAX_FILES; place = folders.shift()) {
    const entries = await readdir(join(folder, place), { withFileTypes: true }).catch(() => []);
    for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
      if (LEFT_OUT.has(entry.name)) continue;
      const path = place === '' ? entry.name : `${place}/${entry.name}`;
      if (entry.isFile()) files.push(path);
      else if (entry.isDirectory()) folders.push(path);
    }
  }
  return { files: files.slice(0, MAX_FILES), hasMore: files.length > MAX_FILES };
}
