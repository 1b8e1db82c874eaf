import type { Migration } from '@dragoman/server';
import { type ColumnDefinitionBuilder, type Kysely, sql } from 'kysely';
import type { ChannelTables } from './channels/channel-tables.ts';
import type { ProcessTables } from './processes/process-tables.ts';
import type { PushTables } from './push/push-tables.ts';

/** Everything the hub keeps. Times are milliseconds, yes and no are 1 and 0, `…_json` holds JSON. */
export interface HubTables extends PushTables, ChannelTables, ProcessTables {
  hub_runners: {
    id: string;
    name: string;
    host: string;
    version: string;
    owner_id: string;
    owner_name: string;
    is_shared: number;
    folders_json: string;
    agents_json: string;
    /** The outbox its numbers count in, and the highest one that is here without a gap. */
    outbox_id: string;
    acked: number;
    /** The last command that was carried out, and the last that was given a number. */
    handled: number;
    commanded: number;
    last_seen_at: number;
    /** When somebody removed it; it is listed again once it connects. Its sessions can only be read meanwhile. */
    forgotten_at: number | null;
    /** The process that has its stream, where several share a database; empty when it left, nothing where an older program has it. */
    connected_to: string | null;
    /** 1: the runner of a server's own machine. */
    is_server: number | null;
    /** Of a terminal: the runner of the server on the same machine. */
    home_runner_id: string | null;
  };
  hub_sessions: {
    id: string;
    title: string;
    /** A person chose the title; until then the agent may. */
    is_named: number;
    agent: string;
    runner_id: string;
    folder: string;
    worktree: number;
    model: string | null;
    mode: string | null;
    forked_from_json: string | null;
    /** Who started it: the user's id for the roles, and all of it for people. */
    by_user_id: string | null;
    by_json: string;
    /** The last number that was given. */
    seq: number;
    /** Up to where it can be searched. */
    indexed_seq: number;
    /** The last number that was given to something new to people (`is-news.ts`), and when that happened. */
    news_seq: number;
    updated_at: number;
    created_at: number;
    pinned: number;
    archived: number;
    agent_state: 'starting' | 'ready' | 'stopped' | 'failed';
    agent_session_id: string | null;
    capabilities_json: string;
    cwd: string | null;
    branch: string | null;
    turn_id: string | null;
    queued: number;
    waiting: number;
    last_text: string;
    /** How far the agent's plan is; of none without a plan. */
    plan_done: number;
    plan_total: number;
    last_error_json: string | null;
    input_tokens: number;
    output_tokens: number;
    /** In millionths of a dollar. */
    cost_micros: number;
    /** The turn that the hub ended while the machine was away, until the machine has told the end of it. */
    ended_turn_id: string | null;
    /** The command by which the session was closed while its machine was away; what the machine did before it is late. */
    closed_number: number | null;
    /** The session came from another machine: up to here its agent may not know the conversation. */
    moved_seq: number | null;
    /** The machine that it was moved from, until it was told in the session that an agent went on there. */
    left_runner_id: string | null;
  };
  /**
   * One row is one event; `block_id` is there for those whose rows are replaced when the block ends. `piece` tells the
   * pieces of a block that has not ended: 1 its start, 2 what was added, 3 all of it after its turn was over. Everything
   * else is 0.
   */
  hub_events: { session_id: string; seq: number; at: number; block_id: string | null; piece: number; event: string };
  /** What reverts took out of a session: everything that was opened from `since` up to the revert, and those prompts. */
  hub_reverts: { session_id: string; seq: number; since: number; prompts_json: string };
  hub_prompts: {
    session_id: string;
    id: string;
    /** sent: a runner was told; taken: a turn began with it, or it went into one. */
    state: 'queued' | 'sent' | 'taken' | 'withdrawn';
    delivery: 'queue' | 'steer';
    content_json: string;
    by_json: string;
    created_at: number;
  };
  hub_approvals: {
    session_id: string;
    id: string;
    approval_json: string;
    asked_at: number;
    expires_at: number;
    state: 'waiting' | 'decided';
    reply_json: string | null;
    by_json: string | null;
    decided_at: number | null;
  };
  /** What was allowed for good, for one folder of one machine. */
  hub_rules: {
    id: string;
    runner_id: string;
    folder: string;
    tool: string;
    pattern: string;
    by_user_id: string;
    by_name: string;
    created_at: number;
  };
  hub_commands: { runner_id: string; number: number; session_id: string; command_json: string };
  hub_asks: { id: string; runner_id: string; ask_json: string; reply_json: string | null; expires_at: number };
  hub_reads: { user_id: string; session_id: string; seq: number };
  hub_attachments: { id: string; session_id: string; name: string | null; media_type: string; bytes: Uint8Array };
}

const required = (column: ColumnDefinitionBuilder) => column.notNull();

