import { inspect } from 'node:util';
import { DragomanError } from '@dragoman/protocol';
import type { FakeTelegram } from '@dragoman/testkit';
import { expect, test } from 'vitest';
import { deliveryOf, lineBody, openBot } from './open-bot.fixture.ts';
import { telegramApi } from './telegram-api.ts';
import { webhookSecret } from './telegram-webhook.ts';

const signal = AbortSignal.timeout(60_000);

/** All that an error says, to whatever depth. */
function toldBy(error: unknown): string {
  return inspect(error, { depth: Infinity, showHidden: true, getters: true, maxStringLength: Infinity });
}

const FAULTS: Readonly<Record<string, FakeTelegram['faults']>> = {
  'the connection ends': () => 'drop-before',
  'Telegram is in trouble': () => ({ status: 502, body: { ok: false, error_code: 502, description: 'Bad Gateway' } }),
  'Telegram refuses': () => ({ status: 400, body: { ok: false, error_code: 400, description: 'Bad Request: no' } }),
  'the answer is none': () => ({ status: 200, body: 'hello' }),
};

test.each(Object.keys(FAULTS))(
  'nothing of an error names the token or what was sent, where %s [UAP-35]',
  async (name) => {
    const { telegram, channel, chat } = await openBot({
      settings: { receive: 'webhook' },
      publicUrl: 'https://dragoman.example',
    });
    telegram.faults = FAULTS[name];
    const api = telegramApi(telegram.token, telegram.url);
    const failed = (work: Promise<unknown>) =>
      work.then(
        () => undefined,
        (error: unknown) => error,
      );
    const errors = [
      await failed(api.call('getMe', {}, signal)),
      await failed(api.call('getUpdates', { offset: 1 }, signal)),
      await failed(api.call('sendMessage', { chat_id: 1, text: 'what was said' }, signal)),
      await failed(channel.deliver(deliveryOf(chat, lineBody('what was said')))),
    ];

    for (const error of errors) {
      expect(error).toBeInstanceOf(Error);
      expect(toldBy(error)).not.toContain(telegram.token);
      expect(toldBy(error)).not.toContain('what was said');
    }
    for (const error of errors.slice(0, 3)) expect(error).toBeInstanceOf(DragomanError);
  },
);

test('while Telegram cannot be reached, a webhook call is not acknowledged, and no error leaves with the token [UAP-35]', async () => {
  const { telegram, channel, ann, heard, states } = await openBot({
    settings: { receive: 'webhook' },
    publicUrl: 'https://dragoman.example',
  });
  const message = { message_id: 1, date: 1, chat: { id: ann.id, type: 'private' }, from: ann, text: 'hi' };
  const request = {
    headers: { 'x-telegram-bot-api-secret-token': webhookSecret(telegram.token) },
    body: Buffer.from(JSON.stringify({ update_id: 1, message })),
  };
  telegram.faults = () => 'drop-before';
  expect(await channel.receive(request)).toEqual({ status: 503 });
  expect(states).toMatchObject([{ type: 'trouble', reason: expect.stringMatching(/^Telegram did not answer/) }]);
  telegram.faults = undefined;
  expect(await channel.receive(request)).toEqual({ status: 200, body: {} });
  expect(heard).toHaveLength(1);
  expect(states.at(-1)).toEqual({ type: 'on' });
});
