import { type Approval, isChoice } from '@dragoman/protocol';
import type { AnswerOf, InputOf } from '../api/calls.ts';
import { outcomeOf, post, takeBack, useOutbox } from '../outbox/outbox.ts';
import { idOf } from '../outbox/outbox-item.ts';

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
  /** The answer waits for the server, and can be taken back. */
  takeBack: (() => void) | undefined;
  /** What the server answered: who decided, and what. */
  decided: AnswerOf<'decideApproval'> | undefined;
  error: Error | undefined;
  /** Somebody else was first; the error says who. */
  isLate: boolean;
}

/** Answers a question of an agent. Once it is answered, or is under way, nothing more is sent; without a server it waits. */
export function useDecide(sessionId: string, approval: Approval): Decide {
  const id = idOf({ call: 'decideApproval', input: { sessionId, approvalId: approval.id } });
  const item = useOutbox(sessionId).find((one) => one.id === id);
  const { answer, refusal } = outcomeOf(id);
  const isLate = (refusal ?? item?.refusal)?.code === 'conflict';
  const decide = (decision: Decision) => {
    if ((item !== undefined && item.refusal === undefined) || answer !== undefined || isLate) return;
    post({ call: 'decideApproval', input: { sessionId, approvalId: approval.id, channel: 'web', ...decision } });
  };
  const yes = approval.options.find(({ kind }) => kind === 'allow_once');
  return {
    decide,
    allow: yes === undefined ? undefined : () => decide({ optionId: yes.id }),
    deny: isChoice(approval) ? undefined : () => decide({ reject: true }),
    isBusy: item !== undefined && item.refusal === undefined && item.wasTried !== true,
    takeBack: item?.wasTried === true && item.refusal === undefined ? () => takeBack(id) : undefined,
    decided: answer,
    error: refusal,
    isLate,
  };
}
