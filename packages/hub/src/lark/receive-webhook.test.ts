import { createCipheriv, createHash } from 'node:crypto';
import { Secret } from '@dragoman/server/base';
import { expect, test } from 'vitest';
import { cardBody, larkScene, privateChat, TestPost, webhookDoor } from './lark-channel.fixture.ts';

const ENCRYPT_KEY = 'kitchen-key';
const TOKEN = 'verification-token';

async function webhookScene() {
  const scene = await larkScene({
    fake: { encryptKey: ENCRYPT_KEY, verificationToken: TOKEN },
    settings: {
      receive: 'webhook',
      encryptKey: new Secret(ENCRYPT_KEY),
      verificationToken: new Secret(TOKEN),
    },
    publicUrl: 'https://dragoman.example',
  });
  scene.lark.useWebhook(await webhookDoor(scene.channel));
  return { ...scene, ann: scene.lark.addUser({ name: 'Ann' }) };
}

/** An event as Lark posts it, and what can be wrong with it. */
function posted(
  event: object,
  at: number,
  wrong: { body?: (body: string) => string; timestamp?: number; key?: string } = {},
) {
  const key = wrong.key ?? ENCRYPT_KEY;
  const cipher = createCipheriv('aes-256-cbc', createHash('sha256').update(key).digest(), Buffer.alloc(16, 7));
  const encrypt = Buffer.concat([Buffer.alloc(16, 7), cipher.update(JSON.stringify(event)), cipher.final()]);
  const body = JSON.stringify({ encrypt: encrypt.toString('base64') });
  const timestamp = String(wrong.timestamp ?? Math.floor(at / 1000));
  const signature = createHash('sha256').update(`${timestamp}nonce${key}${body}`).digest('hex');
  return {
    headers: {
      'x-lark-request-timestamp': timestamp,
      'x-lark-request-nonce': 'nonce',
      'x-lark-signature': signature,
    } as Record<string, string | undefined>,
    body: Buffer.from((wrong.body ?? ((same) => same))(body)),
  };
}

const joined = (token = TOKEN) => ({
  schema: '2.0',
  header: { event_id: 'ev_1', event_type: 'im.chat.member.bot.added_v1', token },
  event: { chat_id: 'oc_1', name: 'Team', operator_id: null },
});

test('the address is verified, and encrypted events arrive', async () => {
  const { lark, channel, ann, heard, states } = await webhookScene();
  await channel.listen();

  expect(await lark.verifyWebhook()).toBe(true);
  expect((await lark.say(ann.chatId, ann, 'Hello')).isAcknowledged).toBe(true);
  expect(heard).toMatchObject([{ type: 'message', text: 'Hello', id: lark.deliveries[0]!.eventId }]);
  expect(states).toEqual([{ type: 'on' }]);
  expect(channel.bot()).toEqual({ name: 'Dragoman' });
});

test('a press is answered in the answer to its request [UAP-33]', async () => {
  const { lark, channel, ann, answer } = await webhookScene();
  answer.with = async () => ({ text: 'Allowed', isRefused: false });
  const { messageId } = await new TestPost(privateChat(ann.chatId)).deliver(
    channel,
    cardBody([
      {
        tag: 'button',
        text: { tag: 'plain_text', content: 'Allow' },
        type: 'primary',
        behaviors: [{ type: 'callback', value: { action: 0 } }],
      },
    ]),
  );

  expect((await lark.press(ann.chatId, ann, messageId!, 'Allow')).toast).toEqual({
    type: 'success',
    content: 'Allowed',
  });
});

test('what comes again while it is worked on is heard once, and both get the same answer', async () => {
  const { lark, channel, heard, answer } = await webhookScene();
  const gate = Promise.withResolvers<undefined>();
  answer.with = () => gate.promise;

  const both = [channel.receive(posted(joined(), lark.now())), channel.receive(posted(joined(), lark.now()))];
  gate.resolve(undefined);

  expect(await Promise.all(both)).toEqual([
    { status: 200, body: {} },
    { status: 200, body: {} },
  ]);
  expect(heard).toHaveLength(1);
});

