import {
  type AnyPart,
  DragomanError,
  type Message,
  type MessageInfo,
  newId,
  type SessionInfo,
  type SessionState,
} from '@dragoman/protocol';
import { openWorkEnded } from './open-work-ended.ts';
import type { SessionStore } from './session-store.ts';
import { Session } from './session.ts';

/** Up to where the other one is told, and where the new one works. */
export interface ForkOptions {
  beforeMessageID?: string;
  /** Where it works, when that is not where the other one does. */
  place?: Partial<Pick<SessionInfo, 'cwd' | 'root'>>;
  now?: () => number;
}

/**
 * A session of its own that begins with what another one says so far: up to a message, which is left out together with
 * what follows, or all of it. What was taken back is not said. The other one does not change.
 */
export async function forkSession(
  store: SessionStore,
  from: SessionState,
  { beforeMessageID, place = {}, now = Date.now }: ForkOptions = {},
): Promise<Session> {
  const end = Math.min(
    beforeMessageID === undefined ? from.messages.length : indexOf(from, beforeMessageID),
    from.revert === undefined ? from.messages.length : indexOf(from, from.revert.messageID),
  );
  const id = newId('ses');
  const { parentID: _, ...info } = from.info;
  const session = await Session.create(
    store,
    {
      ...info,
      ...place,
      id,
      title: `${from.info.title} (fork)`,
      forkedFrom: { sessionID: from.info.id, ...(beforeMessageID === undefined ? {} : { messageID: beforeMessageID }) },
      time: { created: now() },
    },
    now,
  );
  if (from.system !== undefined) session.append({ type: 'system-changed', system: from.system });
  for (const message of from.messages.slice(0, end))
    session.append({ type: 'message-added', message: moved(message, id) });
  if (from.todos.length > 0) session.append({ type: 'todos-updated', todos: [...from.todos] });
  // The other one may be at work; here nobody is.
  const ended = openWorkEnded(session.state, {
    error: { code: 'interrupted', message: 'The session was forked while this ran.' },
    calls: 'Interrupted: the session was forked while this ran. Whether it had an effect is not known.',
    at: now(),
  });
  for (const event of ended) session.append(event);
  await session.stored();
  return session;
}

function indexOf({ messages, info }: SessionState, messageID: string): number {
  const index = messages.findIndex((message) => message.info.id === messageID);
  if (index === -1) throw new DragomanError('not-found', `The session ${info.id} has no message ${messageID}.`);
  return index;
}

function moved({ info, parts }: Message, sessionID: string): { info: MessageInfo; parts: AnyPart[] } {
  return { info: { ...info, sessionID }, parts: parts.map((part) => ({ ...part, sessionID })) };
}
