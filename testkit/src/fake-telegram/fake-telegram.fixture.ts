import { Bot, type Context } from 'grammy';
import { onTestFinished } from 'vitest';
import { type FakeTelegram, fakeTelegram, type FakeTelegramOptions } from './fake-telegram.ts';
import type { TelegramUser } from './telegram-wire.ts';

/** A Telegram with one person who has opened the chat, and grammY as it is published, not listening yet. */
export async function openTelegram(
  options: FakeTelegramOptions = {},
): Promise<{ telegram: FakeTelegram; bot: Bot; ann: TelegramUser }> {
  const telegram = await fakeTelegram(options);
  onTestFinished(() => telegram.close());
  const ann = telegram.addUser({ name: 'Ann' });
  telegram.say(ann, ann, '/start');
  return { telegram, bot: openBot(telegram), ann };
}

/** One more bot of that Telegram. */
export function openBot(telegram: FakeTelegram): Bot {
  return new Bot(telegram.token, { client: { apiRoot: telegram.url } });
}

/** Lets a bot listen by long polling until the test ends. What it could not go on with rejects `stopped`. */
export function listen(bot: Bot, heard: (context: Context) => unknown = () => {}): { stopped: Promise<void> } {
  bot.use(async (context) => {
    await heard(context);
  });
  const stopped = bot.start();
  stopped.catch(() => {}); // Tests that expect it ask for it themselves.
  onTestFinished(async () => {
    await bot.stop();
  });
  return { stopped };
}

/** A picture of one pixel. */
export const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
