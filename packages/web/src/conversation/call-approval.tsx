import type { ShownApproval } from '@dragoman/protocol';
import { CircleHelp, ShieldQuestion } from 'lucide-react';
import { useCall } from '../api/calls.ts';
import { ApprovalActions } from '../approval/approval-actions.tsx';
import { ApprovalDetails } from '../approval/approval-details.tsx';
import { approvalWords } from '../approval/approval-words.ts';
import { DecisionLine } from '../approval/decision-line.tsx';
import { isChoice } from '../approval/use-decide.ts';
import { useConversation } from './conversation-context.ts';

/** A question about a call, or of its own: answered here while it waits, and told what became of it afterwards. */
export function CallApproval({ approval, about }: { approval: ShownApproval; about?: string }) {
  const words = approvalWords.use();
  const Icon = isChoice(approval) ? CircleHelp : ShieldQuestion;
  if (approval.decided !== undefined)
    return (
      <div className="flex items-start gap-2">
        <Icon size={14} aria-hidden className="mt-0.5 shrink-0 text-faint" />
        <DecisionLine approval={approval} />
      </div>
    );
  return (
    <div className="flex flex-col gap-2 rounded-md border border-warn/50 bg-warn-wash p-3">
      <p className="flex items-center gap-2 text-xs font-medium text-warn">
        <Icon size={14} aria-hidden className="shrink-0" />
        {isChoice(approval) ? words.asksQuestion : words.asks}
      </p>
      <ApprovalDetails approval={approval} isTitled={!isSaid(approval.title, about)} />
      <Waiting approval={approval} />
    </div>
  );
}

function Waiting({ approval }: { approval: ShownApproval }) {
  const { sessionId, mayAct } = useConversation();
  const { data } = useCall('listApprovals');
  const expiresAt = data?.approvals.find(({ id }) => id === approval.id)?.expiresAt;
  return <ApprovalActions sessionId={sessionId} approval={approval} expiresAt={expiresAt} mayAct={mayAct} />;
}

/** Whether the card says already what the question is about. */
function isSaid(title: string, about: string | undefined): boolean {
  const plain = title.replaceAll(/\s+/g, ' ').trim();
  return about !== undefined && about !== '' && plain.endsWith(about) && plain.length - about.length < 30;
}
