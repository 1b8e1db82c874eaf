import { readFileSync, writeFileSync } from 'node:fs';

/** What a part of the benchmark found, as it stands in a document. */
export interface Table {
  /** The name between the marks of the document. */
  name: string;
  head: readonly string[];
  rows: readonly (readonly string[])[];
  /** What has to be known to read it. */
  note?: string;
}

/** The table in Markdown. */
export function markdownOf({ head, rows, note }: Table): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  const lines = [line(head), line(head.map((_, index) => (index === 0 ? '---' : '---:'))), ...rows.map(line)];
  return [...lines, ...(note === undefined ? [] : ['', note])].join('\n');
}

/** Puts tables into a text, each between its marks `<!-- NAME -->` and `<!-- /NAME -->`. */
export function putTables(text: string, tables: readonly Table[]): string {
  return tables.reduce((before, table) => {
    const [begin, end] = [`<!-- ${table.name} -->`, `<!-- /${table.name} -->`];
    const [from, to] = [before.indexOf(begin), before.indexOf(end)];
    if (from === -1 || to < from) throw new Error(`There is no place for the table "${table.name}".`);
    return `${before.slice(0, from + begin.length)}\n\n${markdownOf(table)}\n\n${before.slice(to)}`;
  }, text);
}

/** The same in a file. */
export function writeTables(file: string, tables: readonly Table[]): void {
  writeFileSync(file, putTables(readFileSync(file, 'utf8'), tables));
}
