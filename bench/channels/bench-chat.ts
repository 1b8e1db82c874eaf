import { setTimeout as pause } from 'node:timers/promises';
import type { HubClient } from '@dragoman/protocol';
import type { FakeLark } from '../../testkit/src/fake-lark/fake-lark.ts';
import type { FakeTelegram } from '../../testkit/src/fake-telegram/fake-telegram.ts';

/** A call that the hub made for a chat. */
export interface ChatCall {
  /** The method or endpoint. */
  what: string;
  /** When it came, in ms since 1970. */
  at: number;
  /** How it was refused, where it was. */
  refusal: string | undefined;
  /** What it says, as it was sent; empty for what says nothing. */
  text: string;
  /** People see it from now on, and what was said before it without being seen. */
  isSeen: boolean;
}

/** A chat on one of the platforms, with a person in it whom the hub knows. */
export interface BenchChat {
  title: string;
  channel: 'telegram' | 'lark';
  /** As the hub writes it. */
  chatId: string;
  say(text: string): Promise<void>;
  /** What the bot has said there, message by message. */
  texts(): string[];
  /** What was called for it since a moment; listening is nobody's, so it counts for everybody. */
  callsSince(at: number): ChatCall[];
}

const PATIENCE_MS = 30_000;

/** A private chat on Telegram with a person of its own. */
export async function telegramChat(client: HubClient, telegram: FakeTelegram): Promise<BenchChat> {
  const person = telegram.addUser({ name: `Person ${telegram.calls.count()}` });
  const chat = telegramPlace(telegram, 'Telegram, private', person.id, (text) => {
    telegram.say(person, person, text);
  });
  await answered(chat, '/start ' + (await client.createBindCode({ language: 'en' })).code);
  return chat;
}

/** A group on Telegram that an admin has allowed. */
export async function telegramGroup(client: HubClient, telegram: FakeTelegram): Promise<BenchChat> {
  const person = telegram.addUser({ name: 'Gwen' });
  const alone = telegramPlace(telegram, 'Telegram, private', person.id, (text) => {
    telegram.say(person, person, text);
  });
  await answered(alone, '/start ' + (await client.createBindCode({ language: 'en' })).code);
  const group = telegram.addGroup({ title: 'Team', by: person });
  const chat = telegramPlace(telegram, 'Telegram, group', group.id, (text) => {
    telegram.say(group, person, text.replace(/^\/\w+/, `$&@${telegram.botUser.username}`));
  });
  await until('the hub knows a group', async () => {
    const { channels } = await client.readChannels({});
    return channels.some(({ chats }) => chats.some(({ chatId }) => chatId === chat.chatId));
  });
  await client.setChat({ channel: 'telegram', chatId: chat.chatId, isAllowed: true });
  return chat;
}

/** A private chat on Lark with a person of its own. */
export async function larkChat(client: HubClient, lark: FakeLark): Promise<BenchChat> {
  const person = lark.addUser();
  await lark.until(() => lark.connections() > 0, PATIENCE_MS);
  const chat: BenchChat = {
    title: 'Lark',
    channel: 'lark',
    chatId: person.chatId,
    say: async (text) => void (await lark.say(person.chatId, person, text)),
    texts: () =>
      lark
        .messagesIn(person.chatId)
        .filter(({ from }) => from === 'bot')
        .map(({ text }) => text),
    callsSince: (at) =>
      lark.calls.all
        .filter((call) => call.at >= at)
        .map((call) => ({
          what: call.endpoint,
          at: call.at,
          refusal: call.outcome === 0 ? undefined : String(call.outcome),
          text: JSON.stringify(call.body),
          // A card is made before a message shows it.
          isSeen: call.endpoint !== 'POST cardkit/v1/cards',
        })),
  };
  await answered(chat, `/bind ${(await client.createBindCode({ language: 'en' })).code}`);
  return chat;
}

function telegramPlace(telegram: FakeTelegram, title: string, id: number, say: (text: string) => void): BenchChat {
  return {
    title,
    channel: 'telegram',
    chatId: String(id),
    say: async (text) => say(text),
    texts: () => telegram.botMessagesIn({ id }).map(({ text }) => text),
    callsSince: (at) =>
      telegram.calls.log
        .filter((call) => call.at >= at && (call.chatId === undefined || call.chatId === id))
        .map(({ method, params, status, ...call }) => ({
          what: method,
          at: call.at,
          // One that waits for updates is answered when there are some.
          refusal: status === 200 || method === 'getUpdates' ? undefined : String(status),
          text: typeof params['text'] === 'string' ? params['text'] : '',
          isSeen: true,
        })),
  };
}

/** Shows a session in a chat, as a person does it. */
export async function follow(chat: BenchChat, sessionId: string): Promise<void> {
  await answered(chat, `/switch ${sessionId}`);
}

async function answered(chat: BenchChat, text: string): Promise<void> {
  const before = chat.texts().length;
  await chat.say(text);
  await until(`the answer to ${text.split(' ')[0]} in ${chat.title}`, () => chat.texts().length > before);
}

/** Waits for something, for a time. */
export async function until(
  what: string,
  check: () => boolean | Promise<boolean>,
  limitMs = PATIENCE_MS,
): Promise<void> {
  const end = performance.now() + limitMs;
  while (!(await check())) {
    if (performance.now() > end) throw new Error(`${what}: not within ${limitMs / 1_000} s`);
    await pause(20);
  }
}
