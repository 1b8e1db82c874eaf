import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import { setImmediate } from 'node:timers/promises';
import { DragomanError } from '@dragoman/protocol/error';
import type { Store } from '@dragoman/server';
import { CompiledQuery, type Kysely } from 'kysely';
import { loadPackedFiles } from './load-packed-files.ts';
import type { FollowedFile, PathChanges, PathEntry } from './pipeline/path-map.ts';
import type { WorkspaceTables } from './workspace-tables.ts';

/** A folder of a user on a machine, and where its blobs are kept. */
export interface Workspace {
  id: string;
  userId: string;
  host: string;
  root: string;
  name: string;
  /** `local`, or the address of a server. */
  server: string;
  createdAt: number;
  updatedAt: number;
}

export interface WorkspacePlace {
  userId: string;
  root: string;
  /** This machine when not given. */
  host?: string;
}

export interface NewWorkspace extends WorkspacePlace {
  name: string;
  server: string;
}

const FILE_COLUMNS = [
  'workspace_id',
  'path',
  'size',
  'mtime',
  'ctime',
  'inode',
  'is_settled',
  'blob_name',
  'left_out',
  'status',
] as const;
/** Rows of one statement: 3,000 parameters, where SQLite takes 32,766 and PostgreSQL 65,535. More are not faster. */
const ROWS_A_STATEMENT = 300;
/** Rows of one transaction: each waits for the disk once, and holds other writers up while it runs. */
const ROWS_A_TRANSACTION = 6_000;
/** PostgreSQL has no room for longer ones in a key. A file with such a path is read again after a restart. */
const MAX_PATH_BYTES = 2_000;

/** Remembers workspaces and their files across restarts. */
export class WorkspaceStore {
  readonly #db: Kysely<WorkspaceTables>;
  readonly #engine: Store['engine'];
  readonly #now: () => number;

  constructor(store: Store, now: () => number = Date.now) {
    this.#db = store.tables<WorkspaceTables>();
    this.#engine = store.engine;
    this.#now = now;
  }

