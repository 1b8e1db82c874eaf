import type { EventView } from './terminal-view.ts';

/** Valid in JSON as they are, and not harmless on a terminal or for those who split lines. */
// oxlint-disable-next-line no-control-regex
const UNSAFE = /[\u007F-\u009F\u2028\u2029\u202A-\u202E\u2066-\u2069]/g;

/**
 * Events for programs: one JSON object per line, `{"seq":…,"at":…,"sessionID":…,"type":…,…}`.
 *
 * Subagents' events are among them, told apart by their session.
 */
export function jsonLines(write: (line: string) => void): EventView {
  return {
    event({ seq, at, event }, { info }) {
      write(jsonLine({ seq, at, sessionID: info.id, ...event }));
    },
    end() {},
  };
}

/** A value as one line of JSON that is harmless where a person looks at it. */
export function jsonLine(value: object): string {
  return `${JSON.stringify(value).replace(UNSAFE, escaped)}\n`;
}

function escaped(char: string): string {
  return `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
