import type { MarkdownToJSX } from 'markdown-to-jsx/react';
import type { ReactNode } from 'react';
import { classNames } from '../design/class-names.ts';
import { markdownWords } from './markdown-words.ts';
import { type MarkdownNode, textOf } from './own-nodes.ts';

const ALIGN = { left: 'text-left', right: 'text-right', center: 'text-center' };
const CELL = 'border-line px-2.5 py-1.5 align-top';
/** What is this short stays in one line: a number and its unit are not torn apart while a longer text has room. */
const SHORT_CHARS = 24;

/** A table, which scrolls in its own box. */
export function MarkdownTable({
  table,
  render,
}: {
  table: MarkdownToJSX.TableNode;
  render: (cell: MarkdownToJSX.ASTNode[]) => ReactNode;
}) {
  const words = markdownWords.use();
  const look = (cell: readonly MarkdownNode[], column: number) =>
    classNames(
      CELL,
      ALIGN[table.align[column] ?? 'left'],
      textOf(cell).length <= SHORT_CHARS ? 'whitespace-nowrap' : 'max-w-96 min-w-48',
    );
  return (
    <div
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a box that scrolls must be reachable by keyboard
      tabIndex={0}
      role="group"
      aria-label={words.table}
      className="overflow-x-auto rounded-md border border-line bg-panel"
    >
      <table className="min-w-full border-collapse text-sm [overflow-wrap:normal]">
        <thead className="bg-hover">
          <tr>
            {table.header.map((cell, column) => (
              <th key={column} scope="col" className={`${look(cell, column)} border-b font-semibold`}>
                {render(cell)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {table.cells.map((row, index) => (
            <tr key={index} className="[&:not(:last-child)>td]:border-b">
              {row.map((cell, column) => (
                <td key={column} className={look(cell, column)}>
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
