import type { SessionView } from '../hub/session-view.ts';
import type { AgentMessage } from './agent-message.ts';

/**
 * A session as plain messages of the protocol, in the order in which they were begun. This is all that a screen needs to
 * show a session that is over; how calls stand follows from their results.
 */
export function toAgentMessages(view: Pick<SessionView, 'messages'>): AgentMessage[] {
  return view.messages.map(({ role, blocks }) => ({ role, content: blocks.map(({ block }) => block) }));
}
