import { basename, dirname } from 'node:path';
import type { SkillInfo } from '@dragoman/protocol/console';
import type { SkillProblem, SkillSet } from '../skills/find-skills.ts';

/** The skills that can be used, then files and folders that should be skills and are not, each with what is wrong. */
export function describeFoundSkills({ skills, problems }: SkillSet): SkillInfo[] {
  const usable = skills.map(({ name, description, path }) => {
    const problem = problems.find((each) => each.path === path);
    return { name, description, path, ...(problem === undefined ? {} : { problem: describe(problem) }) };
  });
  const paths = new Set(skills.map(({ path }) => path));
  const others = problems
    .filter(({ path }) => !paths.has(path))
    .map((problem) => ({ name: nameOf(problem), description: '', path: problem.path, problem: describe(problem) }));
  return [...usable, ...others];
}

/** A file that cannot be read has the name of its folder. */
function nameOf({ path }: SkillProblem): string {
  return basename(path) === 'SKILL.md' ? basename(dirname(path)) : basename(path);
}

function describe({ line, reason }: SkillProblem): string {
  return line === undefined ? reason : `line ${line}: ${reason}`;
}
