import type { Definition } from '../definition.ts';
import { matchRules } from '../match-rules.ts';
import { scanSource } from '../scan-source.ts';
import { typescript } from './typescript.ts';

const OPENING = /<script\b[^>\n]{0,200}>|^---[ \t]*\r?$/gm;

/** Files that hold a script beside their markup: `<script>` of Vue and Svelte, the part between `---` of Astro. */
export function findInVue(text: string): Definition[] {
  const definitions: Definition[] = [];
  OPENING.lastIndex = 0;
  for (let match = OPENING.exec(text); match !== null; match = OPENING.exec(text)) {
    const start = OPENING.lastIndex;
    const end = text.indexOf(match[0].startsWith('<') ? '</script' : '\n---', start);
    const script = text.slice(start, end === -1 ? text.length : end);
    const before = countLines(text, start);
    for (const definition of matchRules(scanSource(script, typescript.lexis), typescript))
      definitions.push({ ...definition, line: definition.line + before, endLine: definition.endLine + before });
    if (end === -1) break;
    OPENING.lastIndex = end + 4;
  }
  return definitions;
}

function countLines(text: string, to: number): number {
  let count = 0;
  for (let at = text.indexOf('\n'); at !== -1 && at < to; at = text.indexOf('\n', at + 1)) count++;
  return count;
}
