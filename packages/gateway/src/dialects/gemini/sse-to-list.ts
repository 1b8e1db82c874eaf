import { readSse } from '../../upstreams/sse.ts';
import type { Reframing } from '../dialect.ts';
import { encodeGeminiError } from './encode-error.ts';

/** The events of a stream as one JSON list, for clients that ask without `alt=sse`. The provider is asked for events. */
export function sseToList(): Reframing {
  let pending = '';
  let isBegun = false;
  const add = (piece: string) => {
    pending += (isBegun ? ',\n' : '[') + piece;
    isBegun = true;
  };
  const events = readSse(add);
  const takePending = () => {
    const taken = pending;
    pending = '';
    return taken;
  };
  return {
    take(bytes) {
      events.feed(bytes);
      return takePending();
    },
    end() {
      events.end();
      return `${takePending()}${isBegun ? ']' : '[]'}`;
    },
    break(error) {
      add(JSON.stringify(encodeGeminiError(error)));
      return `${takePending()}]`;
    },
  };
}
