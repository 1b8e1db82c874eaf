import { BotApiError, badRequest, forbidden } from './bot-api-error.ts';
import type { CallParams } from './call-params.ts';
import type { CallWeight, RateLimits } from './rate-limits.ts';
import { MarkdownError, parseMarkdownV2 } from './parse-markdown-v2.ts';
import { type SettledText, settleText } from './settle-text.ts';
import type { KeptChat, KeptMessage, TelegramWorld } from './telegram-world.ts';
import type { TelegramEntity } from './telegram-wire.ts';
import type { UpdateQueue } from './update-queue.ts';

/** What a person sees after a press. */
export interface CallbackAnswer {
  text?: string;
  showAlert?: true;
  url?: string;
}

/** What the methods of the Bot API work on. */
export interface BotApi {
  world: TelegramWorld;
  updates: UpdateQueue;
  limits: RateLimits | undefined;
  /** Presses that wait for their answer. */
  presses: Map<string, (answer: CallbackAnswer) => void>;
  /** By scope and language. */
  commands: Map<string, { command: string; description: string }[]>;
  hasDrafts: boolean;
  hasPrivateTopics: boolean;
  readsAll: boolean;
}

/** A method of the Bot API: parameters in, the result out; what is refused is thrown. */
export type BotMethod = (api: BotApi, params: CallParams, signal: AbortSignal) => unknown;

const RAW_TEXT_LIMIT = 32_768;

/** The chat of a call, if the bot may do something there. */
export function openChat({ world }: BotApi, params: CallParams): KeptChat {
  const text = params.text('chat_id');
  if (text === '') throw badRequest('chat_id is empty');
  const kept = world.chats.get(Number(text));
  if (kept?.movedTo !== undefined) {
    const parameters = { migrate_to_chat_id: kept.movedTo };
    throw new BotApiError(400, 'Bad Request: group chat was upgraded to a supergroup chat', parameters);
  }
  switch (kept?.membership) {
    case 'in':
      return kept;
    case 'blocked':
      throw forbidden('bot was blocked by the user');
    case 'kicked':
      throw forbidden(`bot was kicked from the ${kept.chat.type} chat`);
    case 'left':
      throw forbidden(`bot is not a member of the ${kept.chat.type} chat`);
    default:
      throw badRequest('chat not found');
  }
}

/** The topic of a call. Only forums, and private chats of a bot with topics, have any; elsewhere it is not looked at. */
export function openTopic(kept: KeptChat, params: CallParams): number | undefined {
  const threadId = params.integer('message_thread_id') ?? 0;
  if (threadId === 0 || (kept.chat.type !== 'private' && kept.chat.is_forum !== true)) return undefined;
  if (!kept.topics.has(threadId)) throw badRequest('message thread not found');
  return threadId;
}

/** The message that is answered. */
export function openReply(kept: KeptChat, params: CallParams): KeptMessage | undefined {
  const reply = (params.json('reply_parameters', 'reply parameters') ?? {}) as Record<string, unknown>;
  const messageId = Number(reply['message_id'] ?? params.integer('reply_to_message_id') ?? 0);
  if (messageId === 0) return undefined;
  const message = kept.messages.get(messageId);
  const mayBeGone = reply['allow_sending_without_reply'] === true || params.flag('allow_sending_without_reply');
  if (message === undefined && !mayBeGone) throw badRequest('message to be replied not found');
  return message;
}

/** A message of the bot that is to be changed. */
export function openMessage(api: BotApi, params: CallParams): { kept: KeptChat; message: KeptMessage } {
  const kept = openChat(api, params);
  const message = kept.messages.get(params.integer('message_id') ?? 0);
  if (message === undefined) throw badRequest('message to edit not found');
  if (message.from.id !== api.world.bot.id || message.service !== undefined)
    throw badRequest("message can't be edited");
  return { kept, message };
}

/** Counts a call against the limits. */
export function spend({ limits }: BotApi, kept: KeptChat, weight: CallWeight): void {
  limits?.take(kept.chat.id, kept.chat.type !== 'private', weight);
}

/** A text or caption as people will read it. HTML and the old Markdown are not understood here. */
export function readText(params: CallParams, name: 'text' | 'caption'): SettledText {
  const raw = params.text(name);
  if (Buffer.byteLength(raw) > RAW_TEXT_LIMIT) throw badRequest('text is too long');
  if (!raw.isWellFormed()) throw badRequest('strings must be encoded in UTF-8');
  const mode = params.text('parse_mode').toLowerCase();
  if (mode === '' || mode === 'none') return settleText({ text: raw, entities: readEntities(params, name, raw) });
  if (mode !== 'markdownv2') throw badRequest('unsupported parse_mode');
  try {
    return settleText(parseMarkdownV2(raw));
  } catch (error) {
    if (error instanceof MarkdownError) throw badRequest(`can't parse entities: ${error.message}`);
    throw error;
  }
}

function readEntities(params: CallParams, name: 'text' | 'caption', text: string): TelegramEntity[] {
  const entities = params.json(name === 'text' ? 'entities' : 'caption_entities', 'entities');
  if (!Array.isArray(entities)) return [];
  return (entities as TelegramEntity[]).map((entity) => {
    if (!Number.isInteger(entity.offset) || !Number.isInteger(entity.length)) {
      throw badRequest(`can't parse MessageEntity: Field "offset" must be of type Number`);
    }
    const end = entity.offset + entity.length;
    if (end > text.length) {
      throw badRequest(
        `entity beginning at UTF-16 offset ${entity.offset} ends after the end of the text at UTF-16 offset ${end}`,
      );
    }
    return entity;
  });
}

/** The answer where a method is not known. */
export function notFound(): BotApiError {
  return new BotApiError(404, 'Not Found');
}
