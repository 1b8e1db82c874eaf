import { randomUUID } from 'node:crypto';
import type { TelegramFault } from '@dragoman/testkit';
import { describe, expect, test } from 'vitest';
import { DeliveryError, type DeliveryProblem } from '../channels/delivery-error.ts';
import { beforeOf, chatOf, deliveryOf, lineBody, openBot } from './open-bot.fixture.ts';
import { MessageIds } from './message-ids.ts';
import { telegramApi } from './telegram-api.ts';
import type { TelegramBody } from './telegram-body.ts';
import { TelegramDelivery } from './telegram-delivery.ts';

const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

/** What a delivery that must fail failed with. */
async function problemOf(delivery: Promise<unknown>): Promise<DeliveryProblem> {
  const error: unknown = await delivery.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof DeliveryError)) throw new Error('expected a DeliveryError', { cause: error });
  return error.problem;
}

test('a post is a message with its buttons, changes in place, and is not changed twice to the same [UAP-35]', async () => {
  const { telegram, channel, ann, chat } = await openBot();
  const asked = lineBody('May I?', [[{ label: 'Yes', action: 0, look: 'primary' }], [{ label: 'No', action: 1 }]]);
  const receipt = await channel.deliver(deliveryOf(chat, asked));
  const [message] = telegram.botMessagesIn(ann);
  expect(receipt).toEqual({ messageId: `${message!.messageId}@${telegram.botUser.id}`, isLasting: true });
  expect(message).toMatchObject({ text: 'May I?', edits: 0 });
  expect(message!.buttons.map((row) => row.map(({ text, callback_data }) => [text, callback_data]))).toEqual([
    [['Yes', 'post_1.0']],
    [['No', 'post_1.1']],
  ]);

  const before = beforeOf(receipt);
  await channel.deliver(deliveryOf(chat, lineBody('Yes, by Ann.'), { before }));
  await channel.deliver(deliveryOf(chat, lineBody('Yes, by Ann.'), { before }));
  expect(telegram.botMessagesIn(ann)).toMatchObject([{ text: 'Yes, by Ann.', buttons: [], edits: 1 }]);

  const calls = telegram.calls.count();
  const known = { receipt, body: lineBody('Yes, by Ann.') };
  await channel.deliver(deliveryOf(chat, lineBody('Yes, by Ann.'), { before: known }));
  expect(telegram.calls.count()).toBe(calls);
});

test('a post answers the message it is meant for, also where a person has deleted that [UAP-35]', async () => {
  const { telegram, channel, ann, chat } = await openBot();
  const asked = telegram.say(ann, ann, 'hello?');
  await channel.deliver(deliveryOf(chat, lineBody('Here.'), { replyTo: `${asked}@${telegram.botUser.id}` }));
  telegram.deleteMessage(ann, asked);
  await channel.deliver(deliveryOf(chat, lineBody('Still here.'), { replyTo: `${asked}@${telegram.botUser.id}` }));
  expect(telegram.botMessagesIn(ann).map(({ text }) => text)).toEqual(['Here.', 'Still here.']);
});

