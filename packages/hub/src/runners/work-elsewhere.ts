import { newId } from '@dragoman/protocol';
import type { LockedSession } from '../log/locked-session.ts';
import type { NewEvent } from '../log/session-change.ts';

/**
 * What is told in a session of which a machine says something after it was moved from there: once for each move, and only
 * where an agent worked on. What it said and did is not taken: it is not part of what the agent of now knows.
 */
export async function tellWorkElsewhere(
  session: LockedSession,
  machine: { id: string; name: string },
  events: readonly NewEvent[],
): Promise<NewEvent[]> {
  const work = events.find(({ event }) => 'blockId' in event || event.type === 'turn-started');
  if (work === undefined || session.session.left_runner_id !== machine.id) return [];
  await session.set({ left_runner_id: null });
  const text = `${machine.name} went on after this session was moved; what its agent did there is not shown, and its files may differ.`;
  const place = { messageId: newId('msg'), role: 'agent', blockId: newId('blk') } as const;
  return [{ at: work.at, event: { type: 'block-stop', ...place, block: { type: 'notice', level: 'warning', text } } }];
}
