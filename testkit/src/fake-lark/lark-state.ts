import { randomUUID } from 'node:crypto';
import { AppAccess } from './app-access.ts';
import type { CardEntity } from './card-entity.ts';
import type { FakeLarkOptions } from './fake-lark.ts';
import { hex } from './hex.ts';
import { RateLimit } from './rate-limit.ts';

/** A person. */
export interface LarkUser {
  openId: string;
  unionId: string;
  userId: string;
  name: string;
  /** Their private chat with the bot. */
  chatId: string;
}

/** A chat: with one person, or a group. */
export interface LarkChat {
  chatId: string;
  kind: 'p2p' | 'group';
  name: string;
  members: Set<string>;
  hasBot: boolean;
}

/** A message as it is kept. What a card says is with its entity, under `cardId`. */
export interface StoredMessage {
  messageId: string;
  chatId: string;
  /** `bot`, or a person's open id. */
  from: string;
  type: string;
  content: Record<string, unknown>;
  cardId: string | undefined;
  mentions: readonly { key: string; openId: string; name: string }[];
  createdAt: number;
  updatedAt: number;
  parentId: string | undefined;
  rootId: string | undefined;
  threadId: string | undefined;
  isRecalled: boolean;
  edits: number;
}

/** How many calls pass in a second (or as named). */
export interface LarkLimits {
  /** Of one endpoint. */
  perEndpoint: number | undefined;
  perEndpointMinute: number | undefined;
  /** Operations on one card entity. */
  perCard: number | undefined;
  /** New messages in one chat. */
  perChat: number | undefined;
  /** Changes of one message by PATCH. */
  perMessage: number | undefined;
}

const SCOPES = [
  'application:application:self_manage',
  'cardkit:card:write',
  'contact:user.base:readonly',
  'im:chat:readonly',
  'im:message',
  'im:message.group_at_msg:readonly',
  'im:message.p2p_msg:readonly',
  'im:message:send_as_bot',
  'im:resource',
];

/** All that the platform knows, and its clock. */
export class LarkState {
  readonly appId: string;
  readonly access: AppAccess;
  readonly encryptKey: string | undefined;
  readonly verificationToken: string;
  readonly bot: { name: string; openId: string };
  readonly tenantKey = hex(8);
  readonly scopes: Set<string>;
  readonly limits: LarkLimits;
  readonly rates = new RateLimit();
  readonly users = new Map<string, LarkUser>();
  readonly chats = new Map<string, LarkChat>();
  readonly messages = new Map<string, StoredMessage>();
  readonly cards = new Map<string, CardEntity>();
  readonly files = new Map<string, { kind: 'image' | 'file'; bytes: Uint8Array; name: string; mediaType: string }>();
  /** Messages by what keeps them from being sent twice: chat and `uuid`. */
  readonly sent = new Map<string, { messageId: string; at: number }>();
  /** What a press gives the bot to change that card later. */
  readonly updateTokens = new Map<string, { messageId: string; expiresAt: number; uses: number }>();
  readonly #blocking = new Set<string>();
  readonly #clock: () => number;
  readonly #watchers = new Set<() => void>();
  #ahead = 0;
  #lastId = 7_355_372_766_000_000_000n;

  constructor(options: FakeLarkOptions) {
    this.appId = options.appId ?? `cli_${hex(8)}`;
    this.access = new AppAccess(options.appSecret ?? hex(16), () => this.now());
    this.encryptKey = 'encryptKey' in options ? options.encryptKey : hex(16);
    this.verificationToken = options.verificationToken ?? hex(16);
    this.bot = { name: options.botName ?? 'Dragoman', openId: `ou_${hex(16)}` };
    this.scopes = new Set(options.scopes ?? SCOPES);
    this.limits = {
      perEndpoint: 50,
      perEndpointMinute: 1000,
      perCard: 10,
      perChat: 5,
      perMessage: 5,
      ...options.limits,
    };
    this.#clock = options.now ?? Date.now;
  }

  now(): number {
    return this.#clock() + this.#ahead;
  }

  advance(milliseconds: number): void {
    this.#ahead += milliseconds;
    this.changed();
  }

  /** Cards and messages have ids like these. */
  nextId(): string {
    return String((this.#lastId += 97n));
  }

  addUser({ name = `Person ${this.users.size + 1}` }: { name?: string } = {}): LarkUser {
    const openId = `ou_${hex(16)}`;
    const chat: LarkChat = { chatId: `oc_${hex(16)}`, kind: 'p2p', name: '', members: new Set([openId]), hasBot: true };
    const user = { openId, unionId: `on_${hex(16)}`, userId: hex(4), name, chatId: chat.chatId };
    this.users.set(openId, user);
    this.chats.set(chat.chatId, chat);
    return user;
  }

  addGroup(group: { name?: string; members?: readonly LarkUser[]; hasBot?: boolean } = {}): LarkChat {
    const chat: LarkChat = {
      chatId: `oc_${hex(16)}`,
      kind: 'group',
      name: group.name ?? 'Group',
      members: new Set(group.members?.map((user) => user.openId)),
      hasBot: group.hasBot ?? true,
    };
    this.chats.set(chat.chatId, chat);
    return chat;
  }

  addMessage(
    message: Pick<StoredMessage, 'chatId' | 'from' | 'type' | 'content'> & Partial<StoredMessage>,
  ): StoredMessage {
    const now = this.now();
    const stored: StoredMessage = {
      messageId: `om_${hex(16)}`,
      cardId: undefined,
      mentions: [],
      createdAt: now,
      updatedAt: now,
      parentId: undefined,
      rootId: undefined,
      threadId: undefined,
      isRecalled: false,
      edits: 0,
      ...message,
    };
    this.messages.set(stored.messageId, stored);
    this.changed();
    return stored;
  }

  addFile(kind: 'image' | 'file', file: { bytes: Uint8Array; name: string; mediaType: string }): string {
    const key = kind === 'image' ? `img_v3_${randomUUID()}g` : `file_v3_${randomUUID()}g`;
    this.files.set(key, { kind, ...file });
    return key;
  }

  block(user: LarkUser, isBlocking: boolean): void {
    if (isBlocking) this.#blocking.add(user.openId);
    else this.#blocking.delete(user.openId);
  }

  isBlockedBy(chat: LarkChat): boolean {
    return chat.kind === 'p2p' && [...chat.members].some((openId) => this.#blocking.has(openId));
  }

  closeIdleStream(cardId: string): void {
    const card = this.cards.get(cardId);
    if (card === undefined) throw new Error(`there is no card ${cardId}`);
    card.stream = 'idle';
  }

  /** Something is different now: whoever waits looks again. */
  changed(): void {
    for (const look of this.#watchers) look();
  }

  /** Calls back after every change, until what is returned is called. */
  watch(look: () => void): () => void {
    this.#watchers.add(look);
    return () => this.#watchers.delete(look);
  }

  async until<Found>(predicate: () => Found | undefined | false, timeoutMs = 60_000): Promise<Found> {
    const first = predicate();
    if (first !== undefined && first !== false) return first;
    const { promise, resolve, reject } = Promise.withResolvers<Found>();
    const stop = this.watch(() => {
      try {
        const found = predicate();
        if (found !== undefined && found !== false) resolve(found);
      } catch (error) {
        reject(error);
      }
    });
    const timer = setTimeout(
      () => reject(new Error(`what the test waits for did not happen within ${timeoutMs} ms: ${String(predicate)}`)),
      timeoutMs,
    );
    try {
      return await promise;
    } finally {
      clearTimeout(timer);
      stop();
    }
  }

  close(): void {
    this.#watchers.clear();
  }
}
