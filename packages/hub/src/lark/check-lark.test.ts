import { Secret } from '@dragoman/server/base';
import { expect, test } from 'vitest';
import { larkChannel } from './lark-channel.ts';
import { larkScene, webhookDoor } from './lark-channel.fixture.ts';

const states = (steps: readonly { id: string; state: string }[]) => steps.map(({ id, state }) => `${id}: ${state}`);

test('a bot that is set up right is right in every step', async () => {
  const { channel, states: told } = await larkScene();
  await channel.listen();
  await expect.poll(() => told).toEqual([{ type: 'on' }]);

  expect(states(await channel.check('en'))).toEqual([
    'credentials: ok',
    'bot: ok',
    'scopes: ok',
    'cards: ok',
    'events: ok',
  ]);
});

test('each thing that is missing is named, with what to click', async () => {
  const { lark, channel } = await larkScene();
  lark.scopes.delete('cardkit:card:write');
  lark.scopes.delete('im:resource');

  const steps = await channel.check('en');

  expect(states(steps)).toEqual(['credentials: ok', 'bot: ok', 'scopes: missing', 'cards: wrong', 'events: unknown']);
  expect(steps[2]).toEqual({
    id: 'scopes',
    title: 'Scopes',
    state: 'missing',
    text: 'Not granted: im:resource, cardkit:card:write.',
    fix: 'Developer console → "Permissions & Scopes" → "Batch import" → paste the JSON from the guide; then publish a version.',
  });
  expect(steps[3]?.text).toBe(
    'Lark answered with code 99991672: the scope cardkit:card:write is missing. Add it under "Permissions & Scopes" and publish a version of the app.',
  );
});

test('with a wrong secret nothing else is asked', async () => {
  const { lark, channel } = await larkScene({ settings: { appSecret: new Secret('wrong') } });

  const steps = await channel.check('zh');

  expect(states(steps)).toEqual([
    'credentials: wrong',
    'bot: unknown',
    'scopes: unknown',
    'cards: unknown',
    'events: unknown',
  ]);
  expect(steps[0]?.fix).toContain('「凭证与基础信息」');
  expect(lark.calls.count('GET')).toBe(0);
});

test('for webhooks the address, the keys and what last came are checked', async () => {
  const { channel } = await larkScene({ settings: { receive: 'webhook', encryptKey: new Secret('key') } });

  expect(states((await channel.check('en')).slice(4))).toEqual([
    'address: missing',
    'keys: missing',
    'events: unknown',
  ]);

  const other = await larkScene({
    settings: { receive: 'webhook', encryptKey: new Secret('key'), verificationToken: new Secret('token') },
    publicUrl: 'https://dragoman.example/',
  });
  await other.channel.receive({ headers: {}, body: Buffer.from('{}') });
  const steps = (await other.channel.check('en')).slice(4);
  expect(states(steps)).toEqual(['address: ok', 'keys: ok', 'events: wrong']);
  expect(steps[0]?.text).toBe('Lark should send events to https://dragoman.example/channels/lark.');
  expect(steps[2]?.text).toBe(
    'This process has received no events yet. Requests that failed verification: 1. The last one: The event is not encrypted. Set the Encrypt Key in the developer console.',
  );
});

test('while events come in, calls of strangers are a hint and nothing wrong', async () => {
  const { lark, channel } = await larkScene({
    fake: { encryptKey: 'key', verificationToken: 'token' },
    settings: { receive: 'webhook', encryptKey: new Secret('key'), verificationToken: new Secret('token') },
    publicUrl: 'https://dragoman.example/',
  });
  lark.useWebhook(await webhookDoor(channel));
  const ann = lark.addUser({ name: 'Ann' });
  await lark.say(ann.chatId, ann, 'Hello');
  const events = async () => (await channel.check('en')).find(({ id }) => id === 'events')!;

  lark.advance(20 * 60_000);
  await channel.receive({ headers: {}, body: Buffer.from('{}') });
  expect(await events()).toEqual({
    id: 'events',
    title: 'Events and callbacks',
    state: 'ok',
    text: 'The last event arrived 20 min ago.',
  });
  for (let call = 0; call < 3; call++)
    await channel.receive({ headers: { 'x-lark-signature': 'x' }, body: Buffer.from('{}') });
  expect(await events()).toMatchObject({
    state: 'ok',
    text: 'The last event arrived 20 min ago. Requests that failed verification: 3. The last one: The signature does not match. Check the Encrypt Key.',
  });
  lark.advance(60 * 60_000);
  expect(await events()).toMatchObject({ state: 'unknown', fix: expect.any(String) });
});

test('the guide has the same steps and fields in both languages, and names the address', () => {
  const [english, chinese] = [
    larkChannel.guide('en', 'https://dragoman.example'),
    larkChannel.guide('zh', 'https://dragoman.example'),
  ];

  expect(chinese.steps).toHaveLength(english.steps.length);
  expect(chinese.fields.map(({ name }) => name)).toEqual([
    'appId',
    'appSecret',
    'domain',
    'receive',
    'encryptKey',
    'verificationToken',
  ]);
  expect(english.fields.map(({ name }) => name)).toEqual(chinese.fields.map(({ name }) => name));
  for (const { steps, savedAt } of [english, chinese]) {
    expect(steps[savedAt! - 1]).toContain('App Secret');
    const text = steps.join('\n');
    const [, scopes] = /\n\n```json\n(.*)\n```$/s.exec(steps[2]!) ?? [];
    expect(JSON.parse(scopes!)).toMatchObject({ scopes: { tenant: expect.arrayContaining(['im:message']), user: [] } });
    for (const word of [
      'im:message:send_as_bot',
      'cardkit:card:write',
      '`im.message.receive_v1`',
      '`card.action.trigger`',
      'https://dragoman.example/channels/lark',
    ])
      expect(text).toContain(word);
  }
});
