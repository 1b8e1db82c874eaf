import type { FakeLark, LarkFault } from '@dragoman/testkit';
import { expect, test } from 'vitest';
import type { CardElement } from './cards/card-json.ts';
import { cardBody, connectedScene, larkScene, PIXEL, privateChat, TestPost } from './lark-channel.fixture.ts';
import type { LarkTimes } from './open-lark.ts';

const UPLOAD = 'POST im/v1/images';
const readAttachment = async () => ({ bytes: PIXEL, mediaType: 'image/png', name: 'pixel.png' });

/** A post in a private chat; the first uploads go wrong as the test says. */
async function scene(faults: readonly (LarkFault | undefined)[], times: LarkTimes = { imageMs: [1, 1] }) {
  const { lark, channel } = await larkScene({ times });
  const left = [...faults];
  lark.faults = (call) => (call.endpoint === UPLOAD ? left.shift() : undefined);
  const { chatId } = lark.addUser();
  const post = new TestPost(privateChat(chatId), { readAttachment });
  return { lark, channel, post, text: () => lark.messagesIn(chatId)[0]?.text };
}

const withImage = (text: string, isStreaming = false) =>
  cardBody([{ tag: 'markdown', element_id: 'answer', content: text }, picture], { isStreaming });
const picture: CardElement = {
  tag: 'img',
  img_key: '',
  alt: { tag: 'plain_text', content: 'Image' },
  dragoman_attachment: '/api/attachments/att_1',
};

test.each<[LarkFault, string]>([
  [{ status: 500, code: 1 }, 'not uploaded yet; retrying'],
  ['drop-before', 'not uploaded yet; retrying'],
  [{ status: 400, code: 99991672 }, 'the bot can’t upload it: the scope im:resource is missing'],
  [{ status: 400, code: 234999 }, 'Lark rejected it; see it in the console'],
])('an answer is there without the image whose upload ends in %o, and says why', async (fault, why) => {
  const { channel, post, text } = await scene([fault], { imageMs: [60_000] });

  await post.deliver(channel, withImage('The answer.'));

  expect(text()).toBe(`The answer.\n🖼 Image (${why})`);
});

test('an image that cannot be read right now does not hold its answer back either', async () => {
  const { lark, channel } = await larkScene();
  const { chatId } = lark.addUser();
  const post = new TestPost(privateChat(chatId), {
    readAttachment: () => Promise.reject(new Error('The store is away.')),
  });

  await post.deliver(channel, withImage('The answer.'));

  expect(lark.messagesIn(chatId)[0]?.text).toBe('The answer.\n🖼 Image (not uploaded yet; retrying)');
});

test('an image that could not be uploaded at first comes by itself', async () => {
  const { lark, channel, post } = await scene([
    { status: 500, code: 1 },
    { status: 500, code: 1 },
  ]);

  await post.deliver(channel, withImage('The answer.'));

  await lark.until(() => shownKeys(lark).length === 1);
  expect(shownKeys(lark)).toEqual([...lark.files.keys()]);
  expect(lark.calls.count(UPLOAD)).toBe(3);
});

test('a chat that may not hear of sessions any more gets no image later', async () => {
  const { lark, channel } = await larkScene({ times: { imageMs: [1, 1] } });
  lark.faults = (call) => (call.endpoint === UPLOAD ? { status: 500, code: 1 } : undefined);
  const { chatId } = lark.addUser();
  const asked = Promise.withResolvers<void>();
  const mayStill = async () => {
    asked.resolve();
    return false;
  };
  await new TestPost(privateChat(chatId), { readAttachment, mayStill }).deliver(channel, withImage('The answer.'));
  await asked.promise;

  await new TestPost(privateChat(chatId)).deliver(channel, cardBody([]));

  expect(lark.calls.count(UPLOAD)).toBe(1);
});

test('after a few attempts it is said that the image cannot be uploaded', async () => {
  const broken = { status: 500, code: 1 };
  const { lark, channel, post, text } = await scene([broken, broken, broken]);

  await post.deliver(channel, withImage('The answer.'));

  await lark.until(() => text() === 'The answer.\n🖼 Image (upload failed; see it in the console)');
  expect(lark.calls.count(UPLOAD)).toBe(3);
});

test('an answer that still grows gets its image with the next change', async () => {
  const { lark, channel, post } = await scene([{ status: 500, code: 1 }], { imageMs: [1000] });
  await post.deliver(channel, withImage('One', true));
  lark.advance(1000);

  await post.deliver(channel, withImage('One two', true));

  expect(shownKeys(lark)).toEqual([...lark.files.keys()]);
});

test('a scope that is missing is told as trouble, by name, until it is granted; nothing else stops', async () => {
  const { lark, channel, states, ann } = await connectedScene();
  const deliver = () => new TestPost(privateChat(ann.chatId), { readAttachment }).deliver(channel, withImage('Hello'));
  lark.scopes.delete('cardkit:card:write');
  await expect(deliver()).rejects.toMatchObject({
    problem: { type: 'refused' },
    message:
      'Lark answered with code 99991672: the scope cardkit:card:write is missing. Add it under "Permissions & Scopes" and publish a version of the app.',
  });
  lark.scopes.add('cardkit:card:write');
  await deliver();

  expect(states).toEqual([
    { type: 'on' },
    {
      type: 'trouble',
      reason:
        'The app is missing a scope: cardkit:card:write. Add it under "Permissions & Scopes" in the developer console and publish a version.',
    },
    { type: 'on' },
  ]);
});

function shownKeys(lark: FakeLark): string[] {
  const cards = [...lark.users.values()].flatMap(({ chatId }) => lark.messagesIn(chatId).map(({ card }) => card?.json));
  return [...JSON.stringify(cards).matchAll(/"img_key":"([^"]+)"/g)].map(([, key]) => key!);
}
