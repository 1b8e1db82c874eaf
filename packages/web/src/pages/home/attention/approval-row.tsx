import type { HubSession, WaitingApproval } from '@dragoman/protocol';
import { Link } from '@tanstack/react-router';
import { Check } from 'lucide-react';
import { useState } from 'react';
import { useMayAct } from '../../../api/me.ts';
import { useForeignRunner } from '../../../api/runners.ts';
import { ApprovalActions } from '../../../approval/approval-actions.tsx';
import { approvalWords } from '../../../approval/approval-words.ts';
import { type Decide, type Decision, useDecide } from '../../../approval/use-decide.ts';
import { homeWords } from '../home-words.ts';
import { HomeQuestion, isShownWhole } from './home-question.tsx';
import { RowFrame } from './row-frame.tsx';
import { useRowKeys } from './row-keys.ts';

/** What was answered from this row. */
type Given = 'allowed' | 'denied' | 'answered';

interface ApprovalRowProps {
  approval: WaitingApproval;
  session: HubSession | undefined;
  isGone: boolean;
}

/** A question of an agent, answered where it stands. */
export function ApprovalRow({ approval, session, isGone }: ApprovalRowProps) {
  const words = homeWords.use();
  const about = approvalWords.use();
  const isWhole = isShownWhole(approval);
  const foreign = useForeignRunner(session?.runnerId);
  const mayAct = useMayAct() && foreign === undefined;
  const [given, setGiven] = useState<Given>();
  const state = useDecide(approval.sessionId, approval);
  const noting = (kind: Given, act: (() => void) | undefined) =>
    act &&
    (() => {
      setGiven(kind);
      act();
    });
  const decide: Decide = {
    ...state,
    decide: (decision) => noting(kindOf(decision, approval), () => state.decide(decision))?.(),
    allow: noting('allowed', state.allow),
    deny: noting('denied', state.deny),
  };
  const mayAnswer = mayAct && !isGone;
  useRowKeys(approval.id, {
    ...(mayAnswer && isWhole && decide.allow !== undefined && { a: decide.allow }),
    ...(mayAnswer && decide.deny !== undefined && { d: decide.deny }),
  });
  const isMine = state.decided !== undefined;
  return (
    <RowFrame
      rowKey={approval.id}
      weight="loud"
      sessionId={approval.sessionId}
      title={approval.sessionTitle}
      status={isMine || isGone ? 'idle' : 'waiting'}
      session={session}
      at={approval.askedAt}
      isGone={isGone || isMine}
      keys="a d"
    >
      <HomeQuestion approval={approval} />
      {!isWhole && !isMine && !isGone && (
        <p className="text-xs text-soft">
          {about.notWhole}{' '}
          <Link
            to="/sessions/$sessionId"
            params={{ sessionId: approval.sessionId }}
            className="font-medium text-accent hover:underline"
          >
            {about.open}
          </Link>
        </p>
      )}
      {isMine || (isGone && !state.isLate) ? (
        <p role="status" className="flex items-center gap-1.5 text-sm text-soft">
          <Check size={14} aria-hidden className="shrink-0" />
          {isMine ? words[given ?? 'answered'] : words.settled}
        </p>
      ) : (
        <ApprovalActions
          sessionId={approval.sessionId}
          approval={approval}
          expiresAt={approval.expiresAt}
          mayAct={mayAct}
          isWhole={isWhole}
          decide={decide}
        />
      )}
    </RowFrame>
  );
}

function kindOf({ reject, optionId }: Decision, { options }: WaitingApproval): Given {
  if (reject === true) return 'denied';
  const kind = options.find(({ id }) => id === optionId)?.kind;
  if (kind === undefined || kind === 'answer') return 'answered';
  return kind.startsWith('allow') ? 'allowed' : 'denied';
}
