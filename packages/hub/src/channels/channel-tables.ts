import type { TokenId, UserId } from '@dragoman/protocol';
import type { Migration } from '@dragoman/server/base';
import type { ColumnDefinitionBuilder } from 'kysely';

/** What chats keep. Times are milliseconds, yes and no are 1 and 0, `…_json` holds JSON. */
export interface ChannelTables {
  /** Which account of which platform is which user. */
  hub_chat_bindings: {
    channel: string;
    account_id: string;
    account_name: string;
    user_id: UserId;
    language: 'en' | 'zh';
    created_at: number;
    /** The token that answers for it, where that is not the person. */
    made_by: TokenId | null;
  };
  /** Codes that bind an account, once. Stored hashed. */
  hub_bind_codes: {
    hash: Uint8Array;
    user_id: UserId;
    language: 'en' | 'zh';
    expires_at: number;
    made_by: TokenId | null;
  };
  hub_chats: {
    channel: string;
    chat_id: string;
    kind: 'private' | 'group';
    /** With whom a private chat is; noted by itself whenever they say something. */
    account_id: string | null;
    title: string | null;
    language: 'en' | 'zh';
    /** open: it may be used (a group: an admin allowed it); asked: an admin has not said yet; closed: nothing can be written. */
    state: 'open' | 'asked' | 'refused' | 'closed';
    /** Why nothing can be written, in words. */
    problem: string | null;
    /** The session that prompts go to and that is shown as it happens. */
    session_id: string | null;
    /** What began before this number of the session is not shown (any more). */
    from_seq: number;
    /** Only what was asked for here is said. */
    is_muted: number;
    created_at: number;
    updated_at: number;
  };
  /** Messages of ours: those that should be there, those on their way and those that are there. */
  hub_chat_posts: {
    id: string;
    channel: string;
    chat_id: string;
    /** Absent for notes of the program. */
    session_id: string | null;
    key: string;
    /** wanted: not tried yet; sending: tried, and nobody knows; shown: it is there and may change; done: it is there for good. */
    state: 'wanted' | 'sending' | 'shown' | 'done' | 'failed';
    /** What it says, where that is not made from a session. */
    note_json: string | null;
    actions_json: string;
    nonce: string;
    hint_json: string | null;
    receipt_json: string | null;
    message_id: string | null;
    /** A hash of what is in the chat. */
    fingerprint: string | null;
    /** Why it could not be shown. */
    problem: string | null;
    created_at: number;
    updated_at: number;
  };
  /** Which message in a chat was which prompt. */
  hub_chat_prompts: {
    channel: string;
    chat_id: string;
    session_id: string;
    prompt_id: string;
    message_id: string;
  };
  /** What was heard and counts no second time; forgotten after a day. */
  hub_chat_heard: { channel: string; id: string; heard_at: number };
  /** What happened in sessions and is still to be said in chats that show others. Whoever deletes a row makes the posts. */
  hub_chat_notices: { id: string; session_id: string; note_json: string; created_at: number };
  /** The process that works for a channel, and how that goes. */
  hub_channel_leases: { channel: string; holder: string; until: number; state_json: string; state_since: number };
}

const required = (column: ColumnDefinitionBuilder) => column.notNull();

