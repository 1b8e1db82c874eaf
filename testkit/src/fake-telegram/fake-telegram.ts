/*
 * A Telegram on this machine: the Bot API over HTTP for any client (grammY unmodified, `client.apiRoot`), and people who
 * use it, for tests, soak runs and benchmarks.
 *
 *   const telegram = await fakeTelegram();                    // as Telegram is for a new bot: limits, drafts, privacy mode
 *   onTestFinished(() => telegram.close());
 *   const bot = new Bot(telegram.token, { client: { apiRoot: telegram.url } });
 *
 *   const ann = telegram.addUser({ name: 'Ann' });            // a person; her private chat has her id
 *   telegram.say(ann, ann, '/start');                         // → update `message`; the chat is open from now on
 *   const group = telegram.addGroup({ title: 'Team', forum: true, by: ann });   // → `my_chat_member`; addTopic(group, ann, 'Name')
 *   const id = telegram.say(group, ann, { text: '@the_bot hi', thread: 7, replyTo: 3 });
 *   telegram.say(ann, ann, { photo: bytes, caption: 'Look', mediaGroup: 'album-1' });
 *   telegram.say(ann, ann, { document: { bytes, name: 'a.txt', mediaType: 'text/plain' } });
 *   telegram.say(ann, ann, { voice: { bytes, seconds: 3 } });
 *   telegram.edit(ann, id, 'changed');                        // → `edited_message`
 *   const answer = await telegram.press(ann, ann, messageId, 'Allow');   // by text, or by number counted from 0 → `callback_query`;
 *                                                             // resolves with what answerCallbackQuery said, or {url} of a link
 *   telegram.block(ann); telegram.unblock(ann);               // → `my_chat_member`; sending gives 403
 *   telegram.kick(group); telegram.invite(group);
 *   telegram.migrate(telegram.addGroup({ isBasic: true }));   // → the supergroup; the old one answers migrate_to_chat_id
 *   telegram.deleteMessage(ann, messageId);                   // as a person does: the bot is not told
 *   telegram.deleteTopic(group, threadId);
 *   telegram.revokeToken();                                   // every call gives 401 …
 *   telegram.issueToken();                                    // … and this is a new one, also in telegram.token
 *
 *   telegram.messagesIn(ann)                                  // what a person sees, oldest first; {thread} for one topic
 *     // [{ messageId, text, entities, found, blocks, buttons, edits, replyTo, threadId, file, isFromBot, from }]
 *   telegram.botMessagesIn(ann)                               // only those of the bot
 *   telegram.draftsIn(ann)                                    // [{ draftId, text, entities, threadId, at }]
 *   telegram.commandsFor({ scope: 'default', language: 'zh' }), telegram.webhook(), telegram.actionsIn(ann)
 *   telegram.calls.count('sendMessage'), telegram.calls.log   // [{ number, method, params, chatId, at, status }]; status 0: no answer
 *   await telegram.until(() => telegram.botMessagesIn(ann).length === 2);   // asked again at every change; a minute at most
 *
 *   telegram.faults = (call) => (call.method === 'sendMessage' ? 'drop-after' : undefined);
 *     // undefined | { status, body?, retryAfter? } | 'drop-before' | 'drop-after' | 'hang' | 'hang-after'
 *   telegram.faults = randomTelegramFaults({ seed: 1, rate: 0.2 });
 *
 * Without a server: `settleText(parseMarkdownV2(source))` is what people get of a MarkdownV2 text (it throws what Telegram
 * would say), and `seeBlocks(text, entities)` shows it as blocks of runs. Known parse modes are MarkdownV2 and none.
 *
 * Rate limits follow `now`, which a test may drive; `limits: false` switches them off. A webhook must be https, as with
 * Telegram; `reach` says where such an address is on this machine.
 */
import { randomBytes } from 'node:crypto';
import type { BotApi, CallbackAnswer } from './bot-api.ts';
import type { TelegramFaultHook } from './fault.ts';
import { commandsKey } from './methods/bot-methods.ts';
import {
  addTopic,
  edit,
  messageOf,
  type Place,
  press,
  type Said,
  say,
  setMembership,
  tellMigration,
} from './people.ts';
import { RateLimits, type TelegramLimits } from './rate-limits.ts';
import { seeMessage, type SeenDraft, type SeenMessage } from './seen-message.ts';
import { type LoggedCall, serveBotApi } from './serve-bot-api.ts';
import { TelegramWorld } from './telegram-world.ts';
import type { TelegramChat, TelegramUser } from './telegram-wire.ts';
import { UpdateQueue } from './update-queue.ts';
import type { WebhookState } from './webhook-caller.ts';

