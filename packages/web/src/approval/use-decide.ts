import { type Approval, isChoice } from '@dragoman/protocol';
import { DragomanError } from '@dragoman/protocol/error';
import { type AnswerOf, type InputOf, useAction } from '../api/calls.ts';

/** What a person answers; see the call `decideApproval`. */
export type Decision = Omit<InputOf<'decideApproval'>, 'sessionId' | 'approvalId' | 'channel'>;

/** How the answer to a question is given, and what became of it. */
export interface Decide {
  decide: (decision: Decision) => void;
  /** Says yes this once, with the agent's own option for it. Absent where the agent offers none. */
  allow: (() => void) | undefined;
  /** Says no. Absent where that is no answer, because the agent asked which of several it should be. */
  deny: (() => void) | undefined;
  isBusy: boolean;
  /** What the server answered: who decided, and what. */
  decided: AnswerOf<'decideApproval'> | undefined;
  error: Error | undefined;
  /** Somebody else was first; the error says who. */
  isLate: boolean;
}

/** Answers a question of an agent from this page. Once it is answered, or is under way, nothing more is sent. */
export function useDecide(sessionId: string, approval: Approval): Decide {
  const action = useAction('decideApproval', { changes: ['listApprovals'] });
  const isLate = action.error instanceof DragomanError && action.error.code === 'conflict';
  const decide = (decision: Decision) => {
    if (action.isPending || action.isSuccess || isLate) return;
    action.mutate({ sessionId, approvalId: approval.id, channel: 'web', ...decision });
  };
  const yes = approval.options.find(({ kind }) => kind === 'allow_once');
  return {
    decide,
    allow: yes === undefined ? undefined : () => decide({ optionId: yes.id }),
    deny: isChoice(approval) ? undefined : () => decide({ reject: true }),
    isBusy: action.isPending,
    decided: action.data,
    error: action.error ?? undefined,
    isLate,
  };
}