describe('while an answer is written', () => {
  const part = { key: 'part msg_1', isFinal: false };

  test('it is a draft at first, and a message when it is final [UAP-35]', async () => {
    const { telegram, channel, ann, chat } = await openBot();
    const nonce = randomUUID();
    const first = await channel.deliver(deliveryOf(chat, lineBody('One'), { ...part, nonce }));
    expect(first.isLasting).toBe(false);
    const second = await channel.deliver(
      deliveryOf(chat, lineBody('One two'), { ...part, nonce, before: beforeOf(first) }),
    );
    expect(telegram.draftsIn(ann)).toMatchObject([{ text: 'One two' }]);
    expect(telegram.botMessagesIn(ann)).toEqual([]);

    const end = deliveryOf(chat, lineBody('One two three'), { key: part.key, nonce, before: beforeOf(second) });
    expect(await channel.deliver(end)).toMatchObject({ isLasting: true });
    expect(telegram.draftsIn(ann)).toEqual([]);
    expect(telegram.botMessagesIn(ann)).toMatchObject([{ text: 'One two three', edits: 0 }]);
  });

  test('it becomes a message after twenty seconds, or when something is sent behind it [UAP-35]', async () => {
    let now = 1_800_000_000_000;
    const { telegram, channel, ann, chat } = await openBot({ now: () => now });
    const nonce = randomUUID();
    const draft = await channel.deliver(deliveryOf(chat, lineBody('One'), { ...part, nonce }));
    const other = deliveryOf(chat, lineBody('Other'), { ...part, key: 'part msg_2', isLast: false });
    expect(await channel.deliver(other)).toMatchObject({ isLasting: true });
    now += 20_000;
    const late = deliveryOf(chat, lineBody('One two'), { ...part, nonce, before: beforeOf(draft) });
    expect(await channel.deliver(late)).toMatchObject({ isLasting: true });
    expect(telegram.botMessagesIn(ann).map(({ text }) => text)).toEqual(['Other', 'One two']);
  });

  test('it is a message from the start where the server knows no drafts, and in groups [UAP-35]', async () => {
    const { telegram, channel, ann, chat } = await openBot({ fake: { drafts: false } });
    const receipt = await channel.deliver(deliveryOf(chat, lineBody('One'), part));
    await channel.deliver(deliveryOf(chat, lineBody('One two'), { ...part, before: beforeOf(receipt) }));
    await channel.deliver(deliveryOf(chat, lineBody('Next'), { ...part, key: 'part msg_2' }));
    expect(telegram.botMessagesIn(ann).map(({ text }) => text)).toEqual(['One two', 'Next']);
    expect(telegram.calls.count('sendMessageDraft')).toBe(1);

    const group = telegram.addGroup({ title: 'Team' });
    await channel.deliver(deliveryOf({ ...chat, chatId: String(group.id), kind: 'group' }, lineBody('Hello'), part));
    expect(telegram.botMessagesIn(group)).toMatchObject([{ text: 'Hello' }]);
    expect(telegram.calls.count('sendMessageDraft')).toBe(1);
  });
});

describe('when Telegram fails', () => {
  const cases: [string, TelegramFault, DeliveryProblem, DeliveryProblem][] = [
    [
      'asks to wait',
      { status: 429, retryAfter: 7 },
      { type: 'later', afterMs: 7000 },
      { type: 'later', afterMs: 7000 },
    ],
    ['is broken', { status: 502, body: '<html></html>' }, { type: 'uncertain' }, { type: 'later' }],
    ['answers 500', { status: 500 }, { type: 'uncertain' }, { type: 'later' }],
    ['cuts the connection', 'drop-before', { type: 'uncertain' }, { type: 'later' }],
    ['says no to this', { status: 400 }, { type: 'refused' }, { type: 'refused' }],
  ];
  test.each(cases)(
    'and %s, a new message and a change mean different things [UAP-35]',
    async (_name, fault, sent, edited) => {
      const { telegram, channel, chat } = await openBot();
      const before = beforeOf(await channel.deliver(deliveryOf(chat, lineBody('One'))));
      telegram.faults = ({ method }) => (/^(?:send|edit)/.test(method) ? fault : undefined);
      expect(await problemOf(channel.deliver(deliveryOf(chat, lineBody('Two'))))).toEqual(sent);
      expect(await problemOf(channel.deliver(deliveryOf(chat, lineBody('Two'), { before })))).toEqual(edited);
    },
  );

  test('a message that a person deleted is gone, a blocked bot has a closed chat, and a revoked token is told [UAP-35]', async () => {
    const { telegram, channel, ann, chat } = await openBot();
    const receipt = await channel.deliver(deliveryOf(chat, lineBody('One')));
    telegram.deleteMessage(ann, Number.parseInt(receipt.messageId!, 10));
    const change = deliveryOf(chat, lineBody('Two'), { before: beforeOf(receipt) });
    expect(await problemOf(channel.deliver(change))).toEqual({ type: 'gone' });

    telegram.block(ann);
    expect(await problemOf(channel.deliver(deliveryOf(chat, lineBody('Three'))))).toEqual({ type: 'closed' });
    const nobody = { ...chat, chatId: '4711' };
    expect(await problemOf(channel.deliver(deliveryOf(nobody, lineBody('Four'))))).toEqual({ type: 'closed' });

    telegram.revokeToken();
    expect(await problemOf(channel.deliver(deliveryOf(chat, lineBody('Five'))))).toEqual({ type: 'revoked' });
  });

  test('nothing that it tells names the token [UAP-35]', async () => {
    const { telegram, channel, chat } = await openBot();
    await telegram.close();
    const error: unknown = await channel.deliver(deliveryOf(chat, lineBody('One'))).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ problem: { type: 'later' }, message: 'Telegram did not answer (ECONNREFUSED).' });
    expect(JSON.stringify(error, Object.getOwnPropertyNames(error))).not.toContain(telegram.token);
  });

  test('what it does not take as markup is sent as plain text [UAP-35]', async () => {
    const { telegram, channel, ann, chat } = await openBot();
    const parse = { ok: false, error_code: 400, description: "Bad Request: can't parse entities: somewhere" };
    telegram.faults = ({ params }) => (params['parse_mode'] === undefined ? undefined : { status: 400, body: parse });
    const receipt = await channel.deliver(deliveryOf(chat, lineBody('a*b_c.')));
    await channel.deliver(deliveryOf(chat, lineBody('a*b_c!'), { before: beforeOf(receipt) }));
    expect(telegram.botMessagesIn(ann)).toMatchObject([{ text: 'a*b_c!', entities: [] }]);
  });
});

