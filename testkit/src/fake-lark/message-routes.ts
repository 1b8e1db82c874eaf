import { ok } from './app-routes.ts';
import { addCard, type CardEntity } from './card-entity.ts';
import { checkedMessageCard } from './checked-card.ts';
import { isJsonObject, type JsonObject, parseObject } from './json-object.ts';
import type { LarkCall } from './lark-calls.ts';
import { refuse } from './lark-refusal.ts';
import type { LarkAnswer, LarkRoute } from './lark-server.ts';
import { hex } from './hex.ts';
import type { LarkChat, LarkState, StoredMessage } from './lark-state.ts';

const WRITE = ['im:message', 'im:message:send_as_bot'];
const HOUR = 3_600_000;
const CHANGE_MS = 14 * 24 * HOUR;
const TYPES = new Set(['text', 'post', 'image', 'file', 'audio', 'media', 'interactive']);

/** What the bot says: new messages, replies, changes, and taking back. */
export function messageRoutes(state: LarkState): LarkRoute[] {
  return [
    {
      endpoint: 'POST im/v1/messages',
      scopes: WRITE,
      run(call) {
        const chat = findChat(state, call.query['receive_id_type'], call.body['receive_id']);
        return sendOnce(state, call, chat, {});
      },
    },
    {
      endpoint: 'POST im/v1/messages/:message_id/reply',
      scopes: WRITE,
      run(call) {
        const parent = findMessage(state, call);
        const rootId = parent.rootId ?? parent.messageId;
        const isInThread = call.body['reply_in_thread'] === true || parent.threadId !== undefined;
        if (isInThread) parent.threadId ??= `omt_${hex(8)}`;
        return sendOnce(state, call, state.chats.get(parent.chatId)!, {
          parentId: parent.messageId,
          rootId,
          threadId: parent.threadId,
        });
      },
    },
    {
      endpoint: 'PATCH im/v1/messages/:message_id',
      scopes: WRITE,
      run(call) {
        const message = findMessage(state, call);
        if (message.from !== 'bot' || message.type !== 'interactive')
          refuse(230054, 'This operation is not supported for this message type.');
        slowDown(state, `message ${message.messageId}`, state.limits.perMessage);
        const card = parseObject(call.body['content']);
        if (card === undefined) refuse(230001, 'Your request contains an invalid request parameter, content');
        replaceCard(state, state.cards.get(message.cardId!)!, checkedMessageCard(state, card));
        message.updatedAt = state.now();
        return ok();
      },
    },
    {
      endpoint: 'PUT im/v1/messages/:message_id',
      scopes: WRITE,
      run(call) {
        const message = findMessage(state, call);
        if (message.from !== 'bot' || !['text', 'post'].includes(message.type))
          refuse(230054, 'This operation is not supported for this message type.');
        if (message.edits >= 20) refuse(230072, 'The message has reached the number of times it can be edited.');
        if (call.body['msg_type'] !== message.type) {
          refuse(230001, 'Your request contains an invalid request parameter, msg_type');
        }
        message.content = contentOf(state, call.body).content;
        message.edits += 1;
        message.updatedAt = state.now();
        return ok(toItem(state, message));
      },
    },
    {
      endpoint: 'GET im/v1/messages/:message_id',
      scopes: ['im:message', 'im:message:readonly', 'im:message.history:readonly'],
      run: (call) => ok({ items: [toItem(state, findMessage(state, call, true))] }),
    },
    {
      endpoint: 'DELETE im/v1/messages/:message_id',
      scopes: ['im:message', 'im:message:send_as_bot', 'im:message:recall'],
      run(call) {
        const message = findMessage(state, call);
        if (message.from !== 'bot') refuse(230026, 'No permission to recall this message.');
        message.isRecalled = true;
        return ok();
      },
    },
    {
      endpoint: 'POST im/v1/messages/:message_id/reactions',
      scopes: ['im:message', 'im:message.reactions:write_only'],
      run(call) {
        findMessage(state, call);
        return ok({ reaction_id: hex(16), reaction_type: call.body['reaction_type'] });
      },
    },
    {
      endpoint: 'DELETE im/v1/messages/:message_id/reactions/:reaction_id',
      scopes: ['im:message', 'im:message.reactions:write_only'],
      run(call) {
        findMessage(state, call);
        return ok({ reaction_id: call.params['reaction_id'] });
      },
    },
    {
      endpoint: 'POST interactive/v1/card/update',
      run(call) {
        const token = state.updateTokens.get(String(call.body['token']));
        const card = call.body['card'];
        if (token === undefined || token.expiresAt <= state.now()) refuse(300030, 'The token is invalid or expired.');
        if (token.uses >= 2) refuse(300040, 'The token was used two times already.');
        if (!isJsonObject(card)) refuse(230001, 'Your request contains an invalid request parameter, card');
        replaceCard(
          state,
          state.cards.get(state.messages.get(token.messageId)!.cardId!)!,
          checkedMessageCard(state, card),
        );
        token.uses += 1;
        return ok();
      },
    },
  ];
}

/** Puts another card in the place of one, at once. */
export function replaceCard(state: LarkState, entity: CardEntity, card: JsonObject): void {
  entity.card = card;
  entity.changes += 1;
  const isStreaming = (card['config'] as JsonObject | undefined)?.['streaming_mode'] === true;
  entity.stream = isStreaming ? (typeof entity.stream === 'number' ? entity.stream : state.now()) : undefined;
}

