import { isStreaming } from './card-entity.ts';
import { isJsonObject, type JsonObject, textOr } from './json-object.ts';
import type { LarkState, StoredMessage } from './lark-state.ts';
import { type CardView, plainView } from './plain-view.ts';

/** A message as a person sees it in the chat. */
export interface SeenLarkMessage {
  messageId: string;
  /** `bot`, or a person's open id. */
  from: string;
  type: string;
  /** All words of it, panels unfolded. */
  text: string;
  /** As they are before anybody unfolds a panel. */
  lines: string[];
  card: (CardView & { cardId: string; isStreaming: boolean; sequence: number; json: JsonObject }) | undefined;
  /** The picture or file it is. */
  fileKey: string | undefined;
  /** People that it calls, by id. */
  mentions: string[];
  replyTo: string | undefined;
  threadId: string | undefined;
  createdAt: number;
}

/** What stands in a chat, oldest first; what was recalled is gone. */
export function seeMessages(state: LarkState, chatId: string): SeenLarkMessage[] {
  return [...state.messages.values()]
    .filter((message) => message.chatId === chatId && !message.isRecalled)
    .map((message) => seeMessage(state, message));
}

function seeMessage(state: LarkState, message: StoredMessage): SeenLarkMessage {
  const entity = message.cardId === undefined ? undefined : state.cards.get(message.cardId);
  const view = entity === undefined ? undefined : viewOf(entity.card);
  const text = view?.allLines.join('\n') ?? wordsOf(message);
  const fileKey = message.content['image_key'] ?? message.content['file_key'];
  return {
    messageId: message.messageId,
    from: message.from,
    type: message.type,
    text,
    lines: view?.lines ?? text.split('\n'),
    card:
      entity === undefined || view === undefined
        ? undefined
        : {
            ...view,
            cardId: entity.cardId,
            isStreaming: isStreaming(state, entity),
            sequence: entity.sequence,
            json: entity.card,
          },
    fileKey: typeof fileKey === 'string' ? fileKey : undefined,
    mentions: view?.mentions ?? mentionsOf(message, text),
    replyTo: message.parentId,
    threadId: message.threadId,
    createdAt: message.createdAt,
  };
}

/** Views that were made: a card that changes is another object. */
const views = new WeakMap<JsonObject, CardView>();

function viewOf(card: JsonObject): CardView {
  const view = views.get(card) ?? plainView(card);
  views.set(card, view);
  return view;
}

function wordsOf({ type, content, mentions }: StoredMessage): string {
  if (type === 'post') return postWords(content);
  let text = typeof content['text'] === 'string' ? content['text'] : '';
  for (const mention of mentions) text = text.replaceAll(mention.key, `@${mention.name}`);
  return text;
}

/** A rich text: one language of it, title first. */
function postWords(content: JsonObject): string {
  const post = Array.isArray(content['content']) ? content : Object.values(content).find(isJsonObject);
  const rows = post?.['content'];
  const lines = Array.isArray(rows)
    ? rows.map((row: unknown) =>
        (Array.isArray(row) ? row : [])
          .map((piece: unknown) => (isJsonObject(piece) ? textOr(piece['text']) : ''))
          .join(''),
      )
    : [];
  const title = typeof post?.['title'] === 'string' && post['title'] !== '' ? [post['title']] : [];
  return [...title, ...lines].join('\n');
}

/** In a text message a tag calls people, too. */
function mentionsOf(message: StoredMessage, text: string): string[] {
  const tags = message.from === 'bot' ? text.matchAll(/<at\s+user_id\s*=\s*"([^"]*)"/g) : [];
  return [...message.mentions.map((mention) => mention.openId), ...[...tags].map((match) => match[1]!)];
}
