import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { HubClient } from '@dragoman/protocol';
import {
  type FakeLark,
  fakeLark,
  type FakeLarkOptions,
  type FakeProvider,
  type FakeTelegram,
  fakeTelegram,
  type LarkUser,
  type ScriptedAnswer,
  type SeenLarkMessage,
  startFakeProvider,
  type TelegramUser,
} from '@dragoman/testkit';
import { expect, onTestFinished } from 'vitest';
import { type HubServer, projectWith, scripted, serveHub } from './hub.fixture.ts';

/** How long anything may take on a busy machine. A server that was killed is missed after half a minute. */
export const PATIENCE_MS = 90_000;

/** A picture of one dot. */
export const DOT = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

/** A project with a file to change and something that runs until it is let go, a minute at most. */
const CODE = {
  'src/colours.ts': "export const BLUE = 'blue';\n",
  '.gitignore': 'go\n',
  'build.sh': 'for turn in $(seq 600); do [ -e go ] && break; sleep 0.1; done\necho built\n',
};

/** A Telegram, ended with the test. */
export async function openTelegram(): Promise<FakeTelegram> {
  const telegram = await fakeTelegram({ patienceMs: PATIENCE_MS });
  onTestFinished(() => telegram.close());
  return telegram;
}

/** A Lark, ended with the test. */
export async function openLark(options: FakeLarkOptions = {}): Promise<FakeLark> {
  const lark = await fakeLark(options);
  onTestFinished(() => lark.close());
  return lark;
}

/** The settings of both, as the configuration has them. */
export function channelsOf({ telegram, lark }: { telegram?: FakeTelegram; lark?: FakeLark }): object {
  return {
    ...(telegram !== undefined && { telegram: { token: telegram.token, apiUrl: telegram.url } }),
    ...(lark !== undefined && { lark: { appId: lark.appId, appSecret: lark.appSecret, domain: lark.url } }),
  };
}

/** A server with chats, a scripted model and a project. */
export interface ChatServer extends HubServer {
  provider: FakeProvider;
  folder: string;
}

/** Starts one on an empty data folder. */
export async function serveChats(
  chats: { telegram?: FakeTelegram; lark?: FakeLark },
  config: object = {},
  args: string[] = [],
): Promise<ChatServer> {
  const provider = await startFakeProvider();
  const server = await serveHub(
    { ...scripted(provider.url), runner: { isShared: true }, channels: channelsOf(chats), ...config },
    { args },
  );
  if (chats.lark !== undefined) await connected(chats.lark);
  return { ...server, provider, folder: projectWith(CODE) };
}

/** Waits for the long connection; what is said before it stands is told later. */
export async function connected(lark: FakeLark): Promise<void> {
  await lark.until(() => lark.connections() === 1, PATIENCE_MS);
}

/** Lets what `build.sh` waits for happen. */
export function letBuild(folder: string): void {
  writeFileSync(join(folder, 'go'), '');
}

/** A new person on Telegram whose account is bound with a code of this client. */
export async function bindTelegram(owner: HubClient, telegram: FakeTelegram, name: string): Promise<TelegramUser> {
  const person = telegram.addUser({ name });
  telegram.say(person, person, await bindWords(owner, 'telegram'));
  await telegram.until(() =>
    telegram.botMessagesIn(person).some(({ text }) => text.startsWith('You’re connected as ')),
  );
  return person;
}

/** A new person on Lark whose account is bound with a code of this client. */
export async function bindLark(owner: HubClient, lark: FakeLark, name: string): Promise<LarkUser> {
  const person = lark.addUser({ name });
  await lark.say(person.chatId, person, await bindWords(owner, 'lark'));
  await larkMessage(lark, person.chatId, ({ text }) => text.startsWith('You’re connected as '));
  return person;
}

async function bindWords(owner: HubClient, channel: string): Promise<string> {
  const { ways } = await owner.createBindCode({ language: 'en' });
  return ways.find((way) => way.channel === channel)!.say;
}

/** The session that a chat shows, as soon as it shows one. */
export async function sessionIn(owner: HubClient, channel: string, chatId: string): Promise<string> {
  const look = async () => {
    const { channels } = await owner.readChannels({});
    const chats = channels.find(({ name }) => name === channel)?.chats ?? [];
    return chats.find((chat) => chat.chatId === chatId)?.sessionId;
  };
  await expect.poll(look, { timeout: PATIENCE_MS }).toBeDefined();
  return (await look())!;
}

/** A message of the bot on Lark, as soon as it is there and as it should be. */
export async function larkMessage(
  lark: FakeLark,
  chatId: string,
  isIt: (message: SeenLarkMessage) => boolean,
): Promise<SeenLarkMessage> {
  const said = () => lark.messagesIn(chatId).filter(({ from }) => from === 'bot');
  try {
    return await lark.until(() => said().find(isIt), PATIENCE_MS);
  } catch (cause) {
    throw new Error(`what was to be said is not there: ${JSON.stringify(said().map(({ lines }) => lines))}`, { cause });
  }
}

/** Without what only tells how long something took. */
export function timeless(text: string): string {
  return text.replaceAll(/ (?:· |for )\d+(?:\.\d+)? (?:s|min)\b(?: \d+ s)?/g, '');
}

/** Something that waits until the test lets it go on, or is over. */
export function hold(): { promise: Promise<void>; goOn: () => void } {
  const { promise, resolve } = Promise.withResolvers<void>();
  onTestFinished(() => resolve());
  return { promise, goOn: resolve };
}

/** What a model does in one step. A promise holds it there. */
type Doing = { thinks: string } | { says: string } | { calls: string; with: object; id: string } | Promise<unknown>;

/** The model thinks, says something and calls tools, in this order. */
export function model(...doings: Doing[]): ScriptedAnswer {
  const hasCalls = doings.some((doing) => 'calls' in doing);
  return {
    body: [
      ...doings.map((doing) => (doing instanceof Promise ? doing : chunk(deltaOf(doing), null))),
      chunk({}, hasCalls ? 'tool_calls' : 'stop'),
      line({ choices: [], usage: { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 } }),
      'data: [DONE]\n\n',
    ],
  };
}

function deltaOf(doing: Exclude<Doing, Promise<unknown>>): object {
  if ('thinks' in doing) return { role: 'assistant', reasoning_content: doing.thinks };
  if ('says' in doing) return { role: 'assistant', content: doing.says };
  const called = { name: doing.calls, arguments: JSON.stringify(doing.with) };
  return { role: 'assistant', tool_calls: [{ index: 0, id: doing.id, type: 'function', function: called }] };
}

function chunk(delta: object, reason: string | null): string {
  return line({ choices: [{ index: 0, delta, finish_reason: reason }] });
}

function line(fields: object): string {
  return `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 1, model: 'test-model', ...fields })}\n\n`;
}