/** How a fake Telegram is. Without any of it: as Telegram is for a new bot. */
export interface FakeTelegramOptions {
  /** The clock of limits, dates and drafts, in milliseconds. */
  now?: () => number;
  /** Other limits, or none. */
  limits?: Partial<TelegramLimits> | false;
  /** Whether there is `sendMessageDraft`; an older server does not know it. */
  drafts?: boolean;
  /** Whether the bot has topics in private chats. */
  privateTopics?: boolean;
  /** Whether privacy mode is off, so that the bot hears everything in its groups. */
  readsAll?: boolean;
  username?: string;
  /** Where the address of a webhook is on this machine: `(url) => url.replace('https://bot.example', door.url)`. */
  reach?: (url: string) => string;
  /** How long after a webhook failed it is tried again. */
  webhookRetryMs?: number;
  /** How long `until` and `press` wait. */
  patienceMs?: number;
}

/** A Telegram that runs; see the top of this file. */
export interface FakeTelegram {
  /** The `apiRoot` of a client. */
  readonly url: string;
  readonly token: string;
  readonly botUser: TelegramUser;
  /** What goes wrong. Undefined: nothing. */
  faults: TelegramFaultHook | undefined;
  readonly calls: { count(method?: string): number; readonly log: readonly LoggedCall[] };

  addUser(options?: { name?: string; username?: string; language?: string }): TelegramUser;
  /** A supergroup; a basic group shares its count of messages with the private chats, and can be migrated. */
  addGroup(options?: { title?: string; forum?: boolean; isBasic?: boolean; by?: TelegramUser }): TelegramChat;
  /** A topic that a person opens; returns its id. */
  addTopic(chat: Place, by: TelegramUser, name: string): number;
  say(chat: Place, user: TelegramUser, said: string | Said): number;
  edit(chat: Place, messageId: number, text: string): void;
  press(chat: Place, user: TelegramUser, messageId: number, button: string | number): Promise<CallbackAnswer>;
  block(user: TelegramUser): void;
  unblock(user: TelegramUser): void;
  kick(chat: Place, by?: TelegramUser): void;
  invite(chat: Place, by?: TelegramUser): void;
  /** A basic group becomes a supergroup, which is returned. The bot is told in both. */
  migrate(chat: Place): TelegramChat;
  deleteMessage(chat: Place, messageId: number): void;
  deleteTopic(chat: Place, threadId: number): void;
  revokeToken(): void;
  issueToken(): string;

  messagesIn(chat: Place, where?: { thread?: number }): SeenMessage[];
  botMessagesIn(chat: Place, where?: { thread?: number }): SeenMessage[];
  draftsIn(chat: Place): SeenDraft[];
  actionsIn(chat: Place): readonly string[];
  commandsFor(of?: { scope?: string; language?: string }): readonly { command: string; description: string }[];
  webhook(): WebhookState | undefined;
  /** How many updates the bot has not taken yet. */
  pendingUpdates(): number;
  /** Resolves with the first value that is not undefined, null or false. */
  until<T>(look: () => T, limitMs?: number): Promise<NonNullable<Exclude<T, false>>>;
  close(): Promise<void>;
}

const FIRST_USER_ID = 100_000_001;
const FIRST_BASIC_ID = -4_000_001;
const FIRST_GROUP_ID = -1_001_000_000_001;

