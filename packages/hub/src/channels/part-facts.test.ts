import { foldHubEvents, type HubEvent, partMaker, type SessionView } from '@dragoman/protocol';
import { expect, test } from 'vitest';
import { at, delta, start, stop, testInfo } from '../log/session-log.fixture.ts';
import { isFinalPart } from './part-facts.ts';
import { Renderings } from './renderings.ts';
import { slateRenderer } from './slate.fixture.ts';

function viewOf(...events: HubEvent[]): SessionView {
  const all: HubEvent[] = [{ type: 'session-created', session: testInfo() }, ...events];
  return foldHubEvents(at(1, ...all).map((event, index) => ({ ...event, seq: index + 1 })))!;
}

/** Of each part whether it is final. */
function finals(...events: HubEvent[]): boolean[] {
  const view = viewOf(...events);
  const parts = partMaker()(view);
  return parts.map((part, index) => isFinalPart(part, view, index === parts.length - 1));
}

const begins = (turnId: string): HubEvent => ({ type: 'turn-started', turnId });
const over = (turnId: string): HubEvent => ({ type: 'turn-finished', turnId, reason: 'done' });
const use = stop('u', { type: 'tool_use', id: 'call', name: 'bash', input: {} });
const result = stop('r', { type: 'tool_result', tool_use_id: 'call', content: 'ok' }, 'msg_2');

test('a turn is final when it is over and nothing in it is open or runs', () => {
  expect(finals(begins('t'), stop('b', 'x'))).toEqual([false]);
  expect(finals(begins('t'), start('b'), delta('b', 'x'))).toEqual([false]);
  expect(finals(begins('t'), use)).toEqual([false]);
  expect(finals(begins('t'), use, result)).toEqual([false]);
  expect(finals(begins('t'), use, result, over('t'))).toEqual([true]);
  expect(finals(begins('t'), use, over('t'))).toEqual([true]);
});

test('what was said between turns is final while nobody works, or once something follows it', () => {
  expect(finals(stop('b', 'x'))).toEqual([true]);
  expect(finals(start('b'), delta('b', 'x'))).toEqual([false]);
  expect(finals(stop('b', 'x'), begins('t'), stop('c', 'y', 'msg_2'))).toEqual([true, false]);
});

test('a part that did not change is not rendered again, in each language once', () => {
  let rendered = 0;
  const log = { debug: () => {}, info: () => {}, warn: () => {} };
  const counting = {
    ...slateRenderer,
    part(...given: Parameters<typeof slateRenderer.part>) {
      rendered += 1;
      return slateRenderer.part(...given);
    },
  };
  const renderings = new Renderings(counting, log);
  const makeParts = partMaker();
  const events = [
    begins('t1'),
    stop('b1', 'x'),
    over('t1'),
    begins('t2'),
    start('b2', { type: 'text', text: 'y' }, 'm2'),
  ];
  const show = (view: SessionView, language: 'en' | 'zh') => {
    const scene = { view, language, link: undefined, ownPrompts: new Map<string, string>() };
    return makeParts(view).map((part) => renderings.part(part, scene));
  };

  const view = viewOf(...events);
  const first = show(view, 'en');
  show(view, 'zh');
  expect(rendered).toBe(4);
  const later = foldHubEvents([{ seq: 99, at: 9, event: delta('b2', 'z') }], view);
  const next = show(later, 'en');

  expect(rendered).toBe(5);
  expect(next[0]).toBe(first[0]);
});

test('a part that a channel cannot show is left out, and what it says is not logged', () => {
  const logged: unknown[] = [];
  const log = { debug: () => {}, info: () => {}, warn: (...line: unknown[]) => void logged.push(line) };
  const failing = {
    ...slateRenderer,
    part: () => {
      throw new Error('cannot show: the secret');
    },
  };
  const view = viewOf(stop('b', 'the secret'));
  const scene = { view, language: 'en' as const, link: undefined, ownPrompts: new Map<string, string>() };

  expect(new Renderings(failing, log).part(partMaker()(view)[0]!, scene)).toEqual([]);
  expect(logged).toHaveLength(1);
  expect(JSON.stringify(logged)).not.toContain('secret');
});