describe('a message of which nobody knows whether it arrived', () => {
  test('is found and brought up to date where it did [UAP-35]', async () => {
    const { telegram, channel, ann, chat } = await openBot();
    const kept = await channel.deliver(deliveryOf(chat, lineBody('Kept')));
    const nonce = randomUUID();
    const hint = channel.hintOf(chat);
    expect(hint).toBe(Number.parseInt(kept.messageId!, 10));
    telegram.faults = ({ method }) => (method === 'sendMessage' ? 'drop-after' : undefined);
    expect(await problemOf(channel.deliver(deliveryOf(chat, lineBody('Once'), { nonce })))).toEqual({
      type: 'uncertain',
    });
    telegram.faults = undefined;
    telegram.say(ann, ann, 'and something in between');

    const again = deliveryOf(chat, lineBody('Once, and more'), { nonce, uncertain: { hint } });
    const receipt = await channel.deliver(again);
    const messages = telegram.botMessagesIn(ann);
    expect(messages.map(({ text }) => text)).toEqual(['Kept', 'Once, and more']);
    expect(receipt.messageId).toBe(`${messages[1]!.messageId}@${telegram.botUser.id}`);
  });

  test('is found where Telegram took it and never answered [UAP-35]', async () => {
    const { telegram, ann, chat } = await openBot();
    const ids = new MessageIds();
    const waiting = (seconds?: number) =>
      new TelegramDelivery(telegramApi(telegram.token, telegram.url, seconds), ids, Date.now);
    telegram.faults = ({ method }) => (method === 'sendMessage' ? 'hang-after' : undefined);
    expect(await problemOf(waiting(0.2).deliver(deliveryOf(chat, lineBody('Once'))))).toEqual({ type: 'uncertain' });
    telegram.faults = undefined;
    await waiting().deliver(deliveryOf(chat, lineBody('Once'), { uncertain: { hint: 1 } }));
    expect(telegram.botMessagesIn(ann)).toMatchObject([{ text: 'Once', edits: 0 }]);
  });

  test('is sent again where it did not, and leaves others alone [UAP-35]', async () => {
    const { telegram, channel, ann, chat } = await openBot();
    const bob = telegram.addUser({ name: 'Bob' });
    telegram.say(bob, bob, '/start');
    const hint = channel.hintOf(chat);
    telegram.faults = ({ method }) => (method === 'sendMessage' ? 'drop-before' : undefined);
    expect(await problemOf(channel.deliver(deliveryOf(chat, lineBody('Once'))))).toEqual({ type: 'uncertain' });
    telegram.faults = undefined;
    await channel.deliver(deliveryOf(chatOf(bob), lineBody('For Bob')));
    await channel.deliver(deliveryOf(chat, lineBody('Another')));
    await channel.deliver(deliveryOf(chat, lineBody('Once'), { uncertain: { hint } }));
    expect(telegram.botMessagesIn(ann).map(({ text }) => text)).toEqual(['Another', 'Once']);
    expect(telegram.botMessagesIn(bob).map(({ text }) => text)).toEqual(['For Bob']);
  });

  test('is not taken for one that another process brought into another topic [UAP-35]', async () => {
    const { telegram, channel, ann, chat } = await openBot();
    const forum = telegram.addGroup({ title: 'Team', forum: true });
    const inTopic = (name: string) => ({
      ...chat,
      chatId: `${forum.id}/${telegram.addTopic(forum, ann, name)}`,
      kind: 'group' as const,
    });
    const [one, other] = [inTopic('One'), inTopic('Two')];
    const first = await channel.deliver(deliveryOf(one, lineBody('First')));
    const hint = channel.hintOf(one);
    const finished = await channel.deliver(deliveryOf(other, lineBody('Finished')));

    // As after a crash: it knows only what is stored.
    const delivery = new TelegramDelivery(telegramApi(telegram.token, telegram.url), new MessageIds(), Date.now);
    const knownIds = async () => [first.messageId!, finished.messageId!];
    await delivery.deliver(deliveryOf(one, lineBody('Second'), { uncertain: { hint }, knownIds }));

    expect(telegram.botMessagesIn(forum).map(({ text, edits }) => [text, edits])).toEqual([
      ['First', 0],
      ['Finished', 0],
      ['Second', 0],
    ]);
  });

  test('is found too where it is a file [UAP-35]', async () => {
    const { telegram, channel, ann, chat } = await openBot();
    const body: TelegramBody = { type: 'file', data: PIXEL, name: 'dot.png', mediaType: 'image/png', link: undefined };
    telegram.faults = ({ method }) => (method === 'sendPhoto' ? 'drop-after' : undefined);
    expect(await problemOf(channel.deliver(deliveryOf(chat, body)))).toEqual({ type: 'uncertain' });
    telegram.faults = undefined;
    // The /start of Ann is the only message before.
    await channel.deliver(deliveryOf(chat, body, { uncertain: { hint: 1 } }));
    expect(telegram.botMessagesIn(ann)).toMatchObject([{ text: 'dot.png', file: { kind: 'photo' } }]);
  });
});

