import type { MarkdownToJSX } from 'markdown-to-jsx/react';
import type { ReactNode } from 'react';
import { classNames } from '../design/class-names.ts';
import { markdownWords } from './markdown-words.ts';

const ALIGN = { left: 'text-left', right: 'text-right', center: 'text-center' };
const CELL = 'border-line px-2.5 py-1.5 align-top';

/** A table, which scrolls in its own box. */
export function MarkdownTable({
  table,
  render,
}: {
  table: MarkdownToJSX.TableNode;
  render: (cell: MarkdownToJSX.ASTNode[]) => ReactNode;
}) {
  const words = markdownWords.use();
  const align = (column: number) => ALIGN[table.align[column] ?? 'left'];
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a box that scrolls must be reachable by keyboard
    <div tabIndex={0} role="group" aria-label={words.table} className="overflow-x-auto rounded-md border border-line">
      <table className="min-w-full border-collapse text-sm [overflow-wrap:normal]">
        <thead className="bg-raised">
          <tr>
            {table.header.map((cell, column) => (
              <th key={column} scope="col" className={classNames(CELL, 'border-b font-medium', align(column))}>
                {render(cell)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {table.cells.map((row, index) => (
            <tr key={index} className="[&:not(:last-child)>td]:border-b">
              {row.map((cell, column) => (
                <td key={column} className={classNames(CELL, 'max-w-96 min-w-16', align(column))}>
                  {render(cell)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
