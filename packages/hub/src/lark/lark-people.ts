import type { LarkApi } from './lark-api.ts';

/** What Lark knows about a chat. */
export interface KnownChat {
  title: string | undefined;
  /** Every message in it opens a topic or belongs to one. */
  isTopicGroup: boolean;
}

/** The bot itself. */
export interface KnownBot {
  name: string;
  openId: string;
  /** An admin switched it on. */
  isActive: boolean;
}

const LOOKUP_MS = 3000;
const KEPT_MS = 3_600_000;
/** What could not be found out is asked again sooner. */
const UNKNOWN_MS = 300_000;
const KEPT = 2000;

/**
 * Who is who. Events name people and groups only by their ids.
 *
 * The names need scopes that an organisation may not want to give; without them people are called by the end of their id.
 */
export class LarkPeople {
  readonly #api: LarkApi;
  readonly #now: () => number;
  readonly #names = new Map<string, { value: string | undefined; until: number }>();
  readonly #chats = new Map<string, { value: KnownChat | undefined; until: number }>();
  #bot: KnownBot | undefined;

  constructor(api: LarkApi, now: () => number) {
    this.#api = api;
    this.#now = now;
  }

  /** The bot as it was last asked for. */
  get knownBot(): KnownBot | undefined {
    return this.#bot;
  }

  /** Asks Lark for the bot. */
  async askBot(signal?: AbortSignal): Promise<KnownBot> {
    const { bot } = await this.#api.call({ method: 'GET', path: 'bot/v3/info', signal });
    this.#bot = {
      name: textOf(bot?.['app_name']) ?? 'Lark',
      openId: textOf(bot?.['open_id']) ?? '',
      isActive: bot?.['activate_status'] === undefined || bot['activate_status'] === 2,
    };
    return this.#bot;
  }

  /** The bot's own id, by which it is mentioned. */
  async botOpenId(): Promise<string | undefined> {
    if (this.#bot !== undefined) return this.#bot.openId;
    try {
      return (await this.askBot(AbortSignal.timeout(LOOKUP_MS))).openId;
    } catch {
      return undefined;
    }
  }

  /** The name of a person. */
  async name(openId: string): Promise<string> {
    const name = await this.#look(this.#names, openId, async () => {
      const { data } = await this.#api.call({
        method: 'GET',
        path: `contact/v3/users/${encodeURIComponent(openId)}`,
        query: { user_id_type: 'open_id' },
        timeoutMs: LOOKUP_MS,
      });
      const user = data?.['user'] as { name?: unknown } | undefined;
      return textOf(user?.name);
    });
    return name ?? shortId(openId);
  }

  /** The name of a person as far as it is known already; nothing is asked. */
  nameNow(openId: string): string {
    return this.#names.get(openId)?.value ?? shortId(openId);
  }

  /** A group. */
  async chat(chatId: string): Promise<KnownChat> {
    const chat = await this.#look(this.#chats, chatId, async () => {
      const { data } = await this.#api.call({
        method: 'GET',
        path: `im/v1/chats/${encodeURIComponent(chatId)}`,
        timeoutMs: LOOKUP_MS,
      });
      return {
        title: textOf(data?.['name']),
        isTopicGroup: data?.['chat_mode'] === 'topic' || data?.['group_message_type'] === 'thread',
      };
    });
    return chat ?? { title: undefined, isTopicGroup: false };
  }

  async #look<Value>(
    known: Map<string, { value: Value | undefined; until: number }>,
    id: string,
    ask: () => Promise<Value | undefined>,
  ): Promise<Value | undefined> {
    const found = known.get(id);
    if (found !== undefined && found.until > this.#now()) return found.value;
    let value: Value | undefined;
    try {
      value = await ask();
    } catch {
      value = found?.value;
    }
    known.delete(id);
    known.set(id, { value, until: this.#now() + (value === undefined ? UNKNOWN_MS : KEPT_MS) });
    const oldest = known.size > KEPT ? known.keys().next().value : undefined;
    if (oldest !== undefined) known.delete(oldest);
    return value;
  }
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function shortId(openId: string): string {
  return `Lark …${openId.slice(-6)}`;
}
