import type { ModelEvent } from '@dragoman/protocol';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cutAtStop } from './cut-at-stop.ts';

function cut(stops: string[], events: ModelEvent[]): ModelEvent[] {
  const told: ModelEvent[] = [];
  const sink = cutAtStop(stops, { push: (event) => told.push(event) });
  for (const event of events) sink.push(event);
  return told;
}

const finish: ModelEvent = { type: 'finish', finishReason: 'length', usage: { inputTokens: 3, outputTokens: 9 } };
const textOf = (...deltas: string[]): ModelEvent[] => [
  { type: 'text-start', id: 't' },
  ...deltas.map((delta): ModelEvent => ({ type: 'text-delta', id: 't', delta })),
  { type: 'text-end', id: 't' },
];
const said = (events: ModelEvent[]) => events.map((event) => (event.type === 'text-delta' ? event.delta : '')).join('');

describe('an answer that is cut at a stop sequence', () => {
  test('ends before a sequence that is split over pieces, with the usage of the whole', () => {
    expect(cut(['</end>'], [...textOf('one <', '/en', 'd> two', ' three'), finish])).toEqual([
      { type: 'text-start', id: 't' },
      { type: 'text-delta', id: 't', delta: 'one ' },
      { type: 'text-end', id: 't' },
      {
        type: 'finish',
        finishReason: 'stop',
        rawFinishReason: 'stop_sequence',
        usage: { inputTokens: 3, outputTokens: 9 },
      },
    ]);
  });

  test('gives back what only looked like the beginning of a sequence', () => {
    expect(cut(['</end>'], [...textOf('a </e', 'm> b </en'), finish])).toEqual([
      { type: 'text-start', id: 't' },
      { type: 'text-delta', id: 't', delta: 'a ' },
      { type: 'text-delta', id: 't', delta: '</em> b ' },
      { type: 'text-delta', id: 't', delta: '</en' },
      { type: 'text-end', id: 't' },
      finish,
    ]);
  });

  test('has no tool calls behind the cut, and keeps those before it', () => {
    const call = (id: string): ModelEvent[] => [
      { type: 'tool-input-start', id, toolName: 'look' },
      { type: 'tool-input-delta', id, delta: '{"a":"END"}' },
      { type: 'tool-input-end', id },
    ];
    expect(cut(['END'], [...call('a'), ...textOf('x END'), ...call('b'), finish])).toEqual([
      ...call('a'),
      ...textOf('x '),
      { ...finish, finishReason: 'stop', rawFinishReason: 'stop_sequence' },
    ]);
  });

  test('tells an error that comes behind the cut', () => {
    const error = { type: 'error', error: new Error('x') } as unknown as ModelEvent;
    expect(cut(['END'], [...textOf('x END'), error]).at(-1)).toBe(error);
  });

  test('says the same however its text is split', () => {
    const words = fc.stringMatching(/^[ab]{0,12}$/);
    fc.assert(
      fc.property(
        fc.array(words, { maxLength: 8 }),
        fc.array(fc.stringMatching(/^[ab]{1,4}$/), { minLength: 1, maxLength: 3 }),
        (deltas, stops) => {
          const whole = deltas.join('');
          const ends = stops.map((stop) => whole.indexOf(stop)).filter((at) => at !== -1);
          expect(said(cut(stops, [...textOf(...deltas), finish]))).toBe(
            whole.slice(0, Math.min(whole.length, ...ends)),
          );
        },
      ),
    );
  });
});
