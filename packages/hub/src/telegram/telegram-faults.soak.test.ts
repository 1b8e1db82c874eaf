import { randomUUID } from 'node:crypto';
import { randomTelegramFaults, rounds } from '@dragoman/testkit';
import { expect, test } from 'vitest';
import type { Chat, Receipt } from '../channels/channel.ts';
import { DeliveryError } from '../channels/delivery-error.ts';
import type { TelegramChannel } from './open-telegram.ts';
import { beforeOf, deliveryOf, lineBody, openBot } from './open-bot.fixture.ts';

/** Brings one post through its states as the desk does: again and again until it is there. */
async function bringPost(
  { channel, pass }: { channel: TelegramChannel; pass: (ms: number) => void },
  chat: Chat,
  key: string,
  states: readonly string[],
): Promise<void> {
  const nonce = randomUUID();
  let receipt: Receipt | undefined;
  for (const [index, text] of states.entries()) {
    const isFinal = index === states.length - 1;
    let uncertain: { hint: number } | undefined;
    for (;;) {
      const hint = uncertain?.hint ?? channel.hintOf(chat);
      const before = receipt === undefined ? undefined : beforeOf(receipt);
      try {
        receipt = await channel.deliver(deliveryOf(chat, lineBody(text), { key, isFinal, nonce, before, uncertain }));
        break;
      } catch (error) {
        if (!(error instanceof DeliveryError)) throw error;
        const { problem } = error;
        if (problem.type === 'uncertain') uncertain = { hint };
        else if (problem.type !== 'later') throw error;
        else pass(problem.afterMs ?? 0);
      }
    }
  }
}

test('whatever fails on the way, every message is there once and says what it should in the end [UAP-35]', async () => {
  let now = Date.now();
  const pass = (ms: number) => void (now += ms);
  const { telegram, channel, ann, chat } = await openBot({ now: () => now });
  const bob = telegram.addUser({ name: 'Bob' });
  telegram.say(bob, bob, '/start');
  const forum = telegram.addGroup({ title: 'Team', forum: true });
  const topics = [telegram.addTopic(forum, ann, 'One'), telegram.addTopic(forum, ann, 'Two')];
  // What the bot hears tells it how far the messages are counted.
  await channel.listen();
  telegram.say(forum, ann, `@${telegram.botUser.username} hello`);
  await telegram.until(() => telegram.pendingUpdates() === 0);
  telegram.faults = randomTelegramFaults({ seed: 35, rate: 0.3 });

  const places: [Chat, () => { text: string }[]][] = [
    [chat, () => telegram.botMessagesIn(ann)],
    [{ ...chat, chatId: String(bob.id) }, () => telegram.botMessagesIn(bob)],
    ...topics.map((thread): [Chat, () => { text: string }[]] => [
      { chatId: `${forum.id}/${thread}`, kind: 'group', language: 'en' },
      () => telegram.botMessagesIn(forum, { thread }),
    ]),
  ];
  const each = Math.ceil(rounds(1000) / places.length);
  const wanted = (place: number, post: number) => `post ${post} of ${place}, in the end`;
  await Promise.all(
    places.map(async ([where], place) => {
      for (let post = 0; post < each; post += 1)
        await bringPost({ channel, pass }, where, `part ${post}`, [
          `post ${post}`,
          `post ${post} of ${place}`,
          wanted(place, post),
        ]);
    }),
  );
  for (const [place, [, messages]] of places.entries())
    expect(messages().map(({ text }) => text)).toEqual(Array.from({ length: each }, (_, post) => wanted(place, post)));
});
