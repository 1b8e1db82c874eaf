import type { HubSession } from '@dragoman/protocol';

/** The session whose end somebody has before their eyes. */
let readId: string | undefined;

/** Notes that the end of a session is in sight. Returns how to say that it is not any more. */
export function startReading(sessionId: string): () => void {
  readId = sessionId;
  return () => {
    if (readId === sessionId) readId = undefined;
  };
}

/**
 * A session as lists show it here: what happens before somebody's eyes is read as it happens, though the server is told of it
 * only now and then.
 */
export function asRead(session: HubSession): HubSession {
  return session.id === readId ? { ...session, readSeq: session.seq } : session;
}
