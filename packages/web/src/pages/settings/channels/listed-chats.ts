import type { ChannelChat, ChannelInfo } from '@dragoman/protocol';

/** A chat, with the platform it is on. */
export interface ListedChat {
  /** Tells chats of all platforms apart. */
  key: string;
  channel: ChannelInfo;
  chat: ChannelChat;
  /** Its topics, as far as somebody wrote in them. */
  topics: readonly ListedChat[];
}

/** What somebody has to do something about comes first. */
const ORDER: readonly ChannelChat['state'][] = ['asked', 'open', 'closed', 'refused'];

/** The chats of a kind on all platforms, in one list: those that ask first, then the latest. Topics stand in their chat. */
export function listedChats(channels: readonly ChannelInfo[], kind: ChannelChat['kind']): ListedChat[] {
  const chats: (ListedChat & { topics: ListedChat[] })[] = channels
    .flatMap((channel) =>
      channel.chats.map((chat) => ({ key: keyOf(channel, chat.chatId), channel, chat, topics: [] as ListedChat[] })),
    )
    .filter(({ chat }) => chat.kind === kind)
    .toSorted(
      ({ chat: one }, { chat: other }) =>
        ORDER.indexOf(one.state) - ORDER.indexOf(other.state) || other.updatedAt - one.updatedAt,
    );
  const byKey = new Map(chats.map((listed) => [listed.key, listed]));
  return chats.filter((listed) => {
    const whole = byKey.get(keyOf(listed.channel, wholeChat(listed.chat.chatId)));
    if (whole === undefined || whole === listed) return true;
    whole.topics.push(listed);
    return false;
  });
}

function keyOf({ name }: ChannelInfo, chatId: string): string {
  return `${name} ${chatId}`;
}

/** The chat that a topic is in: channels write a topic as its chat, a `/`, and what is its own. */
function wholeChat(chatId: string): string {
  return chatId.split('/', 1)[0]!;
}
