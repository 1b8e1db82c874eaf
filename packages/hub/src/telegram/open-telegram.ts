import { setTimeout as wait } from 'node:timers/promises';
import type { UserFromGetMe } from 'grammy/types';
import type {
  Channel,
  ChannelHost,
  Chat,
  SetupStep,
  Language,
  WebhookAnswer,
  WebhookRequest,
} from '../channels/channel.ts';
import { DeliveryError } from '../channels/delivery-error.ts';
import { COMMAND_NAMES, SHOWN_COMMANDS } from '../channels/commands/command-names.ts';
import { COMMAND_WORDS } from '../channels/commands/command-words.ts';
import { readPlace, writePlace } from './chat-place.ts';
import { checkTelegram } from './check-telegram.ts';
import { fetchFile } from './fetch-file.ts';
import type { UpdateEars } from './hear-updates.ts';
import { MessageIds } from './message-ids.ts';
import { pollUpdates, stateOf } from './poll-updates.ts';
import { ALLOWED_UPDATES, movedChat } from './read-update.ts';
import { oneLine } from './rich-text.ts';
import { telegramApi, type TelegramApi } from './telegram-api.ts';
import type { TelegramBody } from './telegram-body.ts';
import type { TelegramSettings } from './telegram-config.ts';
import { TelegramDelivery } from './telegram-delivery.ts';
import { telegramRenderer } from './telegram-renderer.ts';
import { readWebhook, webhookSecret, webhookUrl } from './telegram-webhook.ts';
import { WebhookHearing } from './webhook-hearing.ts';

/** One message a second in a chat with a person, 20 a minute in a group. */
const PRIVATE_PACE_MS = 1100;
const GROUP_PACE_MS = 3200;
/** Telegram calls for so many chats at once; one that takes long has its call until it is over. */
const MAX_CONNECTIONS = 40;
const MAX_BACKOFF_MS = 60_000;
const TOPIC_CHARS = 100;

/** A bot that is open. Nothing is asked of Telegram before somebody wants something. */
export class TelegramChannel implements Channel<TelegramBody> {
  readonly renderer = telegramRenderer;
  readonly #settings: TelegramSettings;
  readonly #host: ChannelHost;
  readonly #token: string;
  readonly #api: TelegramApi;
  readonly #ids = new MessageIds();
  readonly #delivery: TelegramDelivery;
  readonly #webhook: WebhookHearing;
  readonly #closing = new AbortController();
  readonly #signal: AbortSignal;
  #me: UserFromGetMe | undefined;
  #asking: Promise<UserFromGetMe> | undefined;
  #listening: Promise<void> | undefined;

  constructor(settings: TelegramSettings, host: ChannelHost) {
    this.#settings = settings;
    this.#host = host;
    this.#token = settings.token.reveal();
    this.#api = telegramApi(this.#token, settings.apiUrl);
    this.#delivery = new TelegramDelivery(this.#api, this.#ids, host.now, (from, to) => this.#tellMoved(from, to));
    this.#webhook = new WebhookHearing((state) => host.tell(state));
    this.#signal = AbortSignal.any([host.signal, this.#closing.signal]);
  }

  deliver(delivery: Parameters<Channel<TelegramBody>['deliver']>[0]) {
    return this.#delivery.deliver(delivery);
  }

  hintOf(chat: Chat): number {
    return this.#delivery.hintOf(chat);
  }

  paceMs({ kind }: Chat): number {
    return kind === 'private' ? PRIVATE_PACE_MS : GROUP_PACE_MS;
  }

  /** Resolves when it was tried once to begin; how that went is told. */
  async listen(): Promise<void> {
    const begun = Promise.withResolvers<void>();
    this.#listening = this.#listen(begun.resolve).catch(() => {});
    await begun.promise;
  }

