import { rowsOf } from '@dragoman/protocol';
import { sessionOf } from '@dragoman/testkit';
import { expect, test } from 'vitest';
import { countNews } from './count-news.ts';

test('an answer is one message however many parts it has, and what stands before counts nothing', () => {
  const session = sessionOf();
  session.turn('Where is the door?');
  session.say('Let me look.');
  const seenSeq = session.view().seq;
  session.block('assistant', { type: 'thinking', thinking: 'A door, a door.' });
  session.call('one', 'read', { input: { filePath: 'src/door.ts' } });
  session.say('It is open.');
  session.call('two', 'bash', { input: { command: 'close door' } });
  session.say('Now it is closed.');
  const view = session.view();

  expect(countNews(rowsOf(view), seenSeq, 'usr_ada')).toBe(1);
  expect(countNews(rowsOf(view), view.seq, 'usr_ada')).toBe(0);
});

test('what somebody else writes is a message, what one wrote oneself is none', () => {
  const session = sessionOf();
  const seenSeq = session.view().seq;
  session.turn('Where is the door?');
  const rows = rowsOf(session.view());

  expect(countNews(rows, seenSeq, 'usr_ada')).toBe(0);
  expect(countNews(rows, seenSeq, 'usr_grace')).toBe(1);
});
