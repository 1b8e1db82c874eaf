import type { HubSession } from '@dragoman/protocol';

/** The order of every list of sessions, as the server has it too: pinned ones first, then the latest. */
export function sessionOrder(one: HubSession, other: HubSession): number {
  return (
    Number(other.isPinned) - Number(one.isPinned) ||
    other.updatedAt - one.updatedAt ||
    Number(other.id > one.id) - Number(other.id < one.id)
  );
}
