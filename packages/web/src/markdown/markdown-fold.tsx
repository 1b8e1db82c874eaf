import { ChevronRight } from 'lucide-react';
import type { ReactNode } from 'react';
import { markdownWords } from './markdown-words.ts';

/** A line that opens to more, as the text asked for. */
export function MarkdownFold({
  summary,
  isExpanded,
  children,
}: {
  /** Nothing where the text has no line for it. */
  summary: ReactNode | undefined;
  isExpanded: boolean;
  children: ReactNode;
}) {
  const words = markdownWords.use();
  return (
    <details open={isExpanded} className="rounded-md border border-line">
      <summary className="flex min-h-row list-none items-center gap-1.5 rounded-md px-2 py-1 font-medium hover:bg-hover [&::-webkit-details-marker]:hidden">
        <ChevronRight
          size={14}
          aria-hidden
          className="shrink-0 text-faint transition-transform [details[open]>summary>&]:rotate-90"
        />
        {summary ?? words.details}
      </summary>
      <div className="flex flex-col gap-2.5 border-t border-line px-3 py-2">{children}</div>
    </details>
  );
}
