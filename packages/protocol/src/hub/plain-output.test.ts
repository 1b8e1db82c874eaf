import { expect, test } from 'vitest';
import { plainOutput } from './plain-output.ts';

test('what a program told the terminal is left out, what it told people stays', () => {
  expect(
    plainOutput('\u001b[1;31mFAIL\u001b[0m a.test.ts\u001b[K\n\u001b]0;title\u0007ok \u001b(B\u009b32mgreen'),
  ).toBe('FAIL a.test.ts\nok green');
});

test('of a line that was written over, the last is there to read', () => {
  expect(plainOutput('10 %\r50 %\r100 %\ndone\r\n')).toBe('100 %\ndone\n');
});

test('an escape that never ends takes nothing else with it', () => {
  const text = `\u001b]0;${'x'.repeat(10_000)}`;
  expect(plainOutput(`${text}\nafter`)).toContain('after');
});
