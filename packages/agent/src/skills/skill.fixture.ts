import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Writes a skill into a folder of skills, with its files, and gives back its own folder. */
export function writeSkill(
  skills: string,
  name: string,
  {
    head = '',
    body = `How to ${name}.`,
    files = {},
  }: { head?: string; body?: string; files?: Record<string, string> } = {},
): string {
  const folder = join(skills, name);
  const all = { ...files, 'SKILL.md': `---\nname: ${name}\ndescription: Does ${name}.\n${head}\n---\n${body}\n` };
  for (const [path, content] of Object.entries(all)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
  return folder;
}
