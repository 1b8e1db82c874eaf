import { expect, test } from 'vitest';
import { noticeText } from './notice-text.ts';

test('a folder with the name of a link is told as text, and nothing else is changed', () => {
  expect(noticeText('/tmp/gone [Repair](command:workbench.action.closeWindow) is not a folder.')).toBe(
    '/tmp/gone [Repair] (command:workbench.action.closeWindow) is not a folder.',
  );
  expect(noticeText('[a] (b) c[0] f(x)')).toBe('[a] (b) c[0] f(x)');
});
