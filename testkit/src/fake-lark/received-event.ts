import type { LarkState, LarkUser, StoredMessage } from './lark-state.ts';

/** What the bot is told of a message: the body of `im.message.receive_v1`. */
export function receivedEvent(state: LarkState, message: StoredMessage, user: LarkUser): Record<string, unknown> {
  const { tenantKey } = state;
  const mentions = message.mentions.map(({ key, openId, name }) => {
    const person = state.users.get(openId);
    const id = person === undefined ? { open_id: openId, union_id: '', user_id: '' } : idsOf(person);
    return { key, id, name, tenant_key: tenantKey };
  });
  return {
    sender: { sender_id: idsOf(user), sender_type: 'user', tenant_key: tenantKey },
    message: {
      message_id: message.messageId,
      root_id: message.rootId,
      parent_id: message.parentId,
      thread_id: message.threadId,
      create_time: String(message.createdAt),
      update_time: String(message.updatedAt),
      chat_id: message.chatId,
      chat_type: state.chats.get(message.chatId)!.kind,
      message_type: message.type,
      content: JSON.stringify(message.content),
      ...(mentions.length === 0 ? {} : { mentions }),
    },
  };
}

/** A person by all the names they have. */
export function idsOf(user: LarkUser): { open_id: string; union_id: string; user_id: string } {
  return { open_id: user.openId, union_id: user.unionId, user_id: user.userId };
}
