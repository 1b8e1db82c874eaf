import { type BotMethod, notFound, openChat, openTopic, readText, spend } from '../bot-api.ts';
import { badRequest } from '../bot-api-error.ts';

const ACTIONS = new Set([
  'typing',
  'upload_photo',
  'record_video',
  'upload_video',
  'record_voice',
  'upload_voice',
  'upload_document',
  'choose_sticker',
  'find_location',
  'record_video_note',
  'upload_video_note',
]);

const TEXT_LIMIT = 4096;
const TITLE_LIMIT = 128;

/** The methods about a chat: what is going on in it, its topics, and leaving it. */
export const chatMethods: Readonly<Record<string, BotMethod>> = {
  getChat(api, params) {
    const kept = openChat(api, params);
    return { ...kept.chat, accent_color_id: 0, max_reaction_count: 11, accepted_gift_types: {} };
  },

  leaveChat(api, params) {
    const kept = openChat(api, params);
    if (kept.chat.type === 'private') throw badRequest("chat member status can't be changed in private chats");
    kept.membership = 'left';
    return true;
  },

  sendChatAction(api, params) {
    const action = params.text('action').toLowerCase();
    if (!ACTIONS.has(action)) throw badRequest('wrong parameter action in request');
    const kept = openChat(api, params);
    openTopic(kept, params);
    spend(api, kept, 'passing');
    kept.actions.push(action);
    return true;
  },

  sendMessageDraft(api, params) {
    if (!api.hasDrafts) throw notFound();
    const text = readText(params, 'text');
    if (text.text.length > TEXT_LIMIT) throw badRequest('message is too long');
    const kept = openChat(api, params);
    if (kept.chat.type !== 'private') throw badRequest('TEXTDRAFT_PEER_INVALID');
    const draftId = params.integer('draft_id') ?? 0;
    if (draftId === 0) throw badRequest('RANDOM_ID_INVALID');
    const threadId = openTopic(kept, params);
    spend(api, kept, 'passing');
    // One draft is shown at a time in a place; another one takes its place.
    for (const [key, draft] of kept.drafts) if (draft.threadId === threadId) kept.drafts.delete(key);
    kept.drafts.set(draftId, { draftId, text: text.text, entities: text.entities, threadId, at: api.world.now() });
    return true;
  },

  createForumTopic(api, params) {
    const kept = openChat(api, params);
    const name = params.text('name').trim();
    if (name === '') throw badRequest('TOPIC_TITLE_EMPTY');
    if (name.length > TITLE_LIMIT) throw badRequest('TOPIC_TITLE_TOO_LONG');
    const isForum = kept.chat.type === 'private' ? api.hasPrivateTopics : kept.chat.is_forum === true;
    if (!isForum) throw badRequest('the chat is not a forum');
    spend(api, kept, 'message');
    const topic = { name, icon_color: params.integer('icon_color') ?? 7_322_096 };
    const { messageId } = api.world.openTopic(kept, api.world.bot, topic);
    return { message_thread_id: messageId, ...topic };
  },
};
