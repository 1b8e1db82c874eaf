import { askedAbout, askedText, plainlyShown, type WaitingApproval } from '@dragoman/protocol';
import { ApprovalDetails } from '../../../approval/approval-details.tsx';
import { homeWords } from '../home-words.ts';

/** A row among others; what is longer is read in the session. */
const MOST = { chars: 3000, lines: 40 } as const;

/** Whether a row has room for all that is asked. Where it has not, it offers no yes. */
export function isShownWhole(approval: WaitingApproval): boolean {
  const { parts, isWhole } = askedAbout(approval);
  const text = askedText(parts);
  return isWhole && text.length <= MOST.chars && text.split('\n').length <= MOST.lines;
}

/** What is asked, whole; where there is no room for that, what it is about. */
export function HomeQuestion({ approval }: { approval: WaitingApproval }) {
  const words = homeWords.use();
  if (isShownWhole(approval)) return <ApprovalDetails parts={askedAbout(approval).parts} />;
  const { title, diffs = [] } = approval;
  return (
    <>
      <p className="contained line-clamp-6 rounded-md bg-raised px-2 py-1 font-mono text-xs whitespace-pre-wrap">
        {plainlyShown(title.slice(0, 2000))}
      </p>
      {diffs.length > 0 && (
        <p className="contained line-clamp-3 text-xs text-soft">
          {words.wouldChange(diffs.length)}{' '}
          <span className="font-mono">{diffs.map(({ path }) => plainlyShown(path)).join(', ')}</span>
        </p>
      )}
    </>
  );
}