describe('images and files', () => {
  const file = (bytes: Uint8Array, mediaType: string, name: string) => ({
    body: {
      type: 'file',
      url: '/api/attachments/att_1',
      name,
      mediaType,
      link: 'https://dragoman.example/sessions/ses_1',
    } as const,
    readAttachment: () => Promise.resolve({ bytes, mediaType, name }),
  });

  test('are a photo where Telegram takes it as one, and a document otherwise [UAP-35]', async () => {
    const { telegram, channel, ann, chat } = await openBot();
    const photo = file(Buffer.from(PIXEL, 'base64'), 'image/png', 'dot.png');
    const broken = file(Buffer.from('no picture'), 'image/png', 'broken.png');
    const text = file(Buffer.from('hello'), 'text/plain', 'notes.txt');
    for (const { body, readAttachment } of [photo, broken, text])
      await channel.deliver(deliveryOf(chat, body, { readAttachment }));
    expect(
      telegram.botMessagesIn(ann).map(({ file: sent, text: caption }) => [sent?.kind, sent?.name, caption]),
    ).toEqual([
      ['photo', 'dot.png', 'dot.png'],
      ['document', 'broken.png', 'broken.png'],
      ['document', 'notes.txt', 'notes.txt'],
    ]);
  });

  test('that are too large or not there are told in a line [UAP-35]', async () => {
    const { telegram, channel, ann, chat } = await openBot();
    const { body, readAttachment } = file(new Uint8Array(50_000_001), 'application/zip', 'all.zip');
    await channel.deliver(deliveryOf(chat, body, { readAttachment }));
    await channel.deliver(deliveryOf(chat, body));
    expect(telegram.botMessagesIn(ann).map(({ text }) => text)).toEqual([
      '📎 all.zip is 50.0 MB; Telegram allows at most 50 MB. Open in the console',
      '📎 all.zip could not be sent. Open in the console',
    ]);
  });
});

