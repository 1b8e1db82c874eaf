import { type Approval, askedAbout, isChoice, type ShownApproval } from '@dragoman/protocol';
import { CircleHelp, ShieldQuestion } from 'lucide-react';
import { useState } from 'react';
import { useCall } from '../api/calls.ts';
import { ApprovalActions } from '../approval/approval-actions.tsx';
import { ApprovalDetails } from '../approval/approval-details.tsx';
import { approvalWords } from '../approval/approval-words.ts';
import { DecisionLine } from '../approval/decision-line.tsx';
import { classNames } from '../design/class-names.ts';
import { useConversation } from './conversation-context.ts';

const NEW_MS = 2000;

/**
 * A question about a call, or of its own: answered here while it waits, and told what became of it afterwards. All that is
 * asked stands here, whatever other screens have room for.
 */
export function CallApproval({ approval, call }: { approval: ShownApproval; call?: Approval['call'] }) {
  const words = approvalWords.use();
  // One that was there before only comes into sight.
  const [isNew] = useState(() => Date.now() - approval.askedAt < NEW_MS);
  const Icon = isChoice(approval) ? CircleHelp : ShieldQuestion;
  if (approval.decided !== undefined)
    return (
      <div className="flex items-start gap-2">
        <Icon size={14} aria-hidden className="mt-0.5 shrink-0 text-faint" />
        <DecisionLine approval={approval} />
      </div>
    );
  const { parts, isWhole } = askedAbout({ ...approval, call: approval.call ?? call });
  return (
    <div
      className={classNames(
        'flex flex-col gap-2 rounded-md border border-warn/50 bg-warn-wash p-3 [--under:var(--warn-wash)]',
        isNew && 'animate-rise-in',
      )}
    >
      <p className="flex items-center gap-2 text-xs font-medium text-warn">
        <Icon size={14} aria-hidden className="shrink-0" />
        {isChoice(approval) ? words.asksQuestion : words.asks}
      </p>
      <ApprovalDetails parts={parts} />
      {!isWhole && <p className="text-xs text-soft">{words.onlyNo}</p>}
      <Waiting approval={approval} isWhole={isWhole} />
    </div>
  );
}

function Waiting({ approval, isWhole }: { approval: ShownApproval; isWhole: boolean }) {
  const { sessionId, mayAct } = useConversation();
  const { data } = useCall('listApprovals');
  const expiresAt = data?.approvals.find(({ id }) => id === approval.id)?.expiresAt;
  return (
    <ApprovalActions
      sessionId={sessionId}
      approval={approval}
      expiresAt={expiresAt}
      mayAct={mayAct}
      isWhole={isWhole}
    />
  );
}
