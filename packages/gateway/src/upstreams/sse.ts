import { ANSWER_LIMITS, answerTooLarge, PIECE_COST } from './answer-limits.ts';

/**
 * Reads server-sent events by hand: bytes in, the data of each event out.
 *
 * Bytes are decoded as one UTF-8 stream, so a character may be split anywhere. Comments and other fields are skipped.
 * The last event counts even without the blank line that should follow it. An event that is larger than the limit is an
 * error, whether it comes in one line or in many.
 */
export function readSse(onData: (data: string) => void): { feed(bytes: Uint8Array): void; end(): void } {
  let rest: Buffer[] = [];
  let restCost = 0;
  let data: string | undefined;
  let dataCost = 0;
  const bound = (cost: number) => {
    if (cost > ANSWER_LIMITS.eventBytes)
      throw answerTooLarge(`more than ${ANSWER_LIMITS.eventBytes} bytes in one event`);
  };

  const takeLine = (line: string) => {
    if (line === '') {
      if (data === undefined) return;
      const whole = data;
      data = undefined;
      dataCost = 0;
      onData(whole);
    } else if (line.startsWith('data:') || line.startsWith('\uFEFFdata:')) {
      if (line.startsWith('\uFEFF')) line = line.slice(1);
      dataCost += line.length + PIECE_COST;
      bound(dataCost);
      const piece =
        line.charCodeAt(5) === SPACE && line.charCodeAt(6) !== SPACE ? line.slice(6) : line.slice(5).trimStart();
      data = data === undefined ? piece : `${data}\n${piece}`;
    }
  };
  /** Whole lines only: a character is never cut, because no byte of one is a line break. */
  const takeLines = (text: string) => {
    let start = 0;
    for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', start)) {
      const stop = end > start && text.charCodeAt(end - 1) === CARRIAGE_RETURN ? end - 1 : end;
      takeLine(text.slice(start, stop));
      start = end + 1;
    }
  };

  return {
    feed(bytes) {
      const piece = toBuffer(bytes);
      const length = piece.lastIndexOf(LINE_FEED) + 1;
      if (length === 0) {
        rest.push(piece);
        restCost += piece.length + PIECE_COST;
        return bound(restCost);
      }
      const text =
        rest.length === 0
          ? piece.toString('utf8', 0, length)
          : Buffer.concat([...rest, piece.subarray(0, length)]).toString('utf8');
      rest = length === piece.length ? [] : [piece.subarray(length)];
      restCost = piece.length - length;
      takeLines(text);
    },
    end() {
      const last = Buffer.concat(rest).toString('utf8');
      rest = [];
      takeLine(last.replace(/\r$/, ''));
      takeLine('');
    },
  };
}

const SPACE = 32;
const CARRIAGE_RETURN = 13;
const LINE_FEED = 10;

function toBuffer(bytes: Uint8Array): Buffer {
  return Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
