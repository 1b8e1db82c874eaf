import type { Fault, HubSession, SessionStatus } from '@dragoman/protocol';

/** How a session stands, as people are told: what failed because the agent was gone is told apart, because it can just go on. */
export type ShownStatus = SessionStatus | 'interrupted';

/** How a session of a list stands. */
export function shownStatus({ status, lastError }: Pick<HubSession, 'status' | 'lastError'>): ShownStatus {
  return status === 'failed' && isInterruption(lastError) ? 'interrupted' : status;
}

/** What the server notes where the process of an agent was gone before its turn ended. */
export function isInterruption(fault: Pick<Fault, 'code'> | undefined): boolean {
  return fault?.code === 'interrupted';
}