test.each<[string, (at: number) => ReturnType<typeof posted>, string]>([
  [
    'changed by one byte',
    (at) => posted(joined(), at, { body: (body) => body.replace('}', ' }') }),
    'The signature does not match. Check the Encrypt Key.',
  ],
  [
    'signed with another key',
    (at) => posted(joined(), at, { key: 'garden-key' }),
    'The signature does not match. Check the Encrypt Key.',
  ],
  [
    'a copy of an old one',
    (at) => posted(joined(), at, { timestamp: Math.floor(at / 1000) - 301 }),
    'The time of the request is off by more than 5 minutes. It is a replay, or a clock is wrong.',
  ],
  [
    'from the future',
    (at) => posted(joined(), at, { timestamp: Math.floor(at / 1000) + 302 }),
    'The time of the request is off by more than 5 minutes. It is a replay, or a clock is wrong.',
  ],
  [
    'without a good time',
    (at) => posted(joined(), at, { timestamp: Number.NaN }),
    'The time of the request is off by more than 5 minutes. It is a replay, or a clock is wrong.',
  ],
  ['with another token', (at) => posted(joined('other'), at), 'The Verification Token does not match.'],
  ['not signed', (at) => ({ ...posted(joined(), at), headers: {} }), 'The event is not signed.'],
  [
    'not encrypted',
    () => ({ headers: {}, body: Buffer.from(JSON.stringify(joined())) }),
    'The event is not encrypted. Set the Encrypt Key in the developer console.',
  ],
  [
    'no JSON at all',
    () => ({ headers: {}, body: Buffer.from('hello') }),
    'The event is not encrypted. Set the Encrypt Key in the developer console.',
  ],
  [
    'a challenge with another token',
    (at) => ({ ...posted({ type: 'url_verification', token: 'other', challenge: 'x' }, at), headers: {} }),
    'The Verification Token does not match.',
  ],
  [
    'a challenge encrypted with another key',
    (at) => ({
      ...posted({ type: 'url_verification', token: TOKEN, challenge: 'x' }, at, { key: 'garden-key' }),
      headers: {},
    }),
    'The event cannot be decrypted. Check the Encrypt Key.',
  ],
])('a request %s is refused without a word; only the log says why', async (_, request, reason) => {
  const { channel, lark, heard, logged } = await webhookScene();

  expect(await channel.receive(request(lark.now()))).toEqual({ status: 401 });
  expect(heard).toEqual([]);
  expect(logged.map((line) => JSON.parse(line) as unknown)).toEqual([
    { channel: 'lark', reason, count: 1, message: 'refused webhook requests' },
  ]);
});

const challenge = (at: number) => ({
  ...posted({ type: 'url_verification', token: TOKEN, challenge: 'x' }, at),
  headers: {},
});

test('of what is not signed five calls a minute are read, and none that is large', async () => {
  const { channel, lark } = await webhookScene();
  const large = { ...challenge(lark.now()), body: Buffer.from(JSON.stringify({ encrypt: 'A'.repeat(4096) })) };
  for (let call = 0; call < 10; call++) await channel.receive(large);
  const wrong = { headers: {}, body: Buffer.from(JSON.stringify({ encrypt: Buffer.alloc(48).toString('base64') })) };
  for (let call = 0; call < 5; call++) await channel.receive(wrong);

  expect(await channel.receive(challenge(lark.now()))).toEqual({ status: 401 });
  lark.advance(60_000);
  expect(await channel.receive(challenge(lark.now()))).toEqual({ status: 200, body: { challenge: 'x' } });
});

test('after Lark has proven itself the address is only verified again while somebody sets the bot up', async () => {
  const { channel, lark } = await webhookScene();
  await channel.receive(posted(joined(), lark.now()));

  expect((await channel.receive(challenge(lark.now()))).status).toBe(200);
  lark.advance(15 * 60_000);
  expect((await channel.receive(challenge(lark.now()))).status).toBe(401);
  channel.expectSetup!();
  expect((await channel.receive(challenge(lark.now()))).status).toBe(200);
});

test('a thousand refused calls are one line of the log a minute, with their number', async () => {
  const { channel, lark, logged } = await webhookScene();
  const call = () => channel.receive({ headers: {}, body: Buffer.from('hello') });
  for (let index = 0; index < 1000; index++) await call();
  lark.advance(60_000);
  await call();

  expect(logged.map((line) => (JSON.parse(line) as { count: number }).count)).toEqual([1, 1000]);
});

