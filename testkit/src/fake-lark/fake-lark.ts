import { CallLog, type LarkFaultHook, type LarkCall } from './lark-calls.ts';
import type { CardEntity } from './card-entity.ts';
import { ConnectionPool } from './connection-pool.ts';
import { type EventDelivery, EventDesk } from './event-desk.ts';
import { LarkServer } from './lark-server.ts';
import { type LarkChat, type LarkLimits, LarkState, type LarkUser, type StoredMessage } from './lark-state.ts';
import { LarkPeople, type PressOutcome, type Saying, type Said } from './lark-people.ts';
import { routes } from './lark-routes.ts';
import { type SeenLarkMessage, seeMessages } from './seen-message.ts';

/**
 * A Lark or Feishu of one's own: what the official SDK talks to when its `domain` is `url`.
 *
 * ```ts
 * const lark = await fakeLark();
 * onTestFinished(() => lark.close());
 * const client = new Client({ appId: lark.appId, appSecret: lark.appSecret, domain: lark.url });
 *
 * const ann = lark.addUser({ name: 'Ann' });            // Has a private chat with the bot: ann.chatId.
 * const team = lark.addGroup({ name: 'Team', members: [ann] });
 * await lark.say(ann.chatId, ann, 'Hello');             // Arrives as an event; resolves when it was acknowledged.
 * await lark.say(team.chatId, ann, { text: 'Hi', mentionBot: true });
 * const seen = await lark.until(() => lark.messagesIn(ann.chatId).find((message) => message.from === 'bot'));
 * await lark.press(ann.chatId, ann, seen.messageId, 'Allow');   // → { toast, card, … }, after at most 3 s.
 * ```
 *
 * - Events go over the long connection; after `useWebhook(url)` they are posted there, encrypted and signed.
 *   What is not acknowledged is delivered again after 15 s, 5 min, 1 h and 6 h of the clock, or with `redeliver()`.
 * - The clock is the machine's plus what was `advance`d, or `now` where it is given. Tokens (2 h), streaming mode
 *   (10 min), `uuid`s (1 h), cards (14 days) and rate limits obey it.
 * - `faults` is asked before each call; `randomLarkFaults(seed)` makes one. `calls` counts and keeps them.
 * - What people see is `messagesIn(chat)`: text, and cards as a tree and as plain lines. A recalled message is not there.
 * - `validateCard(card)` and `plainView(card)` work on any card, without a server.
 *
 * Each fake has an app id of its own, because the SDK keeps tokens per app id for the whole process.
 */
export interface FakeLark {
  readonly url: string;
  readonly appId: string;
  readonly appSecret: string;
  readonly encryptKey: string | undefined;
  readonly verificationToken: string;
  readonly bot: { name: string; openId: string };
  /** What the app may do. A test takes a scope away to see what is said then. */
  readonly scopes: Set<string>;
  /** How much is allowed; `undefined` turns a limit off. */
  readonly limits: LarkLimits;
  readonly calls: CallLog;
  /** Asked before every call, with what it is. */
  faults: LarkFaultHook | undefined;

  addUser(user?: { name?: string }): LarkUser;
  addGroup(group?: { name?: string; members?: readonly LarkUser[]; hasBot?: boolean }): LarkChat;
  /** A person writes. Resolves after the first attempt to deliver it. */
  say(chatId: string, user: LarkUser, what: string | Saying): Promise<Said>;
  /** A person presses a button, found by its text, `element_id` or `name`; a form's fields go with it. */
  press(
    chatId: string,
    user: LarkUser,
    messageId: string,
    button: string,
    form?: Readonly<Record<string, unknown>>,
  ): Promise<PressOutcome>;
  /** A person chooses in a select that stands outside of a form. */
  choose(chatId: string, user: LarkUser, messageId: string, select: string, option: string): Promise<PressOutcome>;
  /** A person takes a message back, their own or as an admin the bot's. */
  recall(messageId: string): Promise<void>;
  /** The bot is removed from a group. */
  kick(chatId: string): Promise<void>;
  /** The bot is added (again) to a group. */
  invite(chatId: string, user: LarkUser): Promise<void>;
  /** A person stops the bot from writing to them. */
  block(user: LarkUser, isBlocking?: boolean): void;
  /** The app is turned off, or on again: every call and connection is refused. */
  disable(isDisabled?: boolean): void;
  /** The secret is replaced: what was given out is worth nothing any more. */
  revoke(): void;
  /** Streaming mode is closed by the platform because nothing came: 200850 once, then 300309. */
  closeIdleStream(cardId: string): void;

  /** What a person sees in a chat, oldest first. */
  messagesIn(chatId: string): SeenLarkMessage[];
  /** All there ever was, with what is recalled. */
  readonly messages: ReadonlyMap<string, StoredMessage>;
  readonly cards: ReadonlyMap<string, CardEntity>;
  readonly files: ReadonlyMap<string, { bytes: Uint8Array; name: string; mediaType: string }>;
  readonly users: ReadonlyMap<string, LarkUser>;

