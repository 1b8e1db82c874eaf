import type { Definition } from '../definition.ts';

const HEADING = /^ {0,3}(#{1,6})[ \t]+(.+?)[ \t]*#*[ \t]*$/;
const FENCE = /^ {0,3}(`{3,}|~{3,})/;
const UNDERLINE = /^([=\-~^"'*+#.:])\1{2,}[ \t]*$/;

/** Headings and what stands under them, up to the next heading of the same rank. */
export function findInMarkdown(text: string, path: string): Definition[] {
  const isRst = path.endsWith('.rst');
  const sections: Definition[] = [];
  const open: { rank: number; section: Definition }[] = [];
  const underlines: string[] = [];
  const lines = text.split('\n');
  let fence: string | undefined;
  const begin = (title: string, rank: number, line: number) => {
    while (open.length > 0 && open.at(-1)!.rank >= rank) open.pop()!.section.endLine = line - 1;
    const name = title
      .replace(/!?\[([^\]\n]*)\]\([^)\n]*\)/g, '$1')
      .replace(/[`*_]{1,3}/g, '')
      .trim()
      .slice(0, 120);
    if (name === '') return;
    const section: Definition = { name, kind: 'section', line, endLine: line };
    const container = open.at(-1)?.section.name;
    if (container !== undefined) section.container = container;
    sections.push(section);
    open.push({ rank, section });
  };
  for (let index = 0; index < lines.length; index++) {
    const line = lines[index]!;
    const first = line.charCodeAt(0);
    // Only these can begin a fence, a heading or an underline: # ` ~ blank = -
    if (fence !== undefined) {
      if (line.trimStart().startsWith(fence) && line.trim() === fence[0]!.repeat(line.trim().length)) fence = undefined;
      continue;
    }
    if (line.length > 400) continue;
    if (!isRst) {
      if (first === 96 || first === 126 || first === 32) {
        fence = FENCE.exec(line)?.[1];
        if (fence !== undefined) continue;
      }
      const heading = first === 35 || first === 32 ? HEADING.exec(line) : null;
      if (heading !== null) {
        begin(heading[2]!, heading[1]!.length, index + 1);
        continue;
      }
    }
    const above = lines[index - 1]?.trimEnd() ?? '';
    if (index === 0 || above === '' || above.length > 200) continue;
    const underline = UNDERLINE.exec(line)?.[1];
    if (underline === undefined) continue;
    if (isRst) {
      if (line.trimEnd().length < above.length || UNDERLINE.test(above)) continue;
      if (!underlines.includes(underline)) underlines.push(underline);
      begin(above.trim(), underlines.indexOf(underline) + 1, index);
    } else if (
      (underline === '=' || underline === '-') &&
      !/^[ \t]*(?:[-*+|>#]|\d+\.)/.test(above) &&
      isParagraphStart(lines, index - 1)
    )
      begin(above.trim(), underline === '=' ? 1 : 2, index);
  }
  const last = text.endsWith('\n') ? lines.length - 1 : lines.length;
  for (const { section } of open) section.endLine = Math.max(section.line, last);
  return sections;
}

/** Front matter and tables have such lines too; a title stands alone above its own. */
function isParagraphStart(lines: readonly string[], index: number): boolean {
  return index === 0 || lines[index - 1]!.trim() === '';
}
