import fc from 'fast-check';
import { expect, test } from 'vitest';
import { complete, matching, triggerAt } from './completion.ts';

const at = (text: string) => triggerAt(text.replace('|', ''), text.indexOf('|'));

test('a slash at the very beginning opens commands, filtered by what follows it', () => {
  expect(at('/|')).toEqual({ kind: 'command', query: '', from: 0, to: 1 });
  expect(at('/rev|')).toEqual({ kind: 'command', query: 'rev', from: 0, to: 4 });
  expect(at('/rev now|')).toBeUndefined();
  expect(at('see /etc|')).toBeUndefined();
  expect(at(' /rev|')).toBeUndefined();
});

test('after /model and /mode the choices are offered', () => {
  expect(at('/model |')).toEqual({ kind: 'model', query: '', from: 0, to: 7 });
  expect(at('/mode pl|')).toEqual({ kind: 'mode', query: 'pl', from: 0, to: 8 });
  expect(at('/model gpt| and more')).toBeUndefined();
});

test('an @ that begins a word opens files and sessions; one in an address does not', () => {
  expect(at('look at @src/hub|')).toEqual({ kind: 'mention', query: 'src/hub', from: 8, to: 16 });
  expect(at('@|')).toEqual({ kind: 'mention', query: '', from: 0, to: 1 });
  expect(at('看（@说明|')).toEqual({ kind: 'mention', query: '说明', from: 2, to: 5 });
  expect(at('ada@example|')).toBeUndefined();
  expect(at('@src done|')).toBeUndefined();
});

test('a completion takes the place of what was written, with one space behind it', () => {
  expect(complete('see @src', { kind: 'mention', query: 'src', from: 4, to: 8 }, '@src/a.ts')).toEqual({
    text: 'see @src/a.ts ',
    caret: 14,
  });
  expect(complete('see @src and', { kind: 'mention', query: 'src', from: 4, to: 8 }, '@src/a.ts')).toEqual({
    text: 'see @src/a.ts and',
    caret: 14,
  });
});

test('what begins with the words comes before what only holds them', () => {
  const names = ['unstop', 'stop', 'fork', 'Stopwatch'];
  expect(matching(names, 'STOP', (name) => name)).toEqual(['stop', 'Stopwatch', 'unstop']);
  expect(matching(names, '', (name) => name)).toEqual(names);
});

test('whatever stands in the text, completing keeps all of it but the word at the caret', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom('@', '/', ' ', '\n', 'a', 'model', '('), maxLength: 40 }), (text) => {
      for (let caret = 0; caret <= text.length; caret++) {
        const trigger = triggerAt(text, caret);
        if (trigger === undefined) continue;
        expect(trigger.to).toBe(caret);
        const { text: next, caret: place } = complete(text, trigger, 'X');
        expect(next.startsWith(`${text.slice(0, trigger.from)}X`)).toBe(true);
        expect(next.endsWith(text.slice(caret))).toBe(true);
        expect(next.slice(0, place)).toMatch(/X\s$/);
      }
    }),
  );
});
