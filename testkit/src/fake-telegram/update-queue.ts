import { BotApiError, badRequest } from './bot-api-error.ts';
import type { CallParams } from './call-params.ts';
import type { TelegramUpdate } from './telegram-wire.ts';
import { WebhookCaller, type WebhookState } from './webhook-caller.ts';

/** What a bot gets only when it asks for it by name. */
const UNASKED = new Set(['chat_member', 'message_reaction', 'message_reaction_count']);

const POLL_LIMIT_S = 50;

/** How updates are told. */
export interface UpdateQueueOptions {
  now: () => number;
  /** Where an address that others see is on this machine. */
  reach: (url: string) => string;
  webhookRetryMs: number;
  changed: () => void;
}

interface Poll {
  offset: number;
  limit: number;
  answer: (updates: TelegramUpdate[]) => void;
  refuse: (error: BotApiError) => void;
}

/**
 * What the bot has not taken yet, handed out by long polling or to a webhook, never by both.
 *
 * An update is gone when the bot asks with a higher offset, or its webhook said 2xx; until then it comes again.
 */
export class UpdateQueue {
  readonly #changed: () => void;
  readonly #webhook: WebhookCaller;
  #pending: TelegramUpdate[] = [];
  #lastId = 700_000_000;
  #allowed: ReadonlySet<string> | undefined;
  #poll: Poll | undefined;

  constructor(options: UpdateQueueOptions) {
    this.#changed = options.changed;
    this.#webhook = new WebhookCaller({ ...options, take: () => this.#pending[0], done: () => this.#pending.shift() });
  }

  get size(): number {
    return this.#pending.length;
  }

  push(kind: string, payload: unknown): void {
    if (this.#allowed === undefined ? UNASKED.has(kind) : !this.#allowed.has(kind)) return;
    this.#pending.push({ update_id: ++this.#lastId, [kind]: payload });
    this.#answerPoll();
    this.#webhook.wake();
  }

  /** Waits up to `timeout` seconds for something new. A later poll ends this one. */
  async getUpdates(params: CallParams, signal: AbortSignal): Promise<TelegramUpdate[]> {
    if (this.#webhook.state !== undefined) {
      throw conflict(
        "can't use getUpdates method while webhook is active; use deleteWebhook to delete the webhook first",
      );
    }
    this.#readAllowed(params);
    this.#refusePoll('terminated by other getUpdates request; make sure that only one bot instance is running');
    const offset = params.integer('offset') ?? 0;
    if (offset < 0) this.#pending = this.#pending.slice(offset);
    else this.#pending = this.#pending.filter((update) => update.update_id >= offset);
    this.#changed();
    const limit = Math.min(Math.max(params.integer('limit') ?? 100, 1), 100);
    const seconds = Math.min(Math.max(params.integer('timeout') ?? 0, 0), POLL_LIMIT_S);
    if (this.#pending.length > 0 || seconds === 0) return this.#pending.slice(0, limit);
    return this.#wait({ offset, limit }, seconds, signal);
  }

  /** Also deletes: an address that is empty says so. */
  setWebhook(params: CallParams): void {
    const url = params.text('url');
    if (params.flag('drop_pending_updates')) this.#pending = [];
    if (url === '') {
      this.#webhook.set(undefined);
      return;
    }
    checkWebhookUrl(url);
    const secret = params.text('secret_token');
    if (secret.length > 256) throw badRequest('secret token is too long');
    if (!/^[\w-]*$/.test(secret)) throw badRequest('secret token contains unallowed characters');
    this.#readAllowed(params);
    this.#refusePoll('terminated by setWebhook request');
    this.#webhook.set({ url, secret, maxConnections: params.integer('max_connections') ?? 40 });
    this.#webhook.wake();
  }

  get webhook(): WebhookState | undefined {
    return this.#webhook.state;
  }

  webhookInfo(): Record<string, unknown> {
    const state = this.#webhook.state;
    return {
      url: state?.url ?? '',
      has_custom_certificate: false,
      pending_update_count: this.#pending.length,
      ...(state !== undefined && { max_connections: state.maxConnections, ip_address: '127.0.0.1' }),
      ...(state?.lastError !== undefined && {
        last_error_date: state.lastError.date,
        last_error_message: state.lastError.message,
      }),
      ...(this.#allowed !== undefined && { allowed_updates: [...this.#allowed] }),
    };
  }

  close(): void {
    this.#webhook.set(undefined);
    this.#poll?.answer([]);
  }

  #wait(ask: Pick<Poll, 'offset' | 'limit'>, seconds: number, signal: AbortSignal): Promise<TelegramUpdate[]> {
    return new Promise((resolve, reject) => {
      const finish = () => {
        clearTimeout(timer);
        signal.removeEventListener('abort', empty);
        if (this.#poll === poll) this.#poll = undefined;
      };
      const empty = () => poll.answer([]);
      const poll: Poll = {
        ...ask,
        answer: (updates) => (finish(), resolve(updates)),
        refuse: (error) => (finish(), reject(error)),
      };
      const timer = setTimeout(empty, seconds * 1000);
      signal.addEventListener('abort', empty);
      this.#poll = poll;
    });
  }

  #answerPoll(): void {
    this.#poll?.answer(this.#pending.slice(0, this.#poll.limit));
  }

  #refusePoll(reason: string): void {
    this.#poll?.refuse(conflict(reason));
  }

  #readAllowed(params: CallParams): void {
    const allowed = params.json('allowed_updates', 'allowed updates');
    if (!Array.isArray(allowed)) return;
    const kinds = (allowed as unknown[]).filter((kind) => typeof kind === 'string');
    this.#allowed = kinds.length === 0 ? undefined : new Set(kinds);
  }
}

function conflict(reason: string): BotApiError {
  return new BotApiError(409, `Conflict: ${reason}`);
}

function checkWebhookUrl(text: string): void {
  if (!URL.canParse(text)) throw badRequest('invalid webhook URL specified');
  const url = new URL(text);
  if (url.protocol !== 'https:') throw badRequest('bad webhook: An HTTPS URL must be provided for webhook');
  if (!['', '443', '80', '88', '8443'].includes(url.port)) {
    throw badRequest('bad webhook: Webhook can be set up only on ports 80, 88, 443 or 8443');
  }
}
