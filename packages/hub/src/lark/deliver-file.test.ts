import { DragomanError } from '@dragoman/protocol';
import { expect, test } from 'vitest';
import { cardBody, larkScene, PIXEL, privateChat, TestPost } from './lark-channel.fixture.ts';

const attachments: Record<string, { bytes: Uint8Array; mediaType: string; name: string | undefined }> = {
  '/api/attachments/pixel': { bytes: PIXEL, mediaType: 'image/png', name: 'pixel.png' },
  '/api/attachments/svg': { bytes: Buffer.from('<svg/>'), mediaType: 'image/svg+xml', name: 'drawing.svg' },
  '/api/attachments/report': { bytes: Buffer.from('%PDF-1.7'), mediaType: 'application/pdf', name: 'report.pdf' },
  '/api/attachments/huge': {
    bytes: Buffer.alloc(30 * 1024 * 1024 + 1),
    mediaType: 'application/zip',
    name: 'huge.zip',
  },
};
const readAttachment = async (url: string) =>
  attachments[url] ?? Promise.reject(new DragomanError('not-found', 'It is not there.'));
const picture = (url: string, name: string) =>
  ({ tag: 'img', img_key: '', alt: { tag: 'plain_text', content: name }, dragoman_attachment: url }) as const;

test('images stand in the card, each uploaded once; one that Lark does not take is a line', async () => {
  const { lark, channel } = await larkScene();
  const ann = lark.addUser();
  const post = new TestPost(privateChat(ann.chatId), { readAttachment });
  const card = (text: string) =>
    cardBody([
      { tag: 'markdown', element_id: 'answer', content: text },
      picture('/api/attachments/pixel', 'pixel.png'),
      picture('/api/attachments/svg', 'drawing.svg'),
      picture('/api/attachments/nowhere', 'lost.png'),
    ]);

  await post.deliver(channel, card('one'));
  await post.deliver(channel, card('two'));

  expect(lark.calls.count('POST im/v1/images')).toBe(2);
  const keys = [...lark.files.keys()];
  expect(keys).toHaveLength(1);
  const [{ card: seen } = {}] = lark.messagesIn(ann.chatId);
  expect(JSON.stringify(seen?.json)).toContain(`"img_key":"${keys[0]}"`);
  expect(lark.messagesIn(ann.chatId)[0]?.text).toContain(
    '🖼 drawing.svg (Lark rejected it; see it in the console)\n🖼 lost.png (no longer available)',
  );
});

test('a file is a message of its own, sent once, and one that is too large is refused', async () => {
  const { lark, channel } = await larkScene();
  const ann = lark.addUser();
  const file = (name: string) => new TestPost(privateChat(ann.chatId), { readAttachment, nonce: `nonce-${name}` });
  const report = {
    type: 'file',
    url: '/api/attachments/report',
    name: 'report.pdf',
    mediaType: 'application/pdf',
  } as const;
  const pixel = { type: 'image', url: '/api/attachments/pixel', name: 'pixel.png', mediaType: 'image/png' } as const;
  lark.faults = (call) => (call.endpoint === 'POST im/v1/messages' ? 'drop-after' : undefined);
  await expect(file('report').deliver(channel, report)).rejects.toMatchObject({ problem: { type: 'uncertain' } });
  lark.faults = undefined;

  await file('report').deliver(channel, report);
  await file('pixel').deliver(channel, pixel);
  await file('svg').deliver(channel, { ...pixel, url: '/api/attachments/svg', name: 'drawing.svg' });

  const seen = lark.messagesIn(ann.chatId);
  expect(seen.map(({ type, fileKey }) => [type, lark.files.get(fileKey!)?.name])).toEqual([
    ['file', 'report.pdf'],
    ['image', 'image'],
    ['file', 'drawing.svg'],
  ]);
  expect(lark.calls.all.find((call) => call.endpoint === 'POST im/v1/files')?.body['file_type']).toBe('pdf');
  const huge = { ...report, url: '/api/attachments/huge', name: 'huge.zip' };
  await expect(file('huge').deliver(channel, huge)).rejects.toMatchObject({
    problem: { type: 'refused' },
    message: 'The file is 31457281 bytes; Lark allows 1 to 31457280. Open it in the console instead.',
  });
});

test('a file of a part that was taken out of the session is taken back', async () => {
  const { lark, channel } = await larkScene();
  const ann = lark.addUser();
  const post = new TestPost(privateChat(ann.chatId), { readAttachment });
  await post.deliver(channel, {
    type: 'image',
    url: '/api/attachments/pixel',
    name: 'a.png',
    mediaType: 'image/png',
  });

  await post.deliver(channel, cardBody([{ tag: 'markdown', content: 'Taken back.' }]));

  expect(lark.messagesIn(ann.chatId)).toEqual([]);
});

test('a file that is not there any more is refused, and one that cannot be read now is tried again', async () => {
  const { lark, channel } = await larkScene();
  const chat = privateChat(lark.addUser().chatId);
  const body = { type: 'file', url: '/api/attachments/nowhere', name: 'a.txt', mediaType: 'text/plain' } as const;

  await expect(new TestPost(chat, { readAttachment }).deliver(channel, body)).rejects.toMatchObject({
    problem: { type: 'refused' },
    message: 'The attachment no longer exists.',
  });
  const broken = { readAttachment: () => Promise.reject(new Error('The store is away.')) };
  await expect(new TestPost(chat, broken).deliver(channel, body)).rejects.toMatchObject({ problem: { type: 'later' } });
});