/** The fifth step of the room's tables. */
export const channelMigration: Migration = {
  number: 5,
  title: 'chats: who is who, which session is shown where, and which messages there are',
  async up(db, { text, integer, bytes }) {
    const ofUser = (column: ColumnDefinitionBuilder) => column.notNull().references('users.id').onDelete('cascade');
    await db.schema
      .createTable('hub_chat_bindings')
      .addColumn('channel', text, required)
      .addColumn('account_id', text, required)
      .addColumn('account_name', text, required)
      .addColumn('user_id', text, ofUser)
      .addColumn('language', text, required)
      .addColumn('created_at', integer, required)
      .addPrimaryKeyConstraint('hub_chat_bindings_key', ['channel', 'account_id'])
      .execute();
    await db.schema
      .createTable('hub_bind_codes')
      .addColumn('hash', bytes, (column) => column.primaryKey())
      .addColumn('user_id', text, ofUser)
      .addColumn('language', text, required)
      .addColumn('expires_at', integer, required)
      .execute();
    await db.schema
      .createTable('hub_chats')
      .addColumn('channel', text, required)
      .addColumn('chat_id', text, required)
      .addColumn('kind', text, required)
      .addColumn('account_id', text)
      .addColumn('title', text)
      .addColumn('language', text, required)
      .addColumn('state', text, required)
      .addColumn('problem', text)
      .addColumn('session_id', text, (column) => column.references('hub_sessions.id').onDelete('set null'))
      .addColumn('from_seq', integer, required)
      .addColumn('is_muted', integer, required)
      .addColumn('created_at', integer, required)
      .addColumn('updated_at', integer, required)
      .addPrimaryKeyConstraint('hub_chats_key', ['channel', 'chat_id'])
      .execute();
    await db.schema.createIndex('hub_chats_session').on('hub_chats').column('session_id').execute();
    await db.schema
      .createTable('hub_chat_posts')
      .addColumn('id', text, (column) => column.primaryKey())
      .addColumn('channel', text, required)
      .addColumn('chat_id', text, required)
      .addColumn('session_id', text, (column) => column.references('hub_sessions.id').onDelete('cascade'))
      .addColumn('key', text, required)
      .addColumn('state', text, required)
      .addColumn('note_json', text)
      .addColumn('actions_json', text, required)
      .addColumn('nonce', text, required)
      .addColumn('hint_json', text)
      .addColumn('receipt_json', text)
      .addColumn('message_id', text)
      .addColumn('fingerprint', text)
      .addColumn('problem', text)
      .addColumn('created_at', integer, required)
      .addColumn('updated_at', integer, required)
      .execute();
    await db.schema
      .createIndex('hub_chat_posts_place')
      .unique()
      .on('hub_chat_posts')
      .columns(['channel', 'chat_id', 'session_id', 'key'])
      .execute();
    await db.schema
      .createIndex('hub_chat_posts_message')
      .on('hub_chat_posts')
      .columns(['channel', 'chat_id', 'message_id'])
      .execute();
    await db.schema.createIndex('hub_chat_posts_session').on('hub_chat_posts').column('session_id').execute();
    await db.schema
      .createTable('hub_chat_prompts')
      .addColumn('channel', text, required)
      .addColumn('chat_id', text, required)
      .addColumn('session_id', text, (column) => column.notNull().references('hub_sessions.id').onDelete('cascade'))
      .addColumn('prompt_id', text, required)
      .addColumn('message_id', text, required)
      .addPrimaryKeyConstraint('hub_chat_prompts_key', ['channel', 'chat_id', 'prompt_id'])
      .execute();
    await db.schema.createIndex('hub_chat_prompts_session').on('hub_chat_prompts').column('session_id').execute();
    await db.schema
      .createTable('hub_chat_heard')
      .addColumn('channel', text, required)
      .addColumn('id', text, required)
      .addColumn('heard_at', integer, required)
      .addPrimaryKeyConstraint('hub_chat_heard_key', ['channel', 'id'])
      .execute();
    await db.schema
      .createTable('hub_chat_notices')
      .addColumn('id', text, (column) => column.primaryKey())
      .addColumn('session_id', text, (column) => column.notNull().references('hub_sessions.id').onDelete('cascade'))
      .addColumn('note_json', text, required)
      .addColumn('created_at', integer, required)
      .execute();
    await db.schema
      .createTable('hub_channel_leases')
      .addColumn('channel', text, (column) => column.primaryKey())
      .addColumn('holder', text, required)
      .addColumn('until', integer, required)
      .addColumn('state_json', text, required)
      .addColumn('state_since', integer, required)
      .execute();
  },
};

/** The sixth step of the room's tables. */
export const bindingMigration: Migration = {
  number: 6,
  title: 'which token connected a chat account',
  async up(db, { text }) {
    await db.schema.alterTable('hub_bind_codes').addColumn('made_by', text).execute();
    await db.schema.alterTable('hub_chat_bindings').addColumn('made_by', text).execute();
  },
};
