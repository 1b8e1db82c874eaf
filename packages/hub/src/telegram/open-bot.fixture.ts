import { randomUUID } from 'node:crypto';
import { type FakeTelegram, fakeTelegram, type FakeTelegramOptions, type TelegramUser } from '@dragoman/testkit';
import { onTestFinished } from 'vitest';
import type { Chat, ChannelHost, ChannelState, Delivery, Receipt } from '../channels/channel.ts';
import type { Heard, PressAnswer } from '../channels/heard.ts';
import { TelegramChannel } from './open-telegram.ts';
import type { Block, TelegramBody } from './telegram-body.ts';
import { telegramConfigSchema } from './telegram-config.ts';

/** A bot of ours at a fake Telegram, with what it was told and what it said of itself. */
export interface OpenBot {
  telegram: FakeTelegram;
  channel: TelegramChannel;
  /** A person who has opened the chat with the bot, and that chat as the hub knows it. */
  ann: TelegramUser;
  chat: Chat;
  heard: Heard[];
  states: ChannelState[];
  logged: object[];
}

/** How a bot is opened. */
export interface OpenBotOptions {
  fake?: FakeTelegramOptions;
  settings?: { receive?: 'polling' | 'webhook' };
  publicUrl?: string;
  now?: () => number;
  hear?: (heard: Heard) => Promise<PressAnswer | undefined>;
}

/** Opens one; it is closed with its Telegram when the test ends. */
export async function openBot(options: OpenBotOptions = {}): Promise<OpenBot> {
  const telegram = await fakeTelegram({ limits: false, ...options.fake });
  const ann = telegram.addUser({ name: 'Ann' });
  telegram.say(ann, ann, '/start');
  const [heard, states, logged]: [Heard[], ChannelState[], object[]] = [[], [], []];
  const log = (fields: object, message: string) => void logged.push({ ...fields, message });
  const host: ChannelHost = {
    hear: async (each) => {
      heard.push(each);
      return options.hear?.(each);
    },
    tell: (state) => void states.push(state),
    publicUrl: options.publicUrl,
    log: { debug: log, info: log, warn: log },
    now: options.now ?? Date.now,
    signal: new AbortController().signal,
  };
  const settings = telegramConfigSchema.parse({ token: telegram.token, apiUrl: telegram.url, ...options.settings });
  const channel = new TelegramChannel(settings, host);
  onTestFinished(async () => {
    await channel.close();
    await telegram.close();
  });
  return { telegram, channel, ann, chat: chatOf(ann), heard, states, logged };
}

/** The private chat of a person. */
export function chatOf({ id }: TelegramUser): Chat {
  return { chatId: String(id), kind: 'private', language: 'en' };
}

/** A message of a line. */
export function lineBody(text: string, buttons: Extract<TelegramBody, { type: 'text' }>['buttons'] = []): TelegramBody {
  const blocks: Block[] = [{ type: 'text', spans: [{ text }] }];
  return { type: 'text', blocks, buttons };
}

/** A delivery as the desk makes it, of a note that is final where nothing else is said. */
export function deliveryOf(
  chat: Chat,
  body: TelegramBody,
  more: Partial<Delivery<TelegramBody>> & { key?: string; isFinal?: boolean } = {},
): Delivery<TelegramBody> {
  const { key = 'note 1', isFinal = true, ...rest } = more;
  return {
    chat,
    post: { key, body, actions: [], isFinal },
    nonce: randomUUID(),
    actionData: (index) => `post_1.${index}`,
    before: undefined,
    uncertain: undefined,
    isLast: true,
    replyTo: undefined,
    knownIds: () => Promise.resolve([]),
    readAttachment: () => Promise.reject(new Error('there is none')),
    signal: AbortSignal.timeout(60_000),
    ...rest,
  };
}

/** What is there by now, for the next delivery. */
export function beforeOf(receipt: Receipt): Delivery<TelegramBody>['before'] {
  return { receipt, body: undefined };
}
