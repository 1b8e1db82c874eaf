import type { Skill } from './find-skills.ts';

/** All the text about skills that a model is sent with every call. */
const MAX_CHARACTERS = 15_000;
const SHORTEST = 60;

/**
 * What the model reads of the skills before it chooses one: what the tool does, and a line for each.
 *
 * Many skills share the room there is: the longest descriptions are cut first, then they are left out, and then the last
 * names, which the error for an unknown name still lists.
 */
export function describeSkills(skills: readonly Skill[]): string {
  if (skills.length === 0) return `${WHAT_IT_DOES} There are no skills here.`;
  const room = MAX_CHARACTERS - WHAT_IT_DOES.length - 100;

  let lines = skills.map(({ name, description }) => line(name, description));
  if (lengthOf(lines) > room) {
    const limit = longestThatFits(skills, room);
    lines = skills.map(({ name, description }) =>
      limit < SHORTEST ? `- ${name}` : line(name, shortened(description, limit)),
    );
  }
  const shown = firstThatFit(lines, room);
  const left = lines.length - shown.length;
  return [
    `${WHAT_IT_DOES} The skills are:`,
    ...shown,
    ...(left === 0 ? [] : [`- and ${left} more, without room here`]),
  ].join('\n');
}

const WHAT_IT_DOES =
  'Uses a skill: what others have prepared for a kind of task. The result is either instructions to follow, with the folder ' +
  "where their files are, or what the skill's own script found out. Use one when the task is what its description says, " +
  'before you begin.';

function line(name: string, description: string): string {
  return `- ${name}: ${description.replace(/\s+/g, ' ')}`;
}

function firstThatFit(lines: readonly string[], room: number): readonly string[] {
  let used = 0;
  const tooMuch = lines.findIndex(({ length }) => (used += length + 1) > room);
  return tooMuch === -1 ? lines : lines.slice(0, tooMuch);
}

function lengthOf(lines: readonly string[]): number {
  return lines.reduce((sum, { length }) => sum + length + 1, 0);
}

function longestThatFits(skills: readonly Skill[], room: number): number {
  let low = 0;
  let high = 1024;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    const lines = skills.map(({ name, description }) => line(name, shortened(description, middle)));
    if (lengthOf(lines) <= room) low = middle;
    else high = middle - 1;
  }
  return low;
}

function shortened(description: string, limit: number): string {
  return description.length <= limit ? description : `${description.slice(0, Math.max(0, limit - 1)).trimEnd()}…`;
}
