import { useMemo } from 'react';
import { LongText } from '../code/long-text.tsx';
import { visibleText } from '../code/visible-text.ts';
import { classNames } from '../design/class-names.ts';
import { DiffBody } from './diff-body.tsx';
import { DiffCounts } from './diff-counts.tsx';
import type { LineExtras } from './diff-lines.tsx';
import { diffWords } from './diff-words.ts';
import { type ParsedDiff, parseUnified } from './parse-unified.ts';

export type { DiffSide } from './diff-lines.tsx';

/** A change to one file. */
interface ShownDiff {
  path: string;
  unified: string;
}

interface DiffViewProps extends LineExtras {
  diff: ShownDiff;
  /** Side by side is only shown where there is room for it. */
  mode?: 'inline' | 'split' | undefined;
  /** Without the line that names the file, where something around it does. */
  isBare?: boolean | undefined;
  className?: string | undefined;
}

/** Longer than anybody compares; it is shown as it was written. */
const MAX_CHARS = 2_000_000;
const MAX_PATH = 1000;

/** A change to one file, in colour. `onComment` gets the number of a line, which of the two files it is in, and what stands there. */
export function DiffView({ diff, mode = 'inline', isBare = false, className, ...extras }: DiffViewProps) {
  const words = diffWords.use();
  const parsed = useMemo(
    () => (diff.unified.length > MAX_CHARS ? undefined : parseUnified(visibleText(diff.unified))),
    [diff.unified],
  );
  const path = visibleText(diff.path.slice(0, MAX_PATH)).toWellFormed();
  return (
    <section
      aria-label={words.change(path)}
      className={classNames('overflow-hidden rounded-md border border-line bg-panel', className)}
    >
      {!isBare && (
        <header className="flex items-center gap-2 border-b border-line bg-raised px-3 py-1.5 text-xs">
          <span className="contained flex-1 truncate font-mono" title={path}>
            {path}
          </span>
          {parsed !== undefined && <DiffCounts {...parsed} />}
        </header>
      )}
      {parsed === undefined || isUnreadable(parsed, diff.unified) ? (
        <div className="p-3">
          <p className="pb-2 text-xs text-faint">{words.unreadable}</p>
          <LongText text={diff.unified} />
        </div>
      ) : (
        <DiffBody parsed={parsed} path={path} mode={mode} {...extras} />
      )}
    </section>
  );
}

/** Words that hold no change at all, though they are not empty. */
function isUnreadable({ hunks, notes, isBinary }: ParsedDiff, unified: string): boolean {
  return (
    hunks.length === 0 && notes.length === 0 && !isBinary && unified.trim() !== '' && !/^(?:diff |--- )/m.test(unified)
  );
}