  /** Events and callbacks are posted to this address from now on; without one they go over the long connection. */
  useWebhook(url: string | undefined): void;
  /** What the platform does when the address is saved: true if the challenge came back within 3 s. */
  verifyWebhook(): Promise<boolean>;
  /** Every event that was sent, with how it went. */
  readonly deliveries: readonly EventDelivery[];
  /** Delivers again what was not acknowledged (or an event by its id, acknowledged or not). */
  redeliver(eventId?: string): Promise<void>;
  /** Long connections that are open. */
  connections(): number;
  /** Cuts the long connections; the SDK comes back by itself. */
  cutConnections(): void;

  now(): number;
  advance(milliseconds: number): void;
  /** Resolves with what the predicate gives once that is neither false nor undefined; asked after every change. */
  until<Found>(predicate: () => Found | undefined | false, timeoutMs?: number): Promise<Found>;
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** How a fake is to be. */
export interface FakeLarkOptions {
  appId?: string;
  appSecret?: string;
  /** `undefined` for webhooks that are neither encrypted nor signed. */
  encryptKey?: string | undefined;
  verificationToken?: string;
  botName?: string;
  scopes?: readonly string[];
  limits?: Partial<LarkLimits>;
  now?: () => number;
  faults?: LarkFaultHook;
  /** What the SDK is told about its long connection, in seconds. The platform says 120, 120 and 30; here it comes back at once. */
  connection?: { pingInterval?: number; reconnectInterval?: number; reconnectNonce?: number };
  /** Event frames over this size arrive in pieces, as large ones do. */
  fragmentBytes?: number;
  /** How long an answer is waited for. The platform gives 3 s. */
  answerTimeoutMs?: number;
}

/** Starts one on a free port of this machine. */
export async function fakeLark(options: FakeLarkOptions = {}): Promise<FakeLark> {
  const state = new LarkState(options);
  const calls = new CallLog();
  const pool = new ConnectionPool(state, {
    pingInterval: options.connection?.pingInterval ?? 120,
    reconnectInterval: options.connection?.reconnectInterval ?? 0.05,
    reconnectNonce: options.connection?.reconnectNonce ?? 0,
    fragmentBytes: options.fragmentBytes ?? 256 * 1024,
  });
  const desk = new EventDesk(state, pool, options.answerTimeoutMs ?? 3000);
  const people = new LarkPeople(state, desk);
  let faults = options.faults;
  const server = await LarkServer.open(state, calls, routes(state, pool), (call: LarkCall) => faults?.(call));
  pool.attach(server.http, server.url);
  const close = async (): Promise<void> => {
    desk.close();
    pool.close();
    await server.close();
    state.close();
  };
  return {
    url: server.url,
    appId: state.appId,
    get appSecret() {
      return state.access.secret;
    },
    encryptKey: state.encryptKey,
    verificationToken: state.verificationToken,
    bot: state.bot,
    scopes: state.scopes,
    limits: state.limits,
    calls,
    get faults() {
      return faults;
    },
    set faults(hook) {
      faults = hook;
    },
    addUser: (user) => state.addUser(user),
    addGroup: (group) => state.addGroup(group),
    say: (chatId, user, what) => people.say(chatId, user, what),
    press: (chatId, user, messageId, button, form) => people.press({ chatId, user, messageId, target: button, form }),
    choose: (chatId, user, messageId, select, option) =>
      people.press({ chatId, user, messageId, target: select, option }),
    recall: (messageId) => people.recall(messageId),
    kick: (chatId) => people.kick(chatId),
    invite: (chatId, user) => people.invite(chatId, user),
    block: (user, isBlocking = true) => state.block(user, isBlocking),
    disable(isDisabled = true) {
      state.access.disable(isDisabled);
      if (isDisabled) pool.cut();
      state.changed();
    },
    revoke() {
      state.access.revoke();
      pool.cut();
    },
    closeIdleStream: (cardId) => state.closeIdleStream(cardId),
    messagesIn: (chatId) => seeMessages(state, chatId),
    messages: state.messages,
    cards: state.cards,
    files: state.files,
    users: state.users,
    useWebhook: (url) => desk.useWebhook(url),
    verifyWebhook: () => desk.verifyWebhook(),
    deliveries: desk.deliveries,
    redeliver: (eventId) => desk.redeliver(eventId),
    connections: () => pool.size,
    cutConnections: () => pool.cut(),
    now: () => state.now(),
    advance: (milliseconds) => state.advance(milliseconds),
    until: (predicate, timeoutMs) => state.until(predicate, timeoutMs),
    close,
    [Symbol.asyncDispose]: close,
  };
}
