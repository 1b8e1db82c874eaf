import { foldHubEvents, type HubSession, type LoggedHubEvent, type SessionView } from '@dragoman/protocol';
import { client } from './client.ts';

/** From so many events on the end of a session is shown before the rest was read. */
const LONG = 1_000;
/** More than a screen has room for. */
const LAST_EVENTS = 120;

/** The end of a long session as its last events tell it, and what the lists know of the rest; nothing where it is short. */
export async function readEnd(session: HubSession): Promise<SessionView | undefined> {
  if (session.seq < LONG) return undefined;
  const { events } = await client.readLog({ sessionId: session.id, last: LAST_EVENTS });
  return endOf(session, events);
}

/** A session whose beginning is missing. */
export function endOf(session: HubSession, last: readonly LoggedHubEvent[]): SessionView {
  const { createdAt, turnId } = session;
  const begin: LoggedHubEvent[] = [{ seq: 0, at: createdAt, event: { type: 'session-created', session } }];
  const isIn = last.some(({ event }) => event.type === 'turn-started' && event.turnId === turnId);
  // A turn that runs is told to have begun where the end does.
  if (turnId !== undefined && !isIn)
    begin.push({ seq: 0.5, at: last[0]?.at ?? createdAt, event: { type: 'turn-started', turnId } });
  const view = foldHubEvents([...begin, ...last])!;
  const isTold = last.some(({ event }) => event.type === 'agent-state');
  return {
    ...view,
    title: session.title,
    isNamed: true,
    isPinned: session.isPinned,
    isArchived: session.isArchived,
    agentState: isTold ? view.agentState : session.status === 'stopped' ? 'stopped' : 'ready',
    ...(session.cwd !== undefined && { cwd: session.cwd }),
    branch: session.branch,
    capabilities: session.capabilities,
    usage: { ...view.usage, input_tokens: session.inputTokens, output_tokens: session.outputTokens },
  };
}
