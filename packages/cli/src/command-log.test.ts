import { expect, test } from 'vitest';
import { openCommandLog } from './command-log.ts';

function told(isStaying: boolean, endedWith?: Error): { atOnce: string; atEnd: string } {
  let text = '';
  const log = openCommandLog(isStaying, (line) => (text += `${line}\n`));
  log.info({}, 'nobody wants to know');
  log.warn({ path: 'a.ts', reason: 'no room' }, 'a file was left out');
  log.error({ err: new Error('nobody there') }, 'a batch could not be sent');
  log.error({ err: new Error('nobody there') }, 'a batch could not be sent');
  const atOnce = text;
  log.close(endedWith);
  return { atOnce, atEnd: text.slice(atOnce.length) };
}

const FILE = 'dragoman: a file was left out (a.ts: no room)\n';
const BATCH = 'dragoman: a batch could not be sent (nobody there)\n';

test('a command that ends tells each trouble once, at its end', () => {
  expect(told(false)).toEqual({ atOnce: '', atEnd: FILE + BATCH });
});

test('the trouble that the command ended with is left to its own message', () => {
  expect(told(false, new Error('nobody there'))).toEqual({ atOnce: '', atEnd: FILE });
});

test('a command that stays tells them as they come', () => {
  expect(told(true)).toEqual({ atOnce: FILE + BATCH + BATCH, atEnd: '' });
});
