import { readdirSync, readFileSync } from 'node:fs';
import type { ModelEvent, ModelSink } from '@dragoman/protocol';
import fc from 'fast-check';
import type { StreamDecoder } from './upstream.ts';

export type MakeDecoder = (sink: ModelSink) => StreamDecoder;

/** The recordings beside a test, by the name of their scenario. */
export function readRecordings(folder: URL): Record<string, string> {
  const names = readdirSync(folder).filter((name) => name.endsWith('.chunks.txt'));
  return Object.fromEntries(
    names.map((name) => [name.replace('.chunks.txt', ''), readFileSync(new URL(name, folder), 'utf8')]),
  );
}

/** All events of a stream; an error as its code and message, so that it can be written out. */
export function decodePieces(makeDecoder: MakeDecoder, pieces: Iterable<Uint8Array>): object[] {
  const events: object[] = [];
  const decoder = makeDecoder({ push: (event) => events.push(plain(event)) });
  for (const piece of pieces) decoder.feed(piece);
  decoder.end();
  return events;
}

export function plain(event: ModelEvent): object {
  return event.type === 'error' ? { type: 'error', code: event.error.code, message: event.error.message } : event;
}

/** Bytes and places to cut them at. */
export function splitsOf(text: string): fc.Arbitrary<Uint8Array[]> {
  const bytes = Buffer.from(text);
  return fc.array(fc.nat(bytes.length), { maxLength: 40 }).map((places) => {
    const cuts = [0, ...places.toSorted((one, other) => one - other), bytes.length];
    return cuts.slice(1).map((end, index) => bytes.subarray(cuts[index], end));
  });
}

/** The text with some bytes changed, lost or cut off, or with some JSON value in it replaced by another. */
export function mutationsOf(text: string): fc.Arbitrary<Uint8Array> {
  const bytes = Buffer.from(text);
  const overwritten = fc
    .array(fc.tuple(fc.nat(bytes.length - 1), fc.nat(255)), { minLength: 1, maxLength: 20 })
    .map((changes) => {
      const copy = Buffer.from(bytes);
      for (const [place, byte] of changes) copy[place] = byte;
      return copy;
    });
  const lost = fc
    .tuple(fc.nat(bytes.length), fc.nat(60))
    .map(([place, count]) => Buffer.concat([bytes.subarray(0, place), bytes.subarray(place + count)]));
  const cut = fc.nat(bytes.length).map((place) => bytes.subarray(0, place));
  const replaced = fc
    .array(fc.tuple(fc.nat(), fc.nat(), fc.jsonValue()), { minLength: 1, maxLength: 4 })
    .map((changes) => Buffer.from(replaceValues(text, changes)));
  return fc.oneof(overwritten, lost, cut, replaced);
}

function replaceValues(text: string, changes: [line: number, slot: number, value: unknown][]): string {
  const lines = text.split('\n');
  const places = lines.flatMap((line, index) => (line.includes('{') ? [index] : []));
  for (const [line, slot, value] of changes) {
    const index = places[line % places.length]!;
    const start = lines[index]!.indexOf('{');
    lines[index] =
      lines[index]!.slice(0, start) + JSON.stringify(withValue(JSON.parse(lines[index]!.slice(start)), slot, value));
  }
  return lines.join('\n');
}

/** Replaces one of the values inside, whichever the number says. */
export function withValue(whole: unknown, slot: number, value: unknown): unknown {
  const holder = { whole };
  const slots: { owner: Record<string, unknown>; name: string }[] = [];
  const visit = (owner: object) => {
    for (const [name, inner] of Object.entries(owner)) {
      if (owner !== holder) slots.push({ owner: owner as Record<string, unknown>, name });
      if (typeof inner === 'object' && inner !== null) visit(inner as object);
    }
  };
  visit(holder);
  const chosen = slots[slot % Math.max(1, slots.length)];
  if (chosen !== undefined) chosen.owner[chosen.name] = value;
  return holder.whole;
}

/** What is wrong with a series of events: nothing, if it is an answer as `ModelEvent` promises it. */
export function brokenRules(events: object[]): string[] {
  const problems: string[] = [];
  const open = new Set<string>();
  for (const [index, event] of (events as ModelEvent[]).entries()) {
    const isLast = index === events.length - 1;
    if ((event.type === 'finish' || event.type === 'error') !== isLast)
      problems.push(`${event.type} at ${index} of ${events.length}`);
    const [, kind, step] = /^(text|reasoning|tool-input)-(start|delta|end)$/.exec(event.type) ?? [];
    if (kind === undefined) continue;
    const block = kind + (event as { id: string }).id;
    if (open.has(block) !== (step !== 'start')) problems.push(`${event.type} of ${block} at ${index}`);
    if (step === 'start') open.add(block);
    if (step === 'end') open.delete(block);
  }
  if (events.length === 0) problems.push('no events');
  return [...problems, ...[...open].map((block) => `${block} was not ended`)];
}
