import { isTerminalRunner } from '@dragoman/protocol';
import type { HubParts } from '../hub-parts.ts';
import type { ChangeNote } from '../sessions/tell-change.ts';
import { takeOverTerminals } from './take-over-terminals.ts';

/** Takes the sessions of a terminal as soon as it says that it goes. Returns how to stop. */
export function watchTerminals(parts: HubParts): () => void {
  return parts.feed.hear('changes', (payload) => {
    const note = payload === undefined ? undefined : (JSON.parse(payload) as ChangeNote);
    if (note === undefined || !('runner' in note) || note.isConnected !== false || !isTerminalRunner(note.runner))
      return;
    const { localRunnerId } = parts.presence;
    if (localRunnerId === undefined || isTerminalRunner(localRunnerId)) return;
    takeOverTerminals(parts, localRunnerId).catch((err: unknown) =>
      parts.logger.warn({ err }, 'sessions of a terminal could not be taken over'),
    );
  });
}