test('a topic is a place of its own, and of a group that has moved the hub is told [UAP-35]', async () => {
  let now = 0;
  const { telegram, channel, ann, chat, heard } = await openBot({ now: () => (now += 10_000) });
  const forum = telegram.addGroup({ title: 'Team', forum: true });
  const topic = await channel.openTopic({ ...chat, chatId: String(forum.id), kind: 'group' }, 'Fix the door');
  const [, thread] = topic!.chatId.split('/');
  const inTopic = { ...chat, chatId: topic!.chatId, kind: 'group' as const };
  const receipt = await channel.deliver(deliveryOf(inTopic, lineBody('In here')));
  await channel.deliver(deliveryOf(inTopic, lineBody('In here!'), { before: beforeOf(receipt) }));
  expect(telegram.botMessagesIn(forum, { thread: Number(thread) })).toMatchObject([{ text: 'In here!', edits: 1 }]);
  expect(await channel.openTopic(chatOf(ann), 'No topics here')).toBeUndefined();

  const small = telegram.addGroup({ title: 'Small', isBasic: true });
  const old = { ...chat, chatId: String(small.id), kind: 'group' as const };
  const before = beforeOf(await channel.deliver(deliveryOf(old, lineBody('Small talk'))));
  const large = telegram.migrate(small);
  const problem = { type: 'later', afterMs: 2000 };
  expect(await problemOf(channel.deliver(deliveryOf(old, lineBody('Found you'))))).toEqual(problem);
  // There a message of another kind has its number.
  expect(await problemOf(channel.deliver(deliveryOf(old, lineBody('Large'), { before })))).toEqual(problem);
  expect(heard).toMatchObject([
    { type: 'moved', chat: { chatId: String(small.id) }, to: String(large.id) },
    { type: 'moved', chat: { chatId: String(small.id) }, to: String(large.id) },
  ]);
  expect(telegram.botMessagesIn(large)).toEqual([]);
});

describe('where another bot was before', () => {
  const OTHER = 12_345;

  test('its messages are gone, and none of ours is changed because it has the same number [UAP-35]', async () => {
    const { telegram, channel, ann, chat } = await openBot();
    const { messageId } = await channel.deliver(deliveryOf(chat, lineBody('Ours')));
    const number = Number.parseInt(messageId!, 10);
    const before = beforeOf({ messageId: `${number}@${OTHER}`, isLasting: true });
    expect(await problemOf(channel.deliver(deliveryOf(chat, lineBody('Theirs'), { before })))).toEqual({
      type: 'gone',
    });
    await channel.deliver(deliveryOf(chat, lineBody('More'), { replyTo: `${number}@${OTHER}` }));
    expect(telegram.botMessagesIn(ann)).toMatchObject([
      { text: 'Ours', edits: 0 },
      { text: 'More', replyTo: undefined },
    ]);
  });

  test('its numbers do not hide a message that may have arrived [UAP-35]', async () => {
    const { telegram, channel, ann, chat } = await openBot();
    const { messageId } = await channel.deliver(deliveryOf(chat, lineBody('First')));
    const hint = channel.hintOf(chat);
    const nonce = randomUUID();
    telegram.faults = ({ method }) => (method === 'sendMessage' ? 'drop-after' : undefined);
    expect(await problemOf(channel.deliver(deliveryOf(chat, lineBody('Second'), { nonce })))).toEqual({
      type: 'uncertain',
    });
    telegram.faults = undefined;
    const knownIds = async () => [messageId!, `${hint + 1}@${OTHER}`, `90000@${OTHER}`];
    await channel.deliver(deliveryOf(chat, lineBody('Second'), { nonce, uncertain: { hint }, knownIds }));
    expect(telegram.botMessagesIn(ann).map(({ text }) => text)).toEqual(['First', 'Second']);
    expect(channel.hintOf(chat)).toBe(hint + 1);
  });
});
