import type { LineStart } from './markdown-line-start.ts';

/** A block of code between two fences. */
export interface Fence {
  sign: string;
  length: number;
  /** How far its first line is indented; as much is taken from the others. */
  column: number;
  /** In how many quotes it stands. */
  quotes: number;
  isDiff: boolean;
}

/** What a line inside is: code, the fence's end, or outside already, because the quote ended. */
export type CodeLine = { kind: 'code'; code: string } | { kind: 'close'; marks: string } | { kind: 'outside' };

export function openFence({ column, containers }: LineStart, content: string): Fence {
  const [, marks = '', info] = /^(`+|~+)\s*(\S*)/.exec(content) ?? [];
  return {
    sign: marks[0]!,
    length: marks.length,
    column,
    quotes: containers.filter(({ kind }) => kind === 'quote').length,
    isDiff: info === 'diff' || info === 'patch',
  };
}

/** Reads a line, or as much of it as there is. `undefined`: it could still become the end. */
export function readCodeLine(line: string, isWhole: boolean, fence: Fence): CodeLine | undefined {
  let rest = line;
  for (let quote = 0; quote < fence.quotes; quote++) {
    if (!isWhole && /^[ \t]*>?$/.test(rest)) return undefined;
    const mark = /^[ \t]*> ?/.exec(rest);
    if (mark === null) return { kind: 'outside' };
    rest = rest.slice(mark[0].length);
  }
  if (!isWhole && /^[ \t]*(?:`*|~*)[ \t]*$/.test(rest)) return undefined;
  const [, indent = '', marks = ''] = /^([ \t]*)(`+|~+)[ \t]*$/.exec(rest) ?? [];
  if (marks.startsWith(fence.sign) && marks.length >= fence.length && indent.length < fence.column + 4)
    return { kind: 'close', marks };
  return { kind: 'code', code: withoutIndent(rest, fence.column) };
}

function withoutIndent(line: string, column: number): string {
  let at = 0;
  while (at < column && line[at] === ' ') at++;
  return line.slice(at);
}