  /**
   * The workspace at that place, made when there is none. One that was with another server before forgets what that
   * one confirmed. Safe when two processes do it at once.
   */
  async open({ userId, root, host = hostname(), name, server }: NewWorkspace): Promise<Workspace> {
    const at = this.#now();
    await this.#db
      .insertInto('context_workspaces')
      .values({ id: newWorkspaceId(), user_id: userId, host, root, name, server, created_at: at, updated_at: at })
      .onConflict((conflict) => conflict.columns(['user_id', 'host', 'root']).doNothing())
      .execute();
    const known = await this.find({ userId, root, host });
    if (known === undefined)
      throw new DragomanError('conflict', `The workspace at ${root} was deleted while it was being opened.`);
    if (known.server === server) return known;
    await this.#db.transaction().execute(async (transaction) => {
      await transaction.updateTable('context_files').set({ status: 0 }).where('workspace_id', '=', known.id).execute();
      await transaction
        .updateTable('context_workspaces')
        .set({ server, updated_at: at })
        .where('id', '=', known.id)
        .execute();
    });
    return { ...known, server, updatedAt: at };
  }

  async find({ userId, root, host = hostname() }: WorkspacePlace): Promise<Workspace | undefined> {
    const row = await this.#db
      .selectFrom('context_workspaces')
      .selectAll()
      .where('user_id', '=', userId)
      .where('host', '=', host)
      .where('root', '=', root)
      .executeTakeFirst();
    return row === undefined ? undefined : toWorkspace(row);
  }

  /** A user's workspaces, or everybody's, the one used last first. */
  async list(userId?: string): Promise<Workspace[]> {
    let query = this.#db.selectFrom('context_workspaces').selectAll().orderBy('updated_at', 'desc').orderBy('root');
    if (userId !== undefined) query = query.where('user_id', '=', userId);
    return (await query.execute()).map(toWorkspace);
  }

  /** How many of its files could be found when it was last saved. */
  async countFiles(workspaceId: string): Promise<number> {
    const { files } = await this.#db
      .selectFrom('context_files')
      .select((select) => select.fn.countAll<number>().as('files'))
      .where('workspace_id', '=', workspaceId)
      .where('status', '>=', 1)
      .executeTakeFirstOrThrow();
    return Number(files);
  }

  /** Forgets the workspace and its files. Its blobs are for others to clear away. */
  async delete(workspaceId: string): Promise<boolean> {
    const { numDeletedRows } = await this.#db
      .deleteFrom('context_workspaces')
      .where('id', '=', workspaceId)
      .executeTakeFirstOrThrow();
    return numDeletedRows > 0n;
  }

  /** The names the server had confirmed when the workspace was last saved, or all of them: some may be there unconfirmed. */
  async blobNames(workspaceId: string, { isConfirmed = true }: { isConfirmed?: boolean } = {}): Promise<string[]> {
    const rows = await this.#db
      .selectFrom('context_files')
      .select('blob_name')
      .where('workspace_id', '=', workspaceId)
      .where('blob_name', 'is not', null)
      .where('status', '>=', isConfirmed ? 1 : 0)
      .execute();
    return rows.map((row) => row.blob_name!);
  }

  /** The name of the blob at a path, where the server had confirmed it when the workspace was last saved. */
  async blobAt(workspaceId: string, path: string): Promise<string | undefined> {
    const row = await this.#db
      .selectFrom('context_files')
      .select('blob_name')
      .where('workspace_id', '=', workspaceId)
      .where('path', '=', path)
      .where('status', '>=', 1)
      .executeTakeFirst();
    return row?.blob_name ?? undefined;
  }

  /** The files as they were last saved, by path. */
  async loadFiles(workspaceId: string): Promise<Map<string, PathEntry>> {
    const packed = this.#engine === 'sqlite' ? await loadPackedFiles(this.#db, workspaceId) : undefined;
    return packed ?? this.#loadRows(workspaceId);
  }

  async #loadRows(workspaceId: string): Promise<Map<string, PathEntry>> {
    const rows = await this.#db
      .selectFrom('context_files')
      .select(['path', 'size', 'mtime', 'ctime', 'inode', 'is_settled', 'blob_name', 'left_out', 'status'])
      .where('workspace_id', '=', workspaceId)
      .execute();
    const files = new Map<string, PathEntry>();
    for (const row of rows) {
      files.set(row.path, {
        size: row.size,
        mtimeMs: row.mtime,
        ctimeMs: row.ctime,
        inode: row.inode,
        isSettled: row.is_settled !== 0,
        blobName: row.blob_name ?? undefined,
        leftOut: (row.left_out ?? undefined) as PathEntry['leftOut'],
        status: row.status,
      });
    }
    return files;
  }

  /** Writes what changed. When it breaks off in the middle, what was written is true all the same: see `PathMap`. */
  async saveChanges(workspaceId: string, { saved, deleted }: PathChanges): Promise<void> {
    const kept = saved.filter(({ path }) => isKeepable(path));
    for (const rows of slices(kept, ROWS_A_TRANSACTION)) {
      await this.#db.transaction().execute(async (transaction) => {
        for (const some of slices(rows, ROWS_A_STATEMENT)) {
          await transaction.executeQuery(this.#upsert(workspaceId, some));
          await setImmediate(); // Others get a turn between statements.
        }
      });
    }
    for (const paths of slices(deleted, ROWS_A_STATEMENT)) {
      await this.#db
        .deleteFrom('context_files')
        .where('workspace_id', '=', workspaceId)
        .where('path', 'in', paths)
        .execute();
    }
    await this.#db
      .updateTable('context_workspaces')
      .set({ updated_at: this.#now() })
      .where('id', '=', workspaceId)
      .execute();
  }

  async loadFolders(workspaceId: string): Promise<Uint8Array | undefined> {
    const row = await this.#db
      .selectFrom('context_folders')
      .select('folders')
      .where('workspace_id', '=', workspaceId)
      .executeTakeFirst();
    return row?.folders;
  }

  /** To be called when the files in these folders are saved. */
  async saveFolders(workspaceId: string, folders: Uint8Array): Promise<void> {
    await this.#db
      .insertInto('context_folders')
      .values({ workspace_id: workspaceId, folders })
      .onConflict((conflict) => conflict.column('workspace_id').doUpdateSet({ folders }))
      .execute();
  }

  /** Written out as text: for thousands of rows, putting a query together piece by piece takes longer than running it. */
  #upsert(workspaceId: string, files: readonly FollowedFile[]): CompiledQuery {
    const parameters: unknown[] = [];
    for (const { path, size, mtimeMs, ctimeMs, inode, isSettled, blobName, leftOut, status } of files) {
      parameters.push(workspaceId, path, size, mtimeMs, ctimeMs, inode, isSettled ? 1 : 0);
      parameters.push(blobName ?? null, leftOut ?? null, status);
    }
    return CompiledQuery.raw(upsertText(this.#engine, files.length), parameters);
  }
}

function upsertText(engine: Store['engine'], rows: number): string {
  const marks: string[] = [];
  for (let row = 0; row < rows; row++) {
    const first = row * FILE_COLUMNS.length + 1;
    marks.push(`(${FILE_COLUMNS.map((_, index) => (engine === 'postgres' ? `$${first + index}` : '?')).join(',')})`);
  }
  const updates = FILE_COLUMNS.slice(2).map((column) => `${column} = excluded.${column}`);
  return `insert into context_files (${FILE_COLUMNS.join(', ')}) values ${marks.join(',')} on conflict (workspace_id, path) do update set ${updates.join(', ')}`;
}

function isKeepable(path: string): boolean {
  return path.length * 3 <= MAX_PATH_BYTES || Buffer.byteLength(path) <= MAX_PATH_BYTES;
}

function newWorkspaceId(): string {
  return `wsp_${randomBytes(10).toString('hex')}`;
}

function toWorkspace(row: WorkspaceTables['context_workspaces']): Workspace {
  const { id, host, root, name, server } = row;
  return { id, userId: row.user_id, host, root, name, server, createdAt: row.created_at, updatedAt: row.updated_at };
}

function slices<Item>(items: readonly Item[], size: number): Item[][] {
  const parts: Item[][] = [];
  for (let start = 0; start < items.length; start += size) parts.push(items.slice(start, start + size));
  return parts;
}
