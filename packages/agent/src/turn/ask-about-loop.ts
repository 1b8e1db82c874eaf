import { newId } from '@dragoman/protocol';
import type { Approver } from '../permissions/approval.ts';
import type { Session } from '../session/session.ts';
import type { TurnOptions } from './run-turn.ts';

/** Asks a person whether a loop may go on; where nobody is to be asked, it may not. */
export function askAboutLoop({
  session,
  approver,
  approvalMs,
}: {
  session: Session;
  approver: Approver | undefined;
  approvalMs: number;
}): TurnOptions['allowLoop'] {
  return async ({ tool, count }, part) => {
    if (approver === undefined) return false;
    const request = {
      id: newId('apr'),
      sessionID: session.id,
      messageID: part.messageID,
      callID: part.callID,
      tool,
      title: `${tool}, for the ${count}th time`,
      input: part.state.input,
      subjects: [],
      reason: `It would be the same call with the same result ${count} times in a row.`,
      always: [],
    };
    try {
      const answer = await approver(request, AbortSignal.timeout(approvalMs));
      return answer.decision !== 'reject';
    } catch {
      return false;
    }
  };
}
