import type { ModelSink } from '@dragoman/protocol';
import { errorText } from '../error-text.ts';
import { encodeNdjsonLine } from '../ndjson.ts';

/** For answers that make sense only as a whole: waits for the end and writes the line that `toLine` makes of the text. */
export function encodeAtEnd(write: (text: string) => void, toLine: (text: string) => unknown): ModelSink {
  let text = '';
  return {
    push(event) {
      if (event.type === 'text-delta') text += event.delta;
      else if (event.type === 'finish') write(encodeNdjsonLine(toLine(text)));
      else if (event.type === 'error') write(encodeNdjsonLine({ text: errorText(event.error.message) }));
    },
  };
}