/** The first step of the room's tables. */
export const hubMigration: Migration = {
  number: 1,
  title: 'runners, sessions of any agent, their logs, prompts, approvals and rules',
  async up(db, { text, integer, bytes }) {
    const ofSession = (column: ColumnDefinitionBuilder) =>
      column.notNull().references('hub_sessions.id').onDelete('cascade');
    await createRunners(db, { text, integer });
    await db.schema
      .createTable('hub_sessions')
      .addColumn('id', text, (column) => column.primaryKey())
      .addColumn('title', text, required)
      .addColumn('is_named', integer, required)
      .addColumn('agent', text, required)
      .addColumn('runner_id', text, required)
      .addColumn('folder', text, required)
      .addColumn('worktree', integer, required)
      .addColumn('model', text)
      .addColumn('mode', text)
      .addColumn('forked_from_json', text)
      .addColumn('by_user_id', text)
      .addColumn('by_json', text, required)
      .addColumn('seq', integer, required)
      .addColumn('indexed_seq', integer, required)
      .addColumn('created_at', integer, required)
      .addColumn('updated_at', integer, required)
      .addColumn('pinned', integer, required)
      .addColumn('archived', integer, required)
      .addColumn('agent_state', text, required)
      .addColumn('agent_session_id', text)
      .addColumn('capabilities_json', text, required)
      .addColumn('cwd', text)
      .addColumn('branch', text)
      .addColumn('turn_id', text)
      .addColumn('queued', integer, required)
      .addColumn('waiting', integer, required)
      .addColumn('last_text', text, required)
      .addColumn('last_error_json', text)
      .addColumn('input_tokens', integer, required)
      .addColumn('output_tokens', integer, required)
      .addColumn('cost_micros', integer, required)
      .execute();
    await db.schema.createIndex('hub_sessions_updated').on('hub_sessions').columns(['updated_at', 'id']).execute();
    await db.schema.createIndex('hub_sessions_runner').on('hub_sessions').column('runner_id').execute();
    await db.schema
      .createTable('hub_events')
      .addColumn('session_id', text, ofSession)
      .addColumn('seq', integer, required)
      .addColumn('at', integer, required)
      .addColumn('block_id', text)
      .addColumn('piece', integer, required)
      .addColumn('event', text, required)
      .addPrimaryKeyConstraint('hub_events_key', ['session_id', 'seq'])
      .execute();
    await sql`create index hub_events_block on hub_events (session_id, block_id) where block_id is not null`.execute(
      db,
    );
    await sql`create index hub_events_open on hub_events (session_id) where piece in (1, 2)`.execute(db);
    await db.schema
      .createTable('hub_prompts')
      .addColumn('session_id', text, ofSession)
      .addColumn('id', text, required)
      .addColumn('state', text, required)
      .addColumn('delivery', text, required)
      .addColumn('content_json', text, required)
      .addColumn('by_json', text, required)
      .addColumn('created_at', integer, required)
      .addPrimaryKeyConstraint('hub_prompts_key', ['session_id', 'id'])
      .execute();
    await db.schema
      .createTable('hub_approvals')
      .addColumn('session_id', text, ofSession)
      .addColumn('id', text, required)
      .addColumn('approval_json', text, required)
      .addColumn('asked_at', integer, required)
      .addColumn('expires_at', integer, required)
      .addColumn('state', text, required)
      .addColumn('reply_json', text)
      .addColumn('by_json', text)
      .addColumn('decided_at', integer)
      .addPrimaryKeyConstraint('hub_approvals_key', ['session_id', 'id'])
      .execute();
    await db.schema.createIndex('hub_approvals_waiting').on('hub_approvals').columns(['state', 'expires_at']).execute();
    await db.schema
      .createTable('hub_rules')
      .addColumn('id', text, (column) => column.primaryKey())
      .addColumn('runner_id', text, required)
      .addColumn('folder', text, required)
      .addColumn('tool', text, required)
      .addColumn('pattern', text, required)
      .addColumn('by_user_id', text, required)
      .addColumn('by_name', text, required)
      .addColumn('created_at', integer, required)
      .addUniqueConstraint('hub_rules_once', ['runner_id', 'folder', 'tool', 'pattern'])
      .execute();
    await db.schema
      .createTable('hub_reads')
      .addColumn('user_id', text, required)
      .addColumn('session_id', text, ofSession)
      .addColumn('seq', integer, required)
      .addPrimaryKeyConstraint('hub_reads_key', ['user_id', 'session_id'])
      .execute();
    await db.schema
      .createTable('hub_attachments')
      .addColumn('id', text, (column) => column.primaryKey())
      .addColumn('session_id', text, ofSession)
      .addColumn('name', text)
      .addColumn('media_type', text, required)
      .addColumn('bytes', bytes, required)
      .execute();
    await db.schema.createIndex('hub_attachments_session').on('hub_attachments').column('session_id').execute();
  },
};

async function createRunners(
  db: Kysely<unknown>,
  { text, integer }: Pick<Parameters<Migration['up']>[1], 'text' | 'integer'>,
): Promise<void> {
  await db.schema
    .createTable('hub_runners')
    .addColumn('id', text, (column) => column.primaryKey())
    .addColumn('name', text, required)
    .addColumn('host', text, required)
    .addColumn('version', text, required)
    .addColumn('owner_id', text, required)
    .addColumn('owner_name', text, required)
    .addColumn('is_shared', integer, required)
    .addColumn('folders_json', text, required)
    .addColumn('agents_json', text, required)
    .addColumn('outbox_id', text, required)
    .addColumn('acked', integer, required)
    .addColumn('handled', integer, required)
    .addColumn('commanded', integer, required)
    .addColumn('last_seen_at', integer, required)
    .execute();
  await db.schema
    .createTable('hub_commands')
    .addColumn('runner_id', text, required)
    .addColumn('number', integer, required)
    .addColumn('session_id', text, required)
    .addColumn('command_json', text, required)
    .addPrimaryKeyConstraint('hub_commands_key', ['runner_id', 'number'])
    .execute();
  await db.schema
    .createTable('hub_asks')
    .addColumn('id', text, (column) => column.primaryKey())
    .addColumn('runner_id', text, required)
    .addColumn('ask_json', text, required)
    .addColumn('reply_json', text)
    .addColumn('expires_at', integer, required)
    .execute();
}
