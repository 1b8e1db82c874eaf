import { readFileSync } from 'node:fs';
import type { ModelEvent, ModelSink } from '@dragoman/protocol';
import fc from 'fast-check';
import type { StreamDecoder } from './upstream.ts';

/** The events of a recording, one a line. */
export function recordedEvents(url: URL): string[] {
  return readFileSync(url, 'utf8').trimEnd().split('\n');
}

/** Events as they come over the wire. */
export function toSse(events: string[]): Buffer {
  const text = events.map((event) => `event: ${/"type":"([^"]+)"/.exec(event)?.[1]}\ndata: ${event}\n\n`);
  return Buffer.from(text.join(''));
}

export function decodeAll(decode: (sink: ModelSink) => StreamDecoder, ...pieces: Uint8Array[]): ModelEvent[] {
  const events: ModelEvent[] = [];
  const decoder = decode({ push: (event) => events.push(event) });
  for (const piece of pieces) decoder.feed(piece);
  decoder.end();
  return events;
}

/** The same bytes in other pieces, down to single ones. */
export function anySplit(bytes: Buffer): fc.Arbitrary<Uint8Array[]> {
  const single = Array.from(bytes, (_, at) => bytes.subarray(at, at + 1));
  const pieces = fc.array(fc.nat(bytes.length), { maxLength: 12 }).map((cuts) => {
    const places = cuts.toSorted((one, other) => one - other);
    return [0, ...places].map((start, index) => bytes.subarray(start, places[index] ?? bytes.length));
  });
  return fc.oneof({ arbitrary: fc.constant(single), weight: 1 }, { arbitrary: pieces, weight: 20 });
}

/** A recording with damage to its bytes, to the order of its events or to a value in one of them. */
export function anyDamage(recorded: string[]): fc.Arbitrary<Buffer> {
  return fc.array(damage, { minLength: 1, maxLength: 4 }).map((damages) => {
    let events = recorded;
    for (const one of damages) events = damageEvents(events, one);
    const bytes = toSse(events);
    for (const { kind, at, other } of damages) if (kind === 'byte') bytes[at % bytes.length] = other % 256;
    return bytes;
  });
}

/** Where events break the rules: each block is started and ended once, and the answer ends once, after them. */
export function flawsIn(events: ModelEvent[]): string[] {
  const flaws: string[] = [];
  const open = new Set<string>();
  for (const [place, event] of events.entries()) {
    const isEnd = event.type === 'finish' || event.type === 'error';
    if (isEnd !== (place === events.length - 1)) flaws.push(`${event.type} at ${place} of ${events.length}`);
    if (isEnd || event.type === 'response-metadata') continue;
    const block = `${event.type.replace(/-(start|delta|end)$/, '')} ${event.id}`;
    if (event.type.endsWith('-start') === open.has(block)) flaws.push(`${event.type} of ${block}`);
    if (event.type.endsWith('-start')) open.add(block);
    if (event.type.endsWith('-end')) open.delete(block);
  }
  if (events.length === 0) flaws.push('no events');
  return [...flaws, ...[...open].map((block) => `${block} stays open`)];
}

const damage = fc.record({
  kind: fc.constantFrom('byte', 'drop', 'repeat', 'move', 'cut', 'value'),
  at: fc.nat(100_000),
  other: fc.nat(100_000),
  value: fc.jsonValue({ maxDepth: 2 }),
});
type Damage = typeof damage extends fc.Arbitrary<infer Value> ? Value : never;

function damageEvents(events: string[], { kind, at, other, value }: Damage): string[] {
  if (events.length === 0) return events;
  const place = at % events.length;
  const event = events[place]!;
  switch (kind) {
    case 'byte':
      return events;
    case 'drop':
      return events.toSpliced(place, 1);
    case 'repeat':
      return events.toSpliced(place, 0, event);
    case 'move':
      return events.toSpliced(place, 1).toSpliced(other % events.length, 0, event);
    case 'cut':
      return events.with(place, event.slice(0, other % (event.length + 1)));
    case 'value':
      return events.with(place, replaceValue(event, other, value));
  }
}

/** Puts something else in the place of the n-th value. */
function replaceValue(event: string, which: number, value: unknown): string {
  let parsed: unknown;
  try {
    parsed = JSON.parse(event);
  } catch {
    return event;
  }
  let count = 0;
  JSON.stringify(parsed, (_, one: unknown) => (count++, one));
  let left = which % count;
  return JSON.stringify(parsed, (_, one: unknown) => (left-- === 0 ? value : one));
}
