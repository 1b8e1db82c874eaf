import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readMessage } from './read-message.ts';
import { readPost } from './read-post.ts';

const BOT = 'ou_bot';

function message(type: string, content: unknown, mentions: { key: string; name: string; openId: string }[] = []) {
  return {
    message_id: 'om_1',
    chat_id: 'oc_1',
    chat_type: 'group',
    message_type: type,
    content: typeof content === 'string' ? content : JSON.stringify(content),
    mentions: mentions.map(({ key, name, openId }) => ({ key, name, id: { open_id: openId } })),
  };
}

test('the bot is taken out of what is said to it, and others are called by their names', () => {
  expect(
    readMessage(
      message('text', { text: '@_user_1 ask @_user_2 and @_all about @_user_10' }, [
        { key: '@_user_1', name: 'Dragoman', openId: BOT },
        { key: '@_user_2', name: 'Ann', openId: 'ou_ann' },
      ]),
      BOT,
    ),
  ).toEqual({ text: 'ask @Ann and @all about @_user_10', resources: [], mentionsBot: true });
});

test('rich text becomes Markdown, with its pictures and videos beside it', () => {
  const post = {
    title: 'A bug',
    content: [
      [
        { tag: 'at', user_id: '@_user_1', user_name: 'Dragoman' },
        { tag: 'text', text: ' see ', style: [] },
        { tag: 'text', text: 'this', style: ['bold', 'italic'] },
        { tag: 'a', text: 'page', href: 'https://example.com/a' },
      ],
      [{ tag: 'img', image_key: 'img_1' }],
      [{ tag: 'code_block', language: 'GO', text: 'x := 1\n' }],
      [{ tag: 'media', file_key: 'file_1', file_name: 'screen.mp4' }],
      [{ tag: 'something_new', text: 'more' }],
    ],
  };

  const read = readMessage(message('post', post, [{ key: '@_user_1', name: 'Dragoman', openId: BOT }]), BOT);

  expect(read).toEqual({
    text: '**A bug**\n\nsee ***this***[page](https://example.com/a)\n\n\n```go\nx := 1\n```\n\n\nmore',
    resources: [
      { type: 'image', kind: 'image', key: 'img_1', name: 'image.png', mediaType: 'image/png' },
      { type: 'file', kind: 'file', key: 'file_1', name: 'screen.mp4', mediaType: 'video/mp4' },
    ],
    mentionsBot: true,
  });
  expect(readPost({ en_us: { title: '', content: [[{ tag: 'text', text: 'hello' }]] } }).text).toBe('hello');
});

test('pictures, files and voice are what they are', () => {
  const kinds = [
    message('image', { image_key: 'img_1' }),
    message('file', { file_key: 'file_1', file_name: 'notes.md' }),
    message('audio', { file_key: 'file_2', duration: 2000 }),
    message('media', { file_key: 'file_3', image_key: 'img_2', file_name: 'a.mp4' }),
  ].map((one) => readMessage(one, BOT)?.resources);

  expect(kinds).toEqual([
    [{ type: 'image', kind: 'image', key: 'img_1', name: 'image.png', mediaType: 'image/png' }],
    [{ type: 'file', kind: 'file', key: 'file_1', name: 'notes.md', mediaType: 'text/markdown' }],
    [{ type: 'file', kind: 'voice', key: 'file_2', name: 'voice.ogg', mediaType: 'audio/ogg' }],
    [{ type: 'file', kind: 'file', key: 'file_3', name: 'a.mp4', mediaType: 'video/mp4' }],
  ]);
});

test('stickers and shared cards say nothing', () => {
  expect(readMessage(message('sticker', { file_key: 'x' }), BOT)).toBeUndefined();
  expect(readMessage(message('share_chat', { chat_id: 'oc_2' }), BOT)).toBeUndefined();
});

test('whatever stands in a message, it is read without an error', () => {
  const type = fc.constantFrom('text', 'post', 'image', 'file', 'audio', 'media');
  fc.assert(
    fc.property(type, fc.oneof(fc.string(), fc.json()), (kind, content) => {
      const read = readMessage(message(kind, content), BOT);
      expect(read === undefined || typeof read.text === 'string').toBe(true);
    }),
  );
});
