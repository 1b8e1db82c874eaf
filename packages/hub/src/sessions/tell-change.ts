import type { HubParts } from '../hub-parts.ts';

/** What processes tell each other: that it changed. Each looks at the rows itself. */
export type ChangeNote =
  | { session: string }
  | { removed: string }
  | { runner: string; isConnected?: boolean | undefined; from: string };

/** Tells every list that a session changed. */
export function tellSessionChange({ feed }: Pick<HubParts, 'feed'>, sessionId: string): void {
  feed.tell('changes', JSON.stringify({ session: sessionId } satisfies ChangeNote));
}

/** Tells every list that a session is gone. */
export function tellSessionRemoved({ feed }: Pick<HubParts, 'feed'>, sessionId: string): void {
  feed.tell('changes', JSON.stringify({ removed: sessionId } satisfies ChangeNote));
}

/** Tells every list, and the other processes of the hub, how a machine is. */
export function tellRunnerChange(
  { feed, presence }: Pick<HubParts, 'feed' | 'presence'>,
  runnerId: string,
  { isConnected }: { isConnected?: boolean } = {},
): void {
  const note: ChangeNote = { runner: runnerId, isConnected, from: presence.processId };
  feed.tell('changes', JSON.stringify(note));
}
