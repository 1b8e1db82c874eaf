import { DragomanError } from '../dragoman-error.ts';

/** One event of a stream, as the standard dispatches it. */
export interface ServerEvent {
  data: string;
  /** Its type; `message` where the stream names none. */
  event: string;
  /** The last id the stream named, in this event or an earlier one: where a reader goes on after a break. */
  id: string | undefined;
}

/** What is told beside events. */
interface ServerEventHooks {
  /** A comment line; servers keep a quiet connection alive with them. */
  onComment?: (text: string) => void;
  /** The server asks to wait that long before a reconnection. */
  onRetry?: (ms: number) => void;
}

/** Takes the stream as it comes, cut anywhere. */
export interface ServerEventReader {
  /** Bytes may be cut inside a character, text anywhere. */
  feed(piece: Uint8Array | string): void;
}

/** An event may hold a whole answer, but not a whole disk. */
const MAX_EVENT_LENGTH = 64 * 1024 * 1024;
const LINE_FEED = 10;
const SPACE = 32;

/**
 * Reads server-sent events (WHATWG HTML, "event streams"): pieces in, events out, each with one plain call.
 *
 * Lines end with LF, CR or CRLF in any mixture. A line that ended with CR counts at once, so that an event is not held
 * back until the next piece; the LF that may follow is then passed over. What stands behind the last blank line was cut
 * off and is no event.
 */
export function serverEventReader(
  onEvent: (event: ServerEvent) => void,
  hooks: ServerEventHooks = {},
): ServerEventReader {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  let isFirstLine = true;
  let isAfterReturn = false;
  /** The beginning of a line whose end has not come; in pieces, so that a long line costs no more than its length. */
  let pieces: string[] = [];
  let data: string[] = [];
  /** Characters in both. */
  let held = 0;
  let event = '';
  let id: string | undefined;

  const dispatch = () => {
    const whole = data;
    const type = event;
    data = [];
    event = '';
    held = 0;
    if (whole.length > 0) onEvent({ data: whole.join('\n'), event: type === '' ? 'message' : type, id });
  };

  const takeField = (name: string, value: string) => {
    if (name === 'data') {
      data.push(value);
      held += value.length + 1;
    } else if (name === 'event') event = value;
    else if (name === 'id' && !value.includes('\0')) id = value;
    else if (name === 'retry' && /^[0-9]+$/.test(value)) hooks.onRetry?.(Number(value));
  };

  const takeLine = (given: string) => {
    const line = isFirstLine && given.startsWith('\uFEFF') ? given.slice(1) : given;
    isFirstLine = false;
    if (line === '') return dispatch();
    const colon = line.indexOf(':');
    if (colon === 0) return hooks.onComment?.(line.slice(1));
    if (colon === -1) return takeField(line, '');
    takeField(line.slice(0, colon), line.slice(line.charCodeAt(colon + 1) === SPACE ? colon + 2 : colon + 1));
  };

  const takeText = (text: string) => {
    let start = 0;
    if (isAfterReturn && text !== '') {
      if (text.charCodeAt(0) === LINE_FEED) start = 1;
      isAfterReturn = false;
    }
    let feed = text.indexOf('\n', start);
    let carriage = text.indexOf('\r', start);
    while (feed !== -1 || carriage !== -1) {
      const isReturn = carriage !== -1 && (feed === -1 || carriage < feed);
      const end = isReturn ? carriage : feed;
      const tail = text.slice(start, end);
      if (pieces.length === 0) takeLine(tail);
      else {
        const begun = pieces.join('');
        pieces = [];
        held -= begun.length;
        takeLine(begun + tail);
      }
      start = end + 1;
      if (isReturn) {
        if (start === text.length) isAfterReturn = true;
        else if (text.charCodeAt(start) === LINE_FEED) start += 1;
        carriage = text.indexOf('\r', start);
      }
      if (feed !== -1 && feed < start) feed = text.indexOf('\n', start);
    }
    if (start === text.length) return;
    pieces.push(text.slice(start));
    held += text.length - start;
  };

  return {
    feed(piece) {
      takeText(typeof piece === 'string' ? piece : decoder.decode(piece, { stream: true }));
      if (held > MAX_EVENT_LENGTH)
        throw new DragomanError('too-large', `An event of the stream is longer than ${MAX_EVENT_LENGTH} characters.`);
    },
  };
}

/** Reads a stream to its end. `onPiece` is told of every sign of life, whether it completes an event or not. */
export async function readServerEvents(
  body: ReadableStream<Uint8Array>,
  onEvent: (event: ServerEvent) => void,
  hooks: ServerEventHooks & { onPiece?: () => void } = {},
): Promise<void> {
  const events = serverEventReader(onEvent, hooks);
  const reader = body.getReader();
  try {
    for (let read = await reader.read(); !read.done; read = await reader.read()) {
      hooks.onPiece?.();
      events.feed(read.value);
    }
  } catch (error) {
    await reader.cancel(error).catch(() => {});
    throw error;
  } finally {
    reader.releaseLock();
  }
}
