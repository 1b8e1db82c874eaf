import { StringDecoder } from 'node:string_decoder';
import { ANSWER_LIMITS, answerTooLarge, PIECE_COST } from '../answer-limits.ts';

/**
 * Reads newline-delimited JSON by hand: bytes in, lines out.
 *
 * Bytes are decoded as one UTF-8 stream, so a character may be split anywhere. The last line counts even when nothing
 * ends it, and blank lines are skipped. A line that is larger than the limit is an error.
 */
export function readLines(onLine: (line: string) => void): { feed(bytes: Uint8Array): void; end(): void } {
  const decoder = new StringDecoder('utf8');
  let rest = '';
  let restCost = 0;

  const takeText = (text: string) => {
    let start = 0;
    for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', start)) {
      takeLine(rest + text.slice(start, end));
      rest = '';
      restCost = 0;
      start = end + 1;
    }
    rest += text.slice(start);
    restCost += text.length - start + PIECE_COST;
    if (restCost > ANSWER_LIMITS.eventBytes)
      throw answerTooLarge(`more than ${ANSWER_LIMITS.eventBytes} bytes in one line`);
  };
  const takeLine = (line: string) => {
    if (line.trim() !== '') onLine(line);
  };

  return {
    feed: (bytes) => takeText(decoder.write(bytes)),
    end() {
      takeText(decoder.end());
      takeLine(rest);
      rest = '';
    },
  };
}
