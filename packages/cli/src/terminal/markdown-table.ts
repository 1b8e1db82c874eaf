import { stripVTControlCharacters } from 'node:util';
import { inlineRuns } from './markdown-inline.ts';
import { painter } from './paint.ts';
import { textWidth } from './text-width.ts';
import { type Run, WrapWriter } from './wrap-writer.ts';

type Align = 'left' | 'right' | 'center';

/** A column is not made narrower than this; a table that needs more room is shown row by row. */
const MIN_COLUMN = 8;

/** Whether this is the line below a table's head: `| --- | :-: |`. */
export function isTableRuler(line: string): boolean {
  return /^\|?(?:\s*:?-+:?\s*\|)+(?:\s*:?-+:?\s*)?$/.test(line.trim());
}

/** The lines of a table, head and ruler first, with its columns aligned; a cell that is too wide is wrapped in its column. */
export function renderTable(lines: readonly string[], width: number, isColored: boolean): string[] {
  const [head = [], ruler = [], ...body] = lines.map(cellsOf);
  const aligns = ruler.map(alignOf);
  const rows = [head, ...body].map((cells) => ruler.map((_, column) => runsOf(cells[column] ?? '', isColored)));
  const natural = ruler.map((_, column) => Math.max(3, ...rows.map((cells) => runsWidth(cells[column]!))));
  const frame = 3 * ruler.length + 1;
  const widths = fit(natural, width - frame);
  if (widths === undefined) return rowByRow(head, body, width, isColored);
  const paint = painter(isColored);
  const [bar, dash] = isColored ? ['│', '─'] : ['|', '-'];
  const edge = paint('dim', bar);
  const shown = rows.map((cells, row) => {
    const columns = cells.map((runs, column) =>
      wrapped(row === 0 && isColored ? runs.map(emphasised) : runs, widths[column]!),
    );
    const height = Math.max(...columns.map((column) => column.length));
    return Array.from({ length: height }, (_, line) => {
      const padded = columns.map((column, index) => pad(column[line] ?? '', widths[index]!, aligns[index]!));
      return `${edge} ${padded.join(` ${edge} `)} ${edge}`;
    });
  });
  const dashes = isColored
    ? paint('dim', `├${widths.map((columnWidth) => dash.repeat(columnWidth + 2)).join('┼')}┤`)
    : `|${widths.map((columnWidth, column) => rulerCell(columnWidth + 2, aligns[column]!)).join('|')}|`;
  return [...shown[0]!, dashes, ...shown.slice(1).flat()];
}

function cellsOf(line: string): string[] {
  const cells: string[] = [''];
  const text = line.trim().replace(/^\|/, '');
  let ticks = '';
  for (const [piece] of text.matchAll(/\\\||`+|[^\\|`]+|./g)) {
    if (piece === '|' && ticks === '') cells.push('');
    else {
      if (piece.startsWith('`')) ticks = ticks === '' ? piece : ticks === piece ? '' : ticks;
      cells.push(`${cells.pop()!}${piece}`);
    }
  }
  if (cells.length > 1 && cells.at(-1)!.trim() === '') cells.pop();
  return cells.map((cell) => cell.trim());
}

function alignOf(cell: string): Align {
  if (!cell.endsWith(':')) return 'left';
  return cell.startsWith(':') ? 'center' : 'right';
}

/** A line feed would leave the row. Without colour the marks stay. */
function runsOf(cell: string, isColored: boolean): Run[] {
  if (!isColored) return [{ text: cell, style: [] }];
  return inlineRuns(cell.replaceAll('\\|', '|')).map((run) => ({ ...run, text: run.text.replaceAll('\n', ' ') }));
}

function emphasised(run: Run): Run {
  return { ...run, style: run.style.includes('bold') ? run.style : [...run.style, 'bold'] };
}

function runsWidth(runs: readonly Run[]): number {
  return runs.reduce((sum, { text }) => sum + textWidth(text), 0);
}

/** Takes from the widest columns until all of them have room. */
function fit(natural: readonly number[], room: number): number[] | undefined {
  const widths = [...natural];
  let over = widths.reduce((sum, columnWidth) => sum + columnWidth, 0) - room;
  while (over > 0) {
    const widest = Math.max(...widths);
    if (widest <= MIN_COLUMN) return undefined;
    const next = Math.max(MIN_COLUMN, ...widths.filter((columnWidth) => columnWidth < widest));
    const ofWidest = widths.flatMap((columnWidth, index) => (columnWidth === widest ? [index] : []));
    const by = Math.max(1, Math.min(widest - next, Math.floor(over / ofWidest.length)));
    for (const index of ofWidest) {
      const taken = Math.min(by, over);
      widths[index]! -= taken;
      over -= taken;
    }
  }
  return widths;
}

function wrapped(runs: readonly Run[], width: number): string[] {
  let text = '';
  const writer = new WrapWriter(width, (piece) => (text += piece));
  for (const run of runs) writer.text(run);
  writer.endLine();
  return text.replace(/\n$/, '').split('\n');
}

function pad(text: string, width: number, align: Align): string {
  const missing = Math.max(0, width - textWidth(stripVTControlCharacters(text)));
  const before = align === 'left' ? 0 : align === 'right' ? missing : Math.floor(missing / 2);
  return `${' '.repeat(before)}${text}${' '.repeat(missing - before)}`;
}

function rulerCell(width: number, align: Align): string {
  const dashes = '-'.repeat(width - 2);
  if (align === 'left') return ` ${dashes} `;
  return align === 'right' ? ` ${dashes.slice(1)}: ` : ` :${dashes.slice(2)}: `;
}

/** `name: value` lines, for a table that has no room side by side. */
function rowByRow(
  head: readonly string[],
  body: readonly (readonly string[])[],
  width: number,
  isColored: boolean,
): string[] {
  const titles = head.map((title) => runsOf(title, isColored).map(emphasised));
  return body.flatMap((cells, row) => {
    const lines = titles.flatMap((title, column) => {
      const value = runsOf(cells[column] ?? '', isColored);
      const style = title[0]?.style ?? [];
      const shown = isColored ? title : title.map((run) => ({ ...run, style: [] }));
      return wrapped([...shown, { text: ': ', style: isColored ? style : [] }, ...value], width);
    });
    return row === 0 ? lines : ['', ...lines];
  });
}
