import { MessageSquarePlus } from 'lucide-react';
import { Fragment, type KeyboardEvent, type ReactNode } from 'react';
import type { CodePiece } from '../code/highlighter.ts';
import { classNames } from '../design/class-names.ts';
import type { DiffCell } from './diff-rows.ts';
import { DiffText } from './diff-text.tsx';
import { diffWords } from './diff-words.ts';

/** Which of the two files a line is in. */
export type DiffSide = 'old' | 'new';

/** What can be done with a line, and what stands under it. */
export interface LineExtras {
  onComment?: ((line: number, side: DiffSide, text: string) => void) | undefined;
  below?: ((line: number, side: DiffSide) => ReactNode) | undefined;
}

/** The colours of a line, where they are known. */
export type LineColours = (cell: DiffCell, side: DiffSide) => readonly CodePiece[] | undefined;

const GROUNDS = { added: 'bg-good-wash', removed: 'bg-bad-wash', context: '' };
const SIGNS = { added: '+', removed: '−', context: ' ' };
const SIGN_INK = { added: 'text-good', removed: 'text-bad', context: 'text-faint' };
const NUMBER = 'relative w-[1%] min-w-8 px-1.5 text-right align-top text-soft select-none';
const TEXT = 'contained w-full py-px pr-2 align-top whitespace-pre-wrap';

interface RowProps extends LineExtras {
  old?: DiffCell | undefined;
  fresh?: DiffCell | undefined;
  colours: LineColours;
}

/** A line under the other: what was removed, added or stayed. */
export function InlineLine({ old, fresh, colours, onComment, below }: RowProps) {
  const side: DiffSide = fresh === undefined ? 'old' : 'new';
  const cell = (fresh ?? old)!;
  return (
    <>
      <tr className={classNames('group', GROUNDS[cell.kind])}>
        <td className={NUMBER}>{old?.oldNumber}</td>
        <td className={NUMBER}>
          {fresh?.newNumber}
          <CommentButton cell={cell} side={side} onComment={onComment} />
        </td>
        <td className={classNames('w-[1%] px-1 align-top select-none', SIGN_INK[cell.kind])}>{SIGNS[cell.kind]}</td>
        <td className={TEXT}>
          <DiffText cell={cell} pieces={colours(cell, side)} />
        </td>
      </tr>
      <Below cells={[[cell, side]]} columns={4} below={below} />
    </>
  );
}

/** A line beside the other: how it was, and how it is. */
export function SplitLine({ old, fresh, colours, onComment, below }: RowProps) {
  const half = (cell: DiffCell | undefined, side: DiffSide) => (
    <>
      <td className={classNames(NUMBER, cell === undefined ? 'bg-raised' : GROUNDS[cell.kind])}>
        {side === 'old' ? cell?.oldNumber : cell?.newNumber}
        {cell !== undefined && <CommentButton cell={cell} side={side} onComment={onComment} />}
      </td>
      <td
        className={classNames(
          'w-[1%] px-1 align-top select-none',
          cell === undefined ? 'bg-raised' : classNames(GROUNDS[cell.kind], SIGN_INK[cell.kind]),
        )}
      >
        {cell !== undefined && SIGNS[cell.kind]}
      </td>
      <td className={classNames(TEXT, 'w-1/2', cell === undefined ? 'bg-raised' : GROUNDS[cell.kind])}>
        {cell !== undefined && <DiffText cell={cell} pieces={colours(cell, side)} />}
      </td>
    </>
  );
  const isSame = old?.kind === 'context';
  return (
    <>
      <tr className="group">
        {half(old, 'old')}
        {half(fresh, 'new')}
      </tr>
      <Below
        cells={[
          ...(old === undefined || isSame ? [] : [[old, 'old'] as const]),
          ...(fresh ? [[fresh, 'new'] as const] : []),
        ]}
        columns={6}
        below={below}
      />
    </>
  );
}

function lineOf(cell: DiffCell, side: DiffSide): number | undefined {
  return side === 'old' ? cell.oldNumber : cell.newNumber;
}

/** Of all of them one can be reached with Tab; from there the arrow keys go up and down. */
function CommentButton({ cell, side, onComment }: { cell: DiffCell; side: DiffSide } & Pick<LineExtras, 'onComment'>) {
  const words = diffWords.use();
  const line = lineOf(cell, side);
  if (onComment === undefined || line === undefined) return null;
  return (
    <button
      type="button"
      data-comment
      tabIndex={-1}
      aria-label={words.comment(line)}
      title={words.comment(line)}
      onClick={() => onComment(line, side, cell.text)}
      onKeyDown={moveBetweenLines}
      className="absolute top-0 -right-2 z-10 flex size-5 items-center justify-center rounded-sm bg-accent text-on-accent opacity-0 group-hover:opacity-100 focus-visible:opacity-100 pointer-coarse:bg-transparent pointer-coarse:text-accent pointer-coarse:opacity-100"
    >
      <MessageSquarePlus size={12} aria-hidden />
    </button>
  );
}

function Below({
  cells,
  columns,
  below,
}: { cells: readonly (readonly [DiffCell, DiffSide])[]; columns: number } & Pick<LineExtras, 'below'>) {
  if (below === undefined) return null;
  return cells.map(([cell, side]) => {
    const line = lineOf(cell, side);
    const shown = line === undefined ? undefined : below(line, side);
    if (shown === undefined || shown === null || shown === false) return <Fragment key={side} />;
    return (
      <tr key={side}>
        <td colSpan={columns} className="p-2 font-sans">
          {shown}
        </td>
      </tr>
    );
  });
}

function moveBetweenLines(event: KeyboardEvent<HTMLButtonElement>): void {
  if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
  const here = event.currentTarget;
  const buttons = [...(here.closest('table')?.querySelectorAll<HTMLElement>('[data-comment]') ?? [])];
  const next = buttons[buttons.indexOf(here) + (event.key === 'ArrowDown' ? 1 : -1)];
  if (next === undefined) return;
  event.preventDefault();
  here.tabIndex = -1;
  next.tabIndex = 0;
  next.focus();
}