test('without both keys every call is refused, and the state says what is missing', async () => {
  const { channel, states, lark } = await larkScene({
    settings: { receive: 'webhook', encryptKey: new Secret(ENCRYPT_KEY) },
  });

  await channel.listen();

  expect(states).toEqual([
    {
      type: 'failed',
      reason: 'Missing for Lark webhooks: Verification Token, server.publicUrl. Set it, or choose the long connection.',
    },
  ]);
  expect(await channel.receive(posted(joined(), lark.now()))).toEqual({ status: 401 });
});

const said = (message: object) => ({
  schema: '2.0',
  header: { event_id: 'ev_2', event_type: 'im.message.receive_v1', token: TOKEN },
  event: {
    sender: { sender_id: { open_id: 'ou_ann' }, sender_type: 'user' },
    message: { chat_id: 'oc_1', chat_type: 'group', message_type: 'text', content: '{"text":"hello"}', ...message },
  },
});

test('each topic of a topic group is a chat of its own, named by its first message', async () => {
  const { channel, lark, heard } = await webhookScene();
  const hear = (message: object) => channel.receive(posted(said({ chat_type: 'topic_group', ...message }), lark.now()));

  await hear({ message_id: 'om_1', thread_id: 'omt_1' });
  await hear({ message_id: 'om_2', thread_id: 'omt_1', root_id: 'om_1', parent_id: 'om_1' });

  expect(heard).toMatchObject([
    { messageId: 'om_1', chat: { chatId: 'oc_1/om_1', kind: 'group' } },
    { messageId: 'om_2', chat: { chatId: 'oc_1/om_1', kind: 'group' }, replyTo: 'om_1' },
  ]);
});

test('a mention that cannot be understood yet is not acknowledged', async () => {
  const { channel, lark, heard } = await webhookScene();
  lark.faults = (call) => (call.endpoint === 'GET bot/v3/info' ? { status: 503, code: 1 } : undefined);
  const event = said({
    message_id: 'om_1',
    content: '{"text":"@_user_1 hello"}',
    mentions: [{ key: '@_user_1', id: { open_id: lark.bot.openId }, name: 'Dragoman' }],
  });
  await expect(channel.receive(posted(event, lark.now()))).rejects.toThrow('Could not read who the bot is from Lark');
  expect(heard).toEqual([]);

  lark.faults = undefined;
  await channel.receive(posted(event, lark.now()));

  expect(heard).toMatchObject([{ text: 'hello', isForUs: true }]);
});

test('messages of other bots and events nobody asked for are acknowledged and not heard', async () => {
  const { channel, lark, heard } = await webhookScene();
  const fromBot = said({ message_id: 'om_1' });
  fromBot.event.sender.sender_type = 'app';
  const other = {
    ...joined(),
    header: { event_id: 'ev_3', event_type: 'im.message.reaction.created_v1', token: TOKEN },
  };

  const answers = await Promise.all([fromBot, other].map((event) => channel.receive(posted(event, lark.now()))));

  expect(answers).toEqual([
    { status: 200, body: {} },
    { status: 200, body: {} },
  ]);
  expect(heard).toEqual([]);
});

test('a button of a card that was forwarded is out of date where the card was not sent to', async () => {
  const { channel, lark, heard } = await webhookScene();
  const press = (chatId: string) => ({
    schema: '2.0',
    header: { event_id: `ev_${chatId}`, event_type: 'card.action.trigger', token: TOKEN },
    event: {
      operator: { open_id: 'ou_ann' },
      token: 'c-1',
      action: { tag: 'button', value: { action: 'act_1.0 private oc_1' } },
      context: { open_message_id: 'om_1', open_chat_id: chatId },
    },
  });

  await channel.receive(posted(press('oc_1'), lark.now()));
  const answer = await channel.receive(posted(press('oc_2'), lark.now()));

  expect(heard).toMatchObject([{ type: 'press', action: 'act_1.0', chat: { chatId: 'oc_1', kind: 'private' } }]);
  expect(answer.body).toEqual({
    toast: {
      type: 'error',
      content: 'This button is out of date.',
      i18n: { en_us: 'This button is out of date.', zh_cn: '这个按钮已过时。' },
    },
  });
});