  async receive(request: WebhookRequest): Promise<WebhookAnswer> {
    if (this.#settings.receive !== 'webhook') return { status: 404 };
    const read = readWebhook(request, webhookSecret(this.#token));
    if ('answer' in read) return read.answer;
    let ears: UpdateEars;
    try {
      ears = await this.#ears();
    } catch (error) {
      // Who the bot is cannot be asked now; Telegram sends it again.
      return this.#signal.aborted ? { status: 503 } : this.#webhook.refuse(stateOf(error));
    }
    return this.#webhook.hear(read.update, ears);
  }

  async openTopic(chat: Chat, title: string): Promise<{ chatId: string } | undefined> {
    const { chat_id } = readPlace(chat.chatId);
    const me = await this.#who();
    if (chat.kind === 'private') {
      if (!me.has_topics_enabled) return undefined;
    } else {
      const found = await this.#api.call('getChat', { chat_id }, this.#signal);
      if (found.is_forum !== true) return undefined;
    }
    try {
      const name = oneLine(title, TOPIC_CHARS);
      const { message_thread_id } = await this.#api.call(
        'createForumTopic',
        { chat_id, name: name === '' ? '…' : name },
        this.#signal,
      );
      return { chatId: writePlace(chat_id, message_thread_id) };
    } catch (error) {
      this.#signal.throwIfAborted();
      // Mostly it lacks the right to; the session then stays in this chat.
      this.#host.log.info(
        { channel: 'telegram', chatId: chat.chatId, reason: stateReason(error) },
        'a topic could not be opened',
      );
      return undefined;
    }
  }

  bot(): ReturnType<Channel['bot']> {
    // In a process that does not listen, the first who asks makes it known to the next.
    if (this.#me === undefined) void this.#who().catch(() => {});
    if (this.#me === undefined) return undefined;
    const link = `https://t.me/${this.#me.username}`;
    return { name: `@${this.#me.username}`, link, bindLink: (code) => `${link}?start=${encodeURIComponent(code)}` };
  }

  check(language: Language): Promise<SetupStep[]> {
    const { receive } = this.#settings;
    return checkTelegram({ api: this.#api, receive, publicUrl: this.#host.publicUrl, signal: this.#signal }, language);
  }

  async close(): Promise<void> {
    this.#closing.abort();
    this.#delivery.close();
    await this.#listening;
  }

  /** Who the bot is; asked once. */
  async #who(): Promise<UserFromGetMe> {
    if (this.#me !== undefined) return this.#me;
    this.#asking ??= this.#api.call('getMe', {}, this.#signal).finally(() => {
      this.#asking = undefined;
    });
    this.#me = await this.#asking;
    return this.#me;
  }

  async #ears(): Promise<UpdateEars> {
    const me = await this.#who();
    const place = { api: this.#api, apiUrl: this.#settings.apiUrl, token: this.#token };
    return {
      host: { hear: (heard) => this.#host.hear(heard), log: this.#host.log, signal: this.#signal },
      api: this.#api,
      ids: this.#ids,
      wait: (ms, signal) => wait(ms, undefined, { signal }),
      reader: { me, fetchFile: (file, name, signal) => fetchFile(place, file, name, signal) },
    };
  }

  /** Who writes to a group that is another one now is told so; the message about it may have come when nobody listened. */
  #tellMoved(from: number, to: number): void {
    this.#host.hear(movedChat(from, to)).catch((error: unknown) => {
      const reason = error instanceof Error ? error.name : typeof error;
      this.#host.log.warn({ channel: 'telegram', chatId: String(from), reason }, 'a chat could not be moved');
    });
  }

  async #listen(begun: () => void): Promise<void> {
    const host = { tell: (state: Parameters<ChannelHost['tell']>[0]) => this.#host.tell(state), signal: this.#signal };
    for (let failures = 0; !this.#signal.aborted; failures += 1) {
      try {
        await this.#setUp();
        break;
      } catch (error) {
        if (this.#signal.aborted) return begun();
        this.#host.tell(
          error instanceof WebhookAddressError ? { type: 'failed', reason: error.message } : stateOf(error),
        );
        begun();
        await wait(Math.min(MAX_BACKOFF_MS, 1000 * 2 ** failures), undefined, { signal: this.#signal }).catch(() => {});
      }
    }
    if (this.#signal.aborted) return begun();
    this.#host.tell({ type: 'on' });
    begun();
    if (this.#settings.receive === 'polling') await pollUpdates(host, this.#api, await this.#ears());
  }

  async #setUp(): Promise<void> {
    await this.#who();
    await this.#announceCommands();
    if (this.#settings.receive === 'polling') {
      await this.#api.call('deleteWebhook', { drop_pending_updates: false }, this.#signal);
      return;
    }
    const { publicUrl } = this.#host;
    if (publicUrl?.startsWith('https://') !== true)
      throw new WebhookAddressError(
        'A webhook needs `server.publicUrl` with https. Set it, or use polling, which needs no public address.',
      );
    await this.#api.call(
      'setWebhook',
      {
        url: webhookUrl(publicUrl),
        secret_token: webhookSecret(this.#token),
        max_connections: MAX_CONNECTIONS,
        allowed_updates: [...ALLOWED_UPDATES],
        drop_pending_updates: false,
      },
      this.#signal,
    );
  }

  /** What Telegram offers when a person writes a slash. Its names of commands are Latin ones. */
  async #announceCommands(): Promise<void> {
    for (const language of ['en', 'zh'] as const) {
      const commands = SHOWN_COMMANDS.map((name) => ({
        command: COMMAND_NAMES[name].en[0],
        description: COMMAND_WORDS[language].commands[name].about.slice(0, 256),
      }));
      await this.#api.call(
        'setMyCommands',
        { commands, ...(language !== 'en' && { language_code: language }) },
        this.#signal,
      );
    }
  }
}

/** What is set up cannot work, whatever Telegram says. */
class WebhookAddressError extends Error {
  override readonly name = 'WebhookAddressError';
}

function stateReason(error: unknown): string {
  const state = stateOf(error);
  return 'reason' in state ? state.reason : error instanceof DeliveryError ? error.message : '';
}
