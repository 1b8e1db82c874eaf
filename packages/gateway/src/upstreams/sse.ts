/**
 * Reads server-sent events by hand: bytes in, the data of each event out.
 *
 * Bytes are decoded as one UTF-8 stream, so a character may be split anywhere. Comments and other fields are skipped.
 * The last event counts even without the blank line that should follow it.
 */
export function readSse(onData: (data: string) => void): { feed(bytes: Uint8Array): void; end(): void } {
  let rest: Buffer[] = [];
  let restLength = 0;
  let data: string | undefined;

  const takeLine = (line: string) => {
    if (line === '') {
      if (data === undefined) return;
      const whole = data;
      data = undefined;
      onData(whole);
    } else if (line.startsWith('data:') || line.startsWith('\uFEFFdata:')) {
      if (line.startsWith('\uFEFF')) line = line.slice(1);
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
        restLength += piece.length;
        if (restLength > MAX_LINE_BYTES) throw new Error(`a line of more than ${MAX_LINE_BYTES} bytes`);
        return;
      }
      const text =
        rest.length === 0
          ? piece.toString('utf8', 0, length)
          : Buffer.concat([...rest, piece.subarray(0, length)]).toString('utf8');
      rest = length === piece.length ? [] : [piece.subarray(length)];
      restLength = piece.length - length;
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

/** An event may hold a whole answer, but not a whole disk. */
const MAX_LINE_BYTES = 32 * 1024 * 1024;
const SPACE = 32;
const CARRIAGE_RETURN = 13;
const LINE_FEED = 10;

function toBuffer(bytes: Uint8Array): Buffer {
  return Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
