import { memo, type ReactNode } from 'react';
import { classNames } from '../design/class-names.ts';
import type { Row } from '@dragoman/protocol';
import { RowView } from './row-view.tsx';

/** The place of a row in the column: its width, and the room around it. */
export const RowFrame = memo(function RowFrame({
  row,
  isFirst,
  isFound,
  children,
}: {
  row: Row | undefined;
  isFirst: boolean;
  isFound: boolean;
  children: ReactNode;
}) {
  const isCard = row?.type === 'call' || row?.type === 'calls' || row?.type === 'thinking';
  return (
    <div
      data-row={row?.key}
      className={classNames(
        'mx-auto w-full max-w-3xl px-3 sm:px-5',
        isFirst && 'pt-4',
        isCard ? 'pb-1.5' : 'pb-3',
        row?.type === 'prompt' && !isFirst && 'pt-3',
        row?.type === 'text' && 'pt-1.5',
      )}
    >
      <div className={classNames('min-w-0 rounded-lg', isFound && 'outline-2 outline-offset-2 outline-warn')}>
        {row !== undefined && <RowView row={row} />}
        {children}
      </div>
    </div>
  );
});
