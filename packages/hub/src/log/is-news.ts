import type { HubEvent, HubEventOf } from '@dragoman/protocol';
import type { SessionRow } from './session-change.ts';

/**
 * Whether an event is new to people: something of a turn, a question or a failure. Asked before the row notes the event.
 *
 * That an agent is closed, stopped or started, that its machine comes back, a new name or another model makes nothing
 * unread and moves nothing up in a list.
 */
export function isNews(row: Readonly<SessionRow>, event: HubEvent): boolean {
  const news = NEWS[event.type] as boolean | ((row: Readonly<SessionRow>, event: HubEvent) => boolean) | undefined;
  return typeof news === 'function' ? news(row, event) : news === true;
}

type News = {
  [Type in HubEvent['type']]: boolean | ((row: Readonly<SessionRow>, event: HubEventOf<Type>) => boolean);
};

const NEWS: News = {
  'block-start': true,
  'block-delta': true,
  'block-stop': true,
  'prompt-queued': true,
  'prompt-taken': true,
  'turn-started': true,
  'turn-finished': true,
  'approval-asked': true,
  'revert-failed': true,
  'agent-state'(row, { state, error }) {
    if (state === 'stopped' && row.turn_id !== null) return true;
    if (error === undefined) return state === 'failed' && row.agent_state !== 'failed';
    // A failure that is told once more is the one that people know.
    return JSON.stringify(error) !== row.last_error_json;
  },
  'session-created': false,
  'session-updated': false,
  'session-moved': false,
  'prompt-withdrawn': false,
  'approval-decided': false,
  'approval-withdrawn': false,
  'agent-updated': false,
  reverted: false,
};
