import { expect, test } from 'vitest';
import { connectedScene } from './lark-channel.fixture.ts';

test('a picture, a file and a voice message are fetched when they are read', async () => {
  const { lark, ann, heard } = await connectedScene();
  const jpeg = Buffer.from([0xff, 0xd8, 0xff, 0xe0, 1, 2, 3]);

  await lark.say(ann.chatId, ann, { image: jpeg });
  await lark.say(ann.chatId, ann, { file: { name: 'notes.md', bytes: Buffer.from('# Notes') } });
  await lark.say(ann.chatId, ann, { audio: { bytes: Buffer.from('OggS') } });

  const files = heard.flatMap((one) => (one.type === 'message' ? one.files : []));
  const read = await Promise.all(files.map((file) => file.read(AbortSignal.timeout(60_000))));
  expect(read.map((bytes) => Buffer.from(bytes))).toEqual([jpeg, Buffer.from('# Notes'), Buffer.from('OggS')]);
  expect(files.map(({ kind, name, mediaType }) => [kind, name, mediaType])).toEqual([
    ['image', 'image.jpg', 'image/jpeg'],
    ['file', 'notes.md', 'text/markdown'],
    ['voice', 'voice.ogg', 'audio/ogg'],
  ]);
});

test('one that is too large, or taken back meanwhile, is refused in words for its sender', async () => {
  const { lark, ann, heard } = await connectedScene();
  await lark.say(ann.chatId, ann, { file: { name: 'big.bin', bytes: Buffer.alloc(20_000_001) } });
  const { messageId } = await lark.say(ann.chatId, ann, { file: { name: 'b.txt', bytes: Buffer.from('b') } });
  const [big, gone] = heard.flatMap((one) => (one.type === 'message' ? one.files : []));

  await expect(big!.read(AbortSignal.timeout(60_000))).rejects.toMatchObject({
    code: 'too-large',
    message: 'big.bin is larger than 20000000 bytes. Send a smaller file.',
  });
  await lark.recall(messageId);
  await expect(gone!.read(AbortSignal.timeout(60_000))).rejects.toMatchObject({
    code: 'unavailable',
    message: 'b.txt could not be downloaded from Lark: Lark answered with code 234003. Send it again.',
  });
});
