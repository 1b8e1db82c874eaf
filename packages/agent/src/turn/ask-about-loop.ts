import { newId } from '@dragoman/protocol';
import type { Approver } from '../permissions/approval.ts';
import type { Session } from '../session/session.ts';
import type { TurnOptions } from './run-turn.ts';
import { withTimeLimit } from './time-limit.ts';

/** Asks a person whether a loop may go on; where nobody is to be asked, or nobody answers, it may not. */
export function askAboutLoop({
  session,
  approver,
  approvalMs,
}: {
  session: Session;
  approver: Approver | undefined;
  approvalMs: number;
}): TurnOptions['allowLoop'] {
  return async ({ tool, count }, part, abort) => {
    if (approver === undefined) return false;
    const request = {
      id: newId('apr'),
      sessionID: session.id,
      messageID: part.messageID,
      callID: part.callID,
      tool,
      title: `${tool}, ${count} times in a row`,
      input: part.state.input,
      subjects: [],
      reason: `It would be the same call with the same result ${count} times in a row.`,
      always: [],
    };
    try {
      const answer = await withTimeLimit((signal) => approver(request, signal), {
        limitMs: approvalMs,
        signal: abort,
        graceMs: 0,
        expired: () => new Error('Nobody answered.'),
      });
      return answer.decision !== 'reject';
    } catch {
      return false;
    }
  };
}
