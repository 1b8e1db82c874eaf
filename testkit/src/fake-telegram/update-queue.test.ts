import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { listen, openBot, openTelegram } from './fake-telegram.fixture.ts';

test('what was not confirmed comes again; what was is gone', async () => {
  const { telegram, bot, ann } = await openTelegram();
  telegram.say(ann, ann, 'second');
  const first = await bot.api.getUpdates();
  expect(first.map(({ message }) => message?.text)).toEqual(['/start', 'second']);
  expect(await bot.api.getUpdates()).toEqual(first);
  expect(await bot.api.getUpdates({ offset: first[0]!.update_id + 1 })).toEqual([first[1]]);
  expect(await bot.api.getUpdates({ offset: -1 })).toEqual([first[1]]);
  expect(await bot.api.getUpdates({ offset: first[1]!.update_id + 1 })).toEqual([]);
  expect(telegram.pendingUpdates()).toBe(0);
});

test('a poll waits for something to happen', async () => {
  const { telegram, bot, ann } = await openTelegram();
  const [start] = await bot.api.getUpdates();
  const waiting = bot.api.getUpdates({ offset: start!.update_id + 1, timeout: 30 });
  await telegram.until(() => telegram.calls.count('getUpdates') === 2);
  telegram.say(ann, ann, 'now');
  expect((await waiting).map(({ message }) => message?.text)).toEqual(['now']);
});

test('a command carries the entity by which grammY knows it', async () => {
  const { bot } = await openTelegram();
  const heard = new Promise<string>((resolve) => bot.command('start', ({ from }) => resolve(from!.first_name)));
  listen(bot);
  expect(await heard).toBe('Ann');
});

test('of two that poll, the first one is ended with 409', async () => {
  const { telegram, bot } = await openTelegram();
  const { stopped } = listen(bot);
  await telegram.until(() => telegram.pendingUpdates() === 0);
  listen(openBot(telegram));
  await expect(stopped).rejects.toThrow(
    "Call to 'getUpdates' failed! (409: Conflict: terminated by other getUpdates request; make sure that only one bot instance is running)",
  );
});

test('only the kinds that were asked for are told', async () => {
  const { telegram, bot, ann } = await openTelegram();
  const [start] = await bot.api.getUpdates({ allowed_updates: ['callback_query'] });
  telegram.say(ann, ann, 'not asked for');
  expect(await bot.api.getUpdates({ offset: start!.update_id + 1 })).toEqual([]);
});

test('a webhook gets each update with the secret until it says yes, and polling is refused meanwhile', async () => {
  const received: [string | string[] | undefined, string][] = [];
  const statuses = [500, 200, 200];
  const server = createServer((request, response) => {
    void request.toArray().then((chunks) => {
      const update = JSON.parse(String(Buffer.concat(chunks as Buffer[]))) as { message: { text: string } };
      received.push([request.headers['x-telegram-bot-api-secret-token'], update.message.text]);
      response.writeHead(statuses.shift() ?? 200).end();
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void (server.closeAllConnections(), server.close()));
  const { port } = server.address() as AddressInfo;
  const { telegram, bot, ann } = await openTelegram({
    reach: (url) => url.replace('https://bot.example', `http://127.0.0.1:${port}`),
    webhookRetryMs: 1,
  });

  await expect(bot.api.setWebhook('http://bot.example/x')).rejects.toThrow('An HTTPS URL must be provided for webhook');
  await bot.api.setWebhook('https://bot.example/channels/telegram', { secret_token: 's-1' });
  telegram.say(ann, ann, 'second');
  await telegram.until(() => telegram.pendingUpdates() === 0);

  expect(received).toEqual([
    ['s-1', '/start'],
    ['s-1', '/start'],
    ['s-1', 'second'],
  ]);
  expect(await bot.api.getWebhookInfo()).toMatchObject({
    url: 'https://bot.example/channels/telegram',
    pending_update_count: 0,
    last_error_message: 'Wrong response from the webhook: 500 Internal Server Error',
  });
  await expect(bot.api.getUpdates()).rejects.toThrow("can't use getUpdates method while webhook is active");
  await bot.api.deleteWebhook();
  expect(await bot.api.getUpdates()).toEqual([]);
});

test('commands are kept for each scope and language', async () => {
  const { telegram, bot } = await openTelegram();
  await bot.api.setMyCommands([{ command: 'stop', description: 'Stop it' }]);
  await bot.api.setMyCommands([{ command: 'stop', description: '停止' }], {
    language_code: 'zh',
    scope: { type: 'all_private_chats' },
  });
  expect(telegram.commandsFor()).toEqual([{ command: 'stop', description: 'Stop it' }]);
  expect(telegram.commandsFor({ scope: 'all_private_chats', language: 'zh' })).toEqual([
    { command: 'stop', description: '停止' },
  ]);
  await expect(bot.api.setMyCommands([{ command: 'Stop!', description: 'x' }])).rejects.toThrow('BOT_COMMAND_INVALID');
});

test('parameters come as JSON, as a form or in the address; what is no method or no token is told', async () => {
  const { telegram, ann } = await openTelegram();
  const root = `${telegram.url}/bot${telegram.token}`;
  const form = new URLSearchParams({
    chat_id: String(ann.id),
    text: 'from a form',
    reply_markup: '{"inline_keyboard":[[{"text":"b","callback_data":"d"}]]}',
  });
  await fetch(`${root}/sendmessage`, { method: 'POST', body: form });
  await fetch(`${root}/sendMessage?chat_id=${ann.id}&text=from%20the%20address`);
  const parts = new FormData();
  parts.set('chat_id', String(ann.id));
  parts.set('text', 'from parts');
  await fetch(`${root}/sendMessage`, { method: 'POST', body: parts });

  expect(telegram.botMessagesIn(ann).map(({ text, buttons }) => [text, buttons.length])).toEqual([
    ['from a form', 1],
    ['from the address', 0],
    ['from parts', 0],
  ]);
  const unknown = await fetch(`${root}/sendNothing`);
  expect([unknown.status, await unknown.json()]).toEqual([
    404,
    { ok: false, error_code: 404, description: 'Not Found' },
  ]);
  const wrong = await fetch(`${telegram.url}/bot1:abc/getMe`);
  expect([wrong.status, await wrong.json()]).toEqual([
    401,
    { ok: false, error_code: 401, description: 'Unauthorized' },
  ]);
});
