import type { MarkedRole, TextRules } from './text-rules.ts';

/** What the beginning of a line is: a marker, none, or too short to tell. */
export type LineMatch = { role: MarkedRole; length: number } | 'none' | 'wait';

/** Deeper lines are code or output that quotes. */
const DEEPEST_INDENT = 8;

/**
 * Finds markers at the beginning of lines.
 *
 * A colon stands for a full-width one too, and a marker may be bold (`**Thought:**`, `**Thought**:`), as models write
 * it. Where one marker begins another the longer one counts, so the answer may have to wait for more of the line.
 */
export class LineMarkers {
  readonly #literals: { text: string; role: MarkedRole }[] = [];

  constructor(rules: TextRules) {
    for (const role of ['thinking', 'tool', 'toolInput', 'result', 'answer'] as const)
      for (const marker of rules[role] ?? [])
        for (const text of spellings(narrow(marker))) this.#literals.push({ text, role });
  }

  /** What this line begins with, of the roles that can be opened here. A line that is whole is never waited for. */
  match(line: string, isWhole: boolean, isAllowed: (role: MarkedRole) => boolean): LineMatch {
    const head = narrow(line.slice(0, 300));
    const indent = head.length - head.trimStart().length;
    if (indent > DEEPEST_INDENT) return 'none';
    const rest = head.slice(indent);
    let found: { role: MarkedRole; length: number } | 'none' = 'none';
    let longest = 0;
    for (const { text, role } of this.#literals) {
      if (!isAllowed(role)) continue;
      if (!isWhole && rest.length < text.length && text.startsWith(rest)) return 'wait';
      if (text.length <= longest || !rest.startsWith(text)) continue;
      longest = text.length;
      found = { role, length: indent + text.length };
    }
    return found;
  }
}

function spellings(marker: string): string[] {
  const bold = [`**${marker}**`];
  if (marker.endsWith(':')) bold.push(`**${marker.slice(0, -1)}**:`);
  return [marker, ...bold];
}

/** Both colons are one UTF-16 unit, so places in the line stay where they are. */
function narrow(text: string): string {
  return text.replaceAll('：', ':');
}