/** Starts a Telegram of its own on a free port of this machine. Close it when the test ends. */
export async function fakeTelegram(options: FakeTelegramOptions = {}): Promise<FakeTelegram> {
  const { now = Date.now, patienceMs = 60_000, reach = (url: string) => url } = options;
  const botUser: TelegramUser = {
    id: 7_000_000_001,
    is_bot: true,
    first_name: 'Dragoman',
    username: options.username ?? 'dragoman_test_bot',
  };
  const world = new TelegramWorld(botUser, now);
  const changed = () => world.changed();
  const updates = new UpdateQueue({ now, reach, webhookRetryMs: options.webhookRetryMs ?? 250, changed });
  const api: BotApi = {
    world,
    updates,
    limits: options.limits === false ? undefined : new RateLimits(options.limits ?? {}, now),
    presses: new Map(),
    commands: new Map(),
    hasDrafts: options.drafts ?? true,
    hasPrivateTopics: options.privateTopics ?? false,
    readsAll: options.readsAll ?? false,
  };
  const log: LoggedCall[] = [];
  let token = newToken(botUser);
  let isRevoked = false;
  const served = await serveBotApi({
    api,
    token: () => (isRevoked ? undefined : token),
    faults: () => fake.faults,
    log,
  });
  // Who does something in a group where the test does not say who.
  const owner: TelegramUser = { id: 99_999_999, is_bot: false, first_name: 'Owner' };

  const fake: FakeTelegram = {
    url: served.url,
    get token() {
      return token;
    },
    botUser,
    faults: undefined,
    calls: {
      count: (method) => (method === undefined ? log.length : log.filter((call) => call.method === method).length),
      log,
    },
    addUser({ name = 'Person', username, language = 'en' } = {}) {
      const id = FIRST_USER_ID + world.users.size;
      const names = { first_name: name, ...(username !== undefined && { username }) };
      const user: TelegramUser = { id, is_bot: false, ...names, language_code: language };
      world.users.set(id, user);
      world.addChat({ id, type: 'private', ...names }, 'unopened');
      return user;
    },
    addGroup({ title = 'Group', forum = false, isBasic = false, by = owner } = {}) {
      const id = (isBasic ? FIRST_BASIC_ID : FIRST_GROUP_ID) - world.chats.size;
      const chat: TelegramChat = {
        id,
        type: isBasic ? 'group' : 'supergroup',
        title,
        ...(forum && { is_forum: true }),
      };
      world.addChat(chat, 'left');
      setMembership(api, chat, by, 'in');
      return chat;
    },
    addTopic: (chat, by, name) => addTopic(api, chat, by, name),
    say: (chat, user, said) => say(api, chat, user, said),
    edit: (chat, messageId, text) => edit(api, chat, messageId, text),
    press: (chat, user, messageId, button) => press(api, chat, user, messageId, button, patienceMs),
    block: (user) => setMembership(api, user, user, 'blocked'),
    unblock: (user) => setMembership(api, user, user, 'in'),
    kick: (chat, by = owner) => setMembership(api, chat, by, 'kicked'),
    invite: (chat, by = owner) => setMembership(api, chat, by, 'in'),
    migrate(old) {
      const kept = world.chat(old.id);
      const chat: TelegramChat = { ...kept.chat, id: FIRST_GROUP_ID - world.chats.size, type: 'supergroup' };
      world.addChat(chat, kept.membership);
      kept.movedTo = chat.id;
      tellMigration(api, kept, world.chat(chat.id), owner);
      return chat;
    },
    deleteMessage(chat, messageId) {
      const kept = world.chat(chat.id);
      messageOf(kept, messageId);
      kept.messages.delete(messageId);
      changed();
    },
    deleteTopic(chat, threadId) {
      const kept = world.chat(chat.id);
      kept.topics.delete(threadId);
      for (const [id, message] of kept.messages) if (message.threadId === threadId) kept.messages.delete(id);
      changed();
    },
    revokeToken() {
      isRevoked = true;
      changed();
    },
    issueToken() {
      isRevoked = false;
      token = newToken(botUser);
      changed();
      return token;
    },
    messagesIn(chat, where = {}) {
      const said = [...world.chat(chat.id).messages.values()].filter((message) => message.service === undefined);
      const there = where.thread === undefined ? said : said.filter((message) => message.threadId === where.thread);
      return there.map((message) => seeMessage(message, botUser.id));
    },
    botMessagesIn: (chat, where) => fake.messagesIn(chat, where).filter((message) => message.isFromBot),
    draftsIn: (chat) => world.draftsIn(world.chat(chat.id)),
    actionsIn: (chat) => world.chat(chat.id).actions,
    commandsFor: ({ scope = 'default', language = '' } = {}) => api.commands.get(commandsKey(scope, language)) ?? [],
    webhook: () => updates.webhook,
    pendingUpdates: () => updates.size,
    until: (look, limitMs = patienceMs) => world.until(look, limitMs),
    async close() {
      updates.close();
      await served.close();
    },
  };
  return fake;
}

function newToken(bot: TelegramUser): string {
  return `${bot.id}:AA${randomBytes(25).toString('base64url').slice(0, 33)}`;
}
