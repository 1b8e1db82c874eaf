import { randomLarkFaults, rounds } from '@dragoman/testkit';
import { expect, test } from 'vitest';
import { finished, larkScene, privateChat, streaming, TestPost, UNLIMITED } from './lark-channel.fixture.ts';

test('whatever goes wrong at random, and whoever restarts, each message is there once with its last text', async () => {
  const { lark, reopen, ...scene } = await larkScene({ fake: { limits: UNLIMITED } });
  let { channel } = scene;
  const ann = lark.addUser({ name: 'Ann' });
  const posts = Array.from({ length: rounds(1000) }, (_, index) => ({
    index,
    post: new TestPost(privateChat(ann.chatId)),
  }));
  lark.faults = randomLarkFaults(34, { rate: 0.25 });

  for (const { index, post } of posts) {
    for (const body of [streaming(`${index}: a`), streaming(`${index}: a b`), finished(`${index}: a b c`)]) {
      let isThere = false;
      for (let attempt = 0; !isThere && attempt < 50; attempt += 1) {
        isThere = await post.deliver(channel, body).then(
          () => true,
          () => false,
        );
        if (attempt % 3 === 2) {
          await channel.close();
          channel = await reopen();
          for (const one of posts) one.post.restart(one.post === post);
        }
      }
    }
  }

  expect(lark.messagesIn(ann.chatId).map(({ text, card }) => [text, card?.isStreaming])).toEqual(
    posts.map(({ index }) => [`${index}: a b c`, false]),
  );
});
