import type { HubSessionInfo } from '@dragoman/protocol';
import type { StoreEngine } from '@dragoman/server/base';
import { CompiledQuery, type Kysely } from 'kysely';
import type { HubTables } from '../hub-tables.ts';
import type { SessionRow } from './session-change.ts';

/** A database, or a transaction in it, with the engine whose words it speaks. */
export interface Place {
  db: Kysely<HubTables>;
  engine: StoreEngine;
}

/**
 * The rows of sessions, held until the transaction ends. In the order of their ids, so that two transactions that want
 * the same ones wait for each other instead of standing still. On SQLite a transaction is alone from its beginning.
 */
export async function lockSessions({ db, engine }: Place, sessionIds: Iterable<string>): Promise<SessionRow[]> {
  const ids = [...new Set(sessionIds)];
  if (ids.length === 0) return [];
  const parameters = engine === 'sqlite' ? [JSON.stringify(ids)] : [ids];
  const { rows } = await db.executeQuery<SessionRow>(CompiledQuery.raw(LOCK[engine], parameters));
  return rows.map((row) => ({ ...row }));
}

const LOCK: Record<StoreEngine, string> = {
  sqlite: 'select * from hub_sessions where id in (select value from json_each(?)) order by id',
  postgres: 'select * from hub_sessions where id = any($1::text[]) order by id for update',
};

/** What may change in the row of a session, and as what it is stored. */
const CHANGING = {
  title: 'text',
  is_named: 'bigint',
  agent: 'text',
  runner_id: 'text',
  folder: 'text',
  worktree: 'bigint',
  model: 'text',
  mode: 'text',
  seq: 'bigint',
  indexed_seq: 'bigint',
  news_seq: 'bigint',
  updated_at: 'bigint',
  pinned: 'bigint',
  archived: 'bigint',
  agent_state: 'text',
  agent_session_id: 'text',
  capabilities_json: 'text',
  cwd: 'text',
  branch: 'text',
  turn_id: 'text',
  queued: 'bigint',
  waiting: 'bigint',
  last_text: 'text',
  plan_done: 'bigint',
  plan_total: 'bigint',
  last_error_json: 'text',
  input_tokens: 'bigint',
  output_tokens: 'bigint',
  cost_micros: 'bigint',
  ended_turn_id: 'text',
  closed_number: 'bigint',
  moved_seq: 'bigint',
  left_runner_id: 'text',
} as const satisfies { [Column in keyof SessionRow]?: 'text' | 'bigint' };
const CHANGING_COLUMNS = Object.keys(CHANGING) as (keyof typeof CHANGING)[];

/** Writes rows back that were locked: one by one within the process, in one go over a network. */
export async function writeSessions({ db, engine }: Place, rows: readonly SessionRow[]): Promise<void> {
  if (engine === 'postgres') {
    const columns = CHANGING_COLUMNS.map((column) => rows.map((row) => storable(row[column])));
    await db.executeQuery(CompiledQuery.raw(POSTGRES_WRITE, [rows.map((row) => row.id), ...columns]));
    return;
  }
  for (const row of rows) {
    const values = CHANGING_COLUMNS.map((column) => storable(row[column]));
    await db.executeQuery(CompiledQuery.raw(SQLITE_WRITE, [...values, row.id]));
  }
}

const SQLITE_WRITE = `update hub_sessions set ${CHANGING_COLUMNS.map((column) => `${column} = ?`).join(', ')} where id = ?`;
const POSTGRES_WRITE = `update hub_sessions set ${CHANGING_COLUMNS.map((column) => `${column} = changed.${column}`).join(', ')}
  from unnest($1::text[], ${CHANGING_COLUMNS.map((column, index) => `$${index + 2}::${CHANGING[column]}[]`).join(', ')})
    as changed (id, ${CHANGING_COLUMNS.join(', ')})
  where hub_sessions.id = changed.id`;

/** PostgreSQL has no place for the character zero in a text; agents do write it. */
export function storable<Value>(value: Value): Value | string {
  return typeof value === 'string' && value.includes('\0') ? value.replaceAll('\0', '\uFFFD') : value;
}

/** The row of a session in which nothing has happened yet. */
export function newSessionRow(
  info: HubSessionInfo,
  { byUserId, at }: { byUserId: string | null; at: number },
): SessionRow {
  return {
    id: info.id,
    title: info.title,
    is_named: Number(info.isNamed === true),
    agent: info.agent,
    runner_id: info.runnerId,
    folder: info.folder,
    worktree: Number(info.worktree ?? false),
    model: info.model ?? null,
    mode: info.mode ?? null,
    forked_from_json: info.forkedFrom === undefined ? null : JSON.stringify(info.forkedFrom),
    by_user_id: byUserId,
    by_json: JSON.stringify(info.by),
    seq: 0,
    indexed_seq: 0,
    news_seq: 0,
    created_at: at,
    updated_at: at,
    pinned: 0,
    archived: 0,
    agent_state: 'starting',
    agent_session_id: null,
    capabilities_json: '{}',
    cwd: null,
    branch: null,
    turn_id: null,
    queued: 0,
    waiting: 0,
    last_text: '',
    plan_done: 0,
    plan_total: 0,
    last_error_json: null,
    input_tokens: 0,
    output_tokens: 0,
    cost_micros: 0,
    ended_turn_id: null,
    closed_number: null,
    moved_seq: null,
    left_runner_id: null,
  };
}
