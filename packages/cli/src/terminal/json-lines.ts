import type { EventView } from './terminal-view.ts';

/**
 * Events for programs, one object each: `{"seq":…,"at":…,"sessionID":…,"type":…,…}`.
 *
 * Subagents' events are among them, told apart by their session.
 */
export function jsonLines(print: (line: object) => void): EventView {
  return {
    event({ seq, at, event }, { info }) {
      print({ seq, at, sessionID: info.id, ...event });
    },
    end() {},
  };
}
