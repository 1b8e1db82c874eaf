import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readServerEvents, type ServerEvent, serverEventReader } from './read-server-events.ts';

/** Everything a stream tells when it comes in the given pieces, in order. */
function read(...pieces: (string | Uint8Array)[]): unknown[] {
  const told: unknown[] = [];
  const reader = serverEventReader((event) => told.push(event), {
    onComment: (comment) => told.push({ comment }),
    onRetry: (retry) => told.push({ retry }),
  });
  for (const piece of pieces) reader.feed(piece);
  return told;
}

const said = (data: string, more: Partial<ServerEvent> = {}) => ({ data, event: 'message', id: undefined, ...more });

test('a blank line ends an event, and what no blank line follows is no event', () => {
  expect(read('data: one\n\ndata: two\n\ndata: cut off\n')).toEqual([said('one'), said('two')]);
});

test('several data lines are one text with line breaks, and one space behind the colon is not part of it', () => {
  expect(read('data: one\ndata:  two\ndata:three\ndata\n\n')).toEqual([said('one\n two\nthree\n')]);
});

test('an event has its type, and keeps the last id that was named before it', () => {
  expect(read('id: 7\nevent: note\ndata: a\n\ndata: b\n\nid\ndata: c\n\n')).toEqual([
    said('a', { event: 'note', id: '7' }),
    said('b', { id: '7' }),
    said('c', { id: '' }),
  ]);
});

test('an event without data is none, an empty data line is one', () => {
  expect(read('event: note\n\ndata:\n\n')).toEqual([said('')]);
});

test('comments and the asked delay are told beside the events; unknown fields and odd values are passed over', () => {
  expect(read(': still here\nretry: 1500\nretry: soon\nid: a\0b\nwhat: ever\ndata: x\n\n')).toEqual([
    { comment: ' still here' },
    { retry: 1500 },
    said('x'),
  ]);
});

test('lines may end with LF, CR or CRLF, and an event that ends with CR does not wait for the next piece', () => {
  expect(read('data: a\r\n\r\ndata: b\r\rdata: c\n\n')).toEqual([said('a'), said('b'), said('c')]);
  expect(read('data: a\r\r')).toEqual([said('a')]);
  expect(read('data: a\r', '\ndata: b\r', '\n\r', '\n')).toEqual([said('a\nb')]);
});

test('a byte order mark counts only at the very beginning', () => {
  expect(read(new TextEncoder().encode('\uFEFFdata: a\n\n\uFEFFdata: b\n\n'))).toEqual([said('a')]);
});

test('a character that is cut between two pieces arrives whole', () => {
  const bytes = new TextEncoder().encode('data: 汉字🙂\n\n');
  for (let at = 0; at <= bytes.length; at++)
    expect(read(bytes.subarray(0, at), bytes.subarray(at))).toEqual([said('汉字🙂')]);
});

const line = fc.oneof(
  fc.constantFrom('', '', 'data', 'data:', ': note', 'event: note', 'id', 'retry: 20', 'nothing: here'),
  fc.string({ unit: 'grapheme', maxLength: 8 }).map((text) => `data: ${text.replaceAll(/[\r\n]/g, '')}`),
  fc.nat().map((number) => `id: ${number}`),
);
const stream = fc
  .array(fc.tuple(line, fc.constantFrom('\n', '\r', '\r\n')), { maxLength: 30 })
  .map((lines) => lines.map(([text, end]) => text + end).join(''));

test('any stream gives, cut anywhere, what it gives as a whole', () => {
  fc.assert(
    fc.property(stream, fc.array(fc.nat(400), { maxLength: 12 }), (text, cuts) => {
      const bytes = new TextEncoder().encode(text);
      const places = [...new Set(cuts.map((cut) => cut % (bytes.length + 1)))].toSorted((one, other) => one - other);
      const pieces = [0, ...places].map((start, index) => bytes.subarray(start, places[index] ?? bytes.length));
      expect(read(...pieces)).toEqual(read(text));
    }),
    { seed: 11, numRuns: 1_000 },
  );
});

test('any stream gives what the rules of the standard give, applied line by line', () => {
  fc.assert(
    fc.property(stream, (text) => {
      expect(read(text).filter((told) => 'data' in (told as object))).toEqual(byTheRules(text));
    }),
    { seed: 12, numRuns: 1_000 },
  );
});

/** The standard's processing model, without care for pieces or speed. */
function byTheRules(text: string): ServerEvent[] {
  const events: ServerEvent[] = [];
  let [data, event, id]: [string, string, string | undefined] = ['', '', undefined];
  for (const each of text.split(/\r\n|\r|\n/).slice(0, -1)) {
    const [, name, value = ''] = /^([^:]*)(?:: ?(.*))?$/s.exec(each)!;
    if (each === '') {
      if (data !== '') events.push({ data: data.slice(0, -1), event: event || 'message', id });
      [data, event] = ['', ''];
    } else if (name === 'data') data += `${value}\n`;
    else if (name === 'event') event = value;
    else if (name === 'id') id = value;
  }
  return events;
}

test('a stream of bytes is read to its end, with a sign of life for each piece', async () => {
  const events: string[] = [];
  let pieces = 0;
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const text of ['data: a\n', '\n: note\n\n', 'data: b\n\n'])
        controller.enqueue(new TextEncoder().encode(text));
      controller.close();
    },
  });

  await readServerEvents(body, ({ data }) => events.push(data), {
    onPiece: () => (pieces += 1),
  });

  expect(events).toEqual(['a', 'b']);
  expect(pieces).toBe(3);
});

test('a reader that fails ends the stream, and its error is what the caller gets', async () => {
  let cancelled: unknown;
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(new TextEncoder().encode('data: a\n\n')),
    cancel: (reason) => void (cancelled = reason),
  });
  const mistake = new Error('a mistake of the reader');

  await expect(
    readServerEvents(body, () => {
      throw mistake;
    }),
  ).rejects.toBe(mistake);
  expect(cancelled).toBe(mistake);
});

test('a line of any length that never ends is refused at some point', () => {
  const reader = serverEventReader(() => {});
  const piece = 'x'.repeat(1024 * 1024);
  expect(() => {
    for (let count = 0; count < 100; count++) reader.feed(piece);
  }).toThrow('An event of the stream is longer than 67108864 characters.');
});
