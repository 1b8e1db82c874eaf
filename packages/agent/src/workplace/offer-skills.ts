import type { SkillProblem, SkillSet } from '../skills/find-skills.ts';
import type { SkillToolOptions } from '../skills/skill-tool.ts';
import type { ToolRegistry } from '../tools/tool-registry.ts';
import type { Tool } from '../tools/tool.ts';

/** Where skills are found, run and told. */
export interface OfferSkillsOptions extends Pick<SkillToolOptions, 'sandbox'> {
  skills(): Promise<SkillSet>;
  registry: ToolRegistry;
  /** Something is wrong with a file; told every time. */
  onProblem(problem: SkillProblem): void;
}

/**
 * Keeps the skill tool in line with the skills there are: without any there is no such tool.
 *
 * To be called before a turn. Until a skill comes, goes or is described anew the tool stays the same, and with it what the
 * model is sent; what changes during a turn is still found by name.
 */
export function offerSkills({ skills, sandbox, registry, onProblem }: OfferSkillsOptions): () => Promise<void> {
  let offered = '[]';
  let isRegistered = false;
  return async () => {
    const { skills: found, problems } = await skills();
    for (const problem of problems) onProblem(problem);
    const wanted = JSON.stringify(found.map(({ name, description }) => [name, description]));
    if (wanted === offered) return;
    offered = wanted;
    const tool = found.length === 0 ? undefined : await openTool({ skills, sandbox });
    if (wanted !== offered) return; // The turn of another session was faster, and knows better.
    if (isRegistered) registry.unregister('skill');
    isRegistered = tool !== undefined && registry.register(tool);
  };
}

async function openTool(options: SkillToolOptions): Promise<Tool.Info> {
  const { skillTool } = await import('../skills/skill-tool.ts');
  return skillTool(options);
}
