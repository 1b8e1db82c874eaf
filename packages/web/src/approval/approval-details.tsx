import type { Approval } from '@dragoman/protocol';
import { visibleText } from '../code/visible-text.ts';
import { DiffView } from '../diff/diff-view.tsx';
import { Markdown } from '../markdown/markdown.tsx';
import { useServerSentence } from '../words/server-sentences.ts';

/** What an agent asks, why, and what it would change. */
export function ApprovalDetails({
  approval,
  isTitled = true,
}: {
  approval: Pick<Approval, 'title' | 'reason' | 'diffs'>;
  isTitled?: boolean;
}) {
  const sentence = useServerSentence();
  const { title, reason, diffs = [] } = approval;
  return (
    <div className="flex flex-col gap-2">
      {isTitled && (
        <p className="contained line-clamp-6 text-sm font-medium whitespace-pre-wrap">
          {visibleText(title.slice(0, 4000))}
        </p>
      )}
      {reason !== undefined && reason.trim() !== '' && (
        <Markdown text={sentence(reason)} keepsLines className="text-sm text-soft" />
      )}
      {diffs.map((diff, index) => (
        <DiffView key={index} diff={diff} />
      ))}
    </div>
  );
}
