import type { Tokens } from 'marked';
import { cleanText, plainSpan } from './rich-text.ts';
import type { Block } from './telegram-body.ts';

/** A wider table would be broken by every screen; its rows are told one under the other. */
const MAX_WIDTH = 72;

/** A table as code, because only there all characters are as wide as the others. */
export function tableBlock(table: Tokens.Table, read: (cell: Tokens.TableCell) => string): Block[] {
  const line = (cells: readonly Tokens.TableCell[]) =>
    cells.map((cell) => cleanText(read(cell)).replaceAll('\u2060', '').replaceAll(/\s+/g, ' ').trim());
  const header = line(table.header);
  const rows = table.rows.map(line);
  const widths = header.map((_, column) => Math.max(...[header, ...rows].map((row) => widthOf(row[column] ?? ''))));
  if (widths.reduce((sum, width) => sum + width + 3, -3) > MAX_WIDTH) return [recordsBlock(header, rows)];
  const written = [header, widths.map((width) => '─'.repeat(Math.max(1, width))), ...rows].map((row, index) =>
    row
      .map((cell, column) => padded(cell, widths[column]!, index === 1 ? null : (table.align[column] ?? null)))
      .join(index === 1 ? '─┼─' : ' │ ')
      .trimEnd(),
  );
  const text = written.join('\n');
  return text.trim() === '' ? [] : [{ type: 'pre', text, language: '' }];
}

function recordsBlock(header: readonly string[], rows: readonly (readonly string[])[]): Block {
  const records = rows.length === 0 ? [header.map(() => '')] : rows;
  const spans = records.flatMap((row, index) =>
    header.flatMap((name, column) => [
      { text: `${index + column === 0 ? '' : '\n'}${column === 0 ? '• ' : '   '}` },
      plainSpan(name, { bold: true }),
      plainSpan(`${name === '' ? '' : ': '}${row[column] ?? ''}`),
    ]),
  );
  return { type: 'text', spans };
}

function padded(cell: string, width: number, align: 'left' | 'right' | 'center' | null): string {
  const space = Math.max(0, width - widthOf(cell));
  const left = align === 'right' ? space : align === 'center' ? Math.floor(space / 2) : 0;
  return `${' '.repeat(left)}${cell}${' '.repeat(space - left)}`;
}

/** How many columns a text takes: characters of East Asia take two. */
function widthOf(text: string): number {
  let width = 0;
  for (const character of text)
    if (!/\p{Mn}|\p{Cf}/u.test(character))
      width +=
        /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Extended_Pictographic}/u.test(
          character,
        )
          ? 2
          : 1;
  return width;
}
