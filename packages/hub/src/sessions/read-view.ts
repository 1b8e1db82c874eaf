import { setImmediate } from 'node:timers/promises';
import { DragomanError, SessionFold, type SessionView } from '@dragoman/protocol';
import type { HubParts } from '../hub-parts.ts';
import { findSession } from './find-session.ts';

const PAGE = 500;

/** A session as it is now. It may be long: it is read in pages, and others have their turn in between. */
export async function readView(parts: HubParts, sessionId: string, signal: AbortSignal): Promise<SessionView> {
  await findSession(parts, sessionId);
  const fold = new SessionFold();
  for (;;) {
    const { events, isLast } = await parts.log.readPage(sessionId, fold.seq, PAGE);
    fold.add(events);
    if (isLast) break;
    await setImmediate();
    if (signal.aborted) throw new DragomanError('cancelled', 'Nobody waits any more for the session to be read.');
  }
  const view = fold.finish();
  if (view === undefined) throw new DragomanError('not-found', `The session ${sessionId} has no log.`);
  return view;
}