/** A message with a `uuid` is sent once to a chat within an hour, and the answer is the same. */
function sendOnce(state: LarkState, call: LarkCall, chat: LarkChat, place: Partial<StoredMessage>): LarkAnswer {
  const { uuid } = call.body;
  if (uuid !== undefined && (typeof uuid !== 'string' || uuid.length > 50)) {
    refuse(230001, 'Your request contains an invalid request parameter, uuid');
  }
  if (!chat.hasBot) refuse(230002, 'The bot can not be outside the group.');
  if (state.isBlockedBy(chat)) refuse(230053, 'The user has stopped the bot from sending messages.');
  const key = `${chat.chatId} ${String(uuid)}`;
  const before = uuid === undefined ? undefined : state.sent.get(key);
  if (before !== undefined && before.at > state.now() - HOUR)
    return ok(toItem(state, state.messages.get(before.messageId)!));
  slowDown(state, `chat ${chat.chatId}`, state.limits.perChat);
  const { type, content, entity } = contentOf(state, call.body);
  const message = state.addMessage({
    chatId: chat.chatId,
    from: 'bot',
    type,
    content,
    cardId: entity?.cardId,
    ...place,
  });
  if (entity !== undefined) entity.messageId = message.messageId;
  if (uuid !== undefined) state.sent.set(key, { messageId: message.messageId, at: state.now() });
  return ok(toItem(state, message));
}

function contentOf(
  state: LarkState,
  body: JsonObject,
): { type: string; content: JsonObject; entity: CardEntity | undefined } {
  const type = body['msg_type'];
  if (typeof type !== 'string' || !TYPES.has(type))
    refuse(230001, 'Your request contains an invalid request parameter, msg_type');
  const content = parseObject(body['content']);
  if (content === undefined)
    refuse(230001, 'Your request contains an invalid request parameter, content is not a string in json format');
  const bytes = Buffer.byteLength(body['content'] as string);
  const limit = (type === 'interactive' || type === 'post' ? 30 : 150) * 1024;
  if (type !== 'interactive' && bytes > limit) refuse(230025, 'The length of the message content reaches its limit.');
  if (type === 'text' && (typeof content['text'] !== 'string' || content['text'] === '')) {
    refuse(230001, 'Your request contains an invalid request parameter, text');
  }
  if (type === 'image' || type === 'file' || type === 'audio') {
    const file = state.files.get(String(content['image_key'] ?? content['file_key']));
    if (file === undefined) refuse(230017, 'Bot is NOT the owner of the resource.');
    if ((file.kind === 'image') !== (type === 'image'))
      refuse(230055, 'The type of file upload does not match the type of message being sent.');
  }
  return { type, content, entity: type === 'interactive' ? entityOf(state, content) : undefined };
}

/** A card by the id of its entity, which can be sent once; or as it is. */
function entityOf(state: LarkState, content: JsonObject): CardEntity {
  if (content['type'] !== 'card') return addCard(state, checkedMessageCard(state, content));
  const data = content['data'];
  const entity = isJsonObject(data) ? state.cards.get(String(data['card_id'])) : undefined;
  if (entity === undefined)
    refuse(230099, 'Failed to create card content, ext=ErrCode: 11310; ErrMsg: cardid is invalid; ');
  if (entity.messageId !== undefined)
    refuse(230099, 'Failed to create card content, ext=ErrCode: 11310; ErrMsg: card entity was sent before; ');
  return entity;
}

function findChat(state: LarkState, idType: string | undefined, id: unknown): LarkChat {
  const people = [...state.users.values()];
  const ids = { open_id: 'openId', user_id: 'userId', union_id: 'unionId' } as const;
  const key = idType !== undefined && idType in ids ? ids[idType as keyof typeof ids] : undefined;
  if (key === undefined && idType !== 'chat_id') refuse(99992402, 'field validation failed: receive_id_type');
  const chatId = key === undefined ? String(id) : people.find((user) => user[key] === id)?.chatId;
  const chat = chatId === undefined ? undefined : state.chats.get(chatId);
  if (chat === undefined) refuse(230001, 'Your request contains an invalid request parameter, ext=invalid receive_id');
  return chat;
}

function findMessage(state: LarkState, call: LarkCall, isReading = false): StoredMessage {
  const message = state.messages.get(call.params['message_id']!);
  if (message === undefined) refuse(230001, 'Your request contains an invalid request parameter, message_id');
  if (isReading) return message;
  if (message.isRecalled) refuse(230011, 'The message is recalled.');
  if (state.chats.get(message.chatId)?.hasBot !== true) refuse(230002, 'The bot can not be outside the group.');
  const isChange = call.endpoint.startsWith('PATCH') || call.endpoint.startsWith('PUT');
  if (isChange && state.now() - message.createdAt > CHANGE_MS)
    refuse(230031, 'Message can only be modified within 14 days after sending.');
  return message;
}

function slowDown(state: LarkState, key: string, limit: number | undefined): void {
  const wait = state.rates.take(key, limit, 1000, state.now());
  if (wait !== undefined) refuse(230020, 'This operation triggers the frequency limit.');
}

function toItem(state: LarkState, message: StoredMessage): Record<string, unknown> {
  const isBot = message.from === 'bot';
  return {
    message_id: message.messageId,
    root_id: message.rootId,
    parent_id: message.parentId,
    thread_id: message.threadId,
    msg_type: message.type,
    create_time: String(message.createdAt),
    update_time: String(message.updatedAt),
    deleted: message.isRecalled,
    updated: message.updatedAt > message.createdAt,
    chat_id: message.chatId,
    sender: {
      id: isBot ? state.appId : message.from,
      id_type: isBot ? 'app_id' : 'open_id',
      sender_type: isBot ? 'app' : 'user',
      tenant_key: state.tenantKey,
    },
    body: { content: message.isRecalled ? 'This message was recalled' : JSON.stringify(message.content) },
    mentions: message.mentions.map(({ key, openId, name }) => ({
      key,
      id: openId,
      id_type: 'open_id',
      name,
      tenant_key: state.tenantKey,
    })),
  };
}
