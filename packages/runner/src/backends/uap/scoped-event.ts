import type { BackendEvent } from '@dragoman/protocol';

/**
 * The event with ids of messages and blocks that no other run of the agent has.
 *
 * An agent that numbers its blocks from 1 would otherwise, after a restart, write over what it said before. Calls and
 * approvals keep their ids, which the agent hears again.
 */
export function scopedEvent(scope: string, event: BackendEvent): BackendEvent {
  switch (event.type) {
    case 'block-start':
    case 'block-stop':
      return { ...event, messageId: `${scope}.${event.messageId}`, blockId: `${scope}.${event.blockId}` };
    case 'block-delta':
      return { ...event, blockId: `${scope}.${event.blockId}` };
    default:
      return event;
  }
}

/** The id as the agent knows it. */
export function unscopedId(id: string): string {
  return id.replace(/^uap_\w+\./, '');
}
