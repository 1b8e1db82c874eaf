import type { MessageEntity } from 'grammy/types';
import { expect, test } from 'vitest';
import { readText } from './read-text.ts';

const me = { id: 7, username: 'Door_Bot' };

function read(text: string, ...entities: MessageEntity[]) {
  return readText({ text, entities }, me);
}

test('the name of the bot is left out, wherever it stands [UAP-35]', () => {
  expect(read('@door_bot paint it', { type: 'mention', offset: 0, length: 9 })).toEqual({
    text: 'paint it',
    isForUs: true,
  });
  expect(read('please @Door_Bot paint', { type: 'mention', offset: 7, length: 9 })).toEqual({
    text: 'please paint',
    isForUs: true,
  });
  expect(read('ask @door_bots', { type: 'mention', offset: 4, length: 10 })).toEqual({
    text: 'ask @door_bots',
    isForUs: false,
  });
  expect(read('/stop@door_bot now', { type: 'bot_command', offset: 0, length: 14 })).toEqual({
    text: '/stop now',
    isForUs: true,
  });
  expect(read('/stop@other_bot now', { type: 'bot_command', offset: 0, length: 15 })).toBeUndefined();
  expect(read('not /stop@other_bot', { type: 'bot_command', offset: 4, length: 15 })).toEqual({
    text: 'not /stop@other_bot',
    isForUs: false,
  });
});

test('code and links stay what they are [UAP-35]', () => {
  expect(
    read(
      'Why does a() fail? let a; See docs',
      { type: 'code', offset: 9, length: 3 },
      { type: 'pre', offset: 19, length: 6, language: 'js' },
      { type: 'text_link', offset: 30, length: 4, url: 'https://example.org/' },
    )?.text,
  ).toBe('Why does `a()` fail? \n```js\nlet a;\n```\n See [docs](https://example.org/)');
});
