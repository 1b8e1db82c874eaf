import type { TextMatch } from './text-edit.ts';

interface Line {
  start: number;
  text: string;
  ending: string;
}

interface Block {
  lines: string[];
  hasFinalEnd: boolean;
}

/** Makes a line of the new text fit the file; nothing when it cannot. */
type Fit = (line: string) => string | undefined;

/** The same lines but for spaces and tabs at their ends. Whole lines only. */
export function matchTrailingWhitespace(content: string, oldString: string, newString: string): TextMatch[] {
  const file = linesOf(content);
  const old = blockOf(oldString);
  const wanted = old.lines.map((line) => line.trimEnd());
  const present = file.map(({ text }) => text.trimEnd());
  const fresh = blockOf(newString);
  return places(present, wanted).flatMap((at) => replaceBlock(file, at, old, fresh, (line) => line) ?? []);
}

/**
 * The same lines, all of them further in or further out by the same spaces or tabs. The new lines move with them. Whole
 * lines only; where a new line has not enough to take away, the place does not count.
 */
export function matchIndentation(content: string, oldString: string, newString: string): TextMatch[] {
  const file = linesOf(content);
  const old = blockOf(oldString);
  const fresh = blockOf(newString);
  const wanted = old.lines.map((line) => line.trim());
  const present = file.map(({ text }) => text.trim());
  return places(present, wanted).flatMap((at) => {
    const fit = fitOf(file.slice(at, at + old.lines.length), old.lines);
    return (fit === undefined ? undefined : replaceBlock(file, at, old, fresh, fit)) ?? [];
  });
}

/** How the new lines have to move, when all old ones are off by the same. */
function fitOf(file: readonly Line[], old: readonly string[]): Fit | undefined {
  const filled = old.flatMap((line, index) => (line.trim() === '' ? [] : [index]));
  const shifts = filled.map((index) => [indentOf(file[index]?.text ?? ''), indentOf(old[index] ?? '')] as const);
  const [inFile = '', inOld = ''] = shifts[0] ?? [];
  if (inFile.endsWith(inOld)) {
    const added = inFile.slice(0, inFile.length - inOld.length);
    if (!shifts.every(([there, here]) => there === added + here)) return undefined;
    return (line) => (line.trim() === '' ? line : added + line);
  }
  if (!inOld.endsWith(inFile)) return undefined;
  const removed = inOld.slice(0, inOld.length - inFile.length);
  if (!shifts.every(([there, here]) => here === removed + there)) return undefined;
  return (line) => {
    if (line.startsWith(removed)) return line.slice(removed.length);
    return line.trim() === '' ? '' : undefined;
  };
}

/** The edit of one place. Lines at both ends that the new text leaves as they were stay as the file has them. */
function replaceBlock(file: readonly Line[], at: number, old: Block, fresh: Block, fit: Fit): TextMatch | undefined {
  const there = file.slice(at, at + old.lines.length);
  const last = there.at(-1);
  const first = there[0];
  if (first === undefined || last === undefined) return undefined;
  const { before, after } = commonLines(old.lines, fresh.lines);
  const lineEnd =
    there.find(({ ending }) => ending !== '')?.ending ?? file.find(({ ending }) => ending !== '')?.ending ?? '\n';
  const middle = fresh.lines.slice(before, fresh.lines.length - after).map(fit);
  if (middle.includes(undefined)) return undefined;
  const result = [
    ...there.slice(0, before),
    ...middle.map((text) => ({ text: text ?? '', ending: lineEnd })),
    ...there.slice(there.length - after),
  ];
  const text = result
    .map(
      (line, index) =>
        line.text + (index < result.length - 1 ? line.ending || lineEnd : lastEnding(last, old, fresh, lineEnd)),
    )
    .join('');
  const start = first.start;
  const end = last.start + last.text.length + (old.hasFinalEnd ? last.ending.length : 0);
  return { at: start, to: end, edit: { start, end, text } };
}

function lastEnding(last: Line, old: Block, fresh: Block, lineEnd: string): string {
  if (!fresh.hasFinalEnd) return '';
  return old.hasFinalEnd ? last.ending : lineEnd;
}

function commonLines(old: readonly string[], fresh: readonly string[]): { before: number; after: number } {
  const most = Math.min(old.length, fresh.length);
  let before = 0;
  while (before < most && old[before] === fresh[before]) before++;
  let after = 0;
  while (after < most - before && old.at(-1 - after) === fresh.at(-1 - after)) after++;
  return { before, after };
}

/** Where the wanted lines stand among those present, one after the other. */
function places(present: readonly string[], wanted: readonly string[]): number[] {
  const found: number[] = [];
  for (let at = 0; at + wanted.length <= present.length; at++)
    if (wanted.every((line, index) => present[at + index] === line)) found.push(at);
  return found;
}

function linesOf(content: string): Line[] {
  const lines: Line[] = [];
  let start = 0;
  for (const match of content.matchAll(/\r?\n/g)) {
    lines.push({ start, text: content.slice(start, match.index), ending: match[0] });
    start = match.index + match[0].length;
  }
  if (start < content.length) lines.push({ start, text: content.slice(start), ending: '' });
  return lines;
}

function blockOf(text: string): Block {
  if (text === '') return { lines: [], hasFinalEnd: false };
  const lines = text.split(/\r?\n/);
  const hasFinalEnd = lines.at(-1) === '';
  return { lines: hasFinalEnd ? lines.slice(0, -1) : lines, hasFinalEnd };
}

function indentOf(line: string): string {
  return /^[ \t]*/.exec(line)?.[0] ?? '';
}
