import { expect, test } from 'vitest';
import { channelInfo, group } from './channels.fixture.ts';
import { listedChats } from './listed-chats.ts';

test('groups that ask come first, whatever platform they are on; the latest before others', () => {
  const slate = channelInfo({
    chats: [
      group({ chatId: 'refused', state: 'refused', updatedAt: 9 }),
      group({ chatId: 'old', updatedAt: 1 }),
      group({ chatId: 'new', updatedAt: 5 }),
      group({ chatId: 'ada', kind: 'private', updatedAt: 8 }),
    ],
  });
  const chalk = channelInfo({ name: 'chalk', chats: [group({ chatId: 'asks', state: 'asked' })] });

  expect(listedChats([slate, chalk], 'group').map(({ key }) => key)).toEqual([
    'chalk asks',
    'slate new',
    'slate old',
    'slate refused',
  ]);
  expect(listedChats([slate, chalk], 'private').map(({ key }) => key)).toEqual(['slate ada']);
});

test('topics stand in their group, the latest first, and one whose group is not there stands alone', () => {
  const slate = channelInfo({
    chats: [
      group({ chatId: 'team/1', updatedAt: 7 }),
      group({ chatId: 'team', updatedAt: 3 }),
      group({ chatId: 'team/2', updatedAt: 9 }),
      group({ chatId: 'lost/1', updatedAt: 1 }),
    ],
  });
  const chalk = channelInfo({ name: 'chalk', chats: [group({ chatId: 'team', updatedAt: 2 })] });

  expect(
    listedChats([slate, chalk], 'group').map(({ key, topics }) => [key, topics.map(({ chat }) => chat.chatId)]),
  ).toEqual([
    ['slate team', ['team/2', 'team/1']],
    ['chalk team', []],
    ['slate lost/1', []],
  ]);
});
