import type { HubSession } from '@dragoman/protocol';

/** Whether the agent of a session failed before it could begin: in a folder that is not there, in a mode it does not have. */
export function neverStarted({ status, agentSessionId }: Pick<HubSession, 'status' | 'agentSessionId'>): boolean {
  return status === 'failed' && agentSessionId === undefined;
}
