import { createHash } from 'node:crypto';
import {
  DragomanError,
  MAX_PATTERN_LENGTH,
  newId,
  PERMISSION_LAYERS,
  type PermissionRule,
  type PermissionSubject,
  type SuggestedRule,
} from '@dragoman/protocol';
import type { Store } from '@dragoman/server';
import type { Kysely } from 'kysely';
import type { ApprovalTables } from './approval-tables.ts';

/** Something a person allowed for good, in one project. */
export interface SavedApproval extends SuggestedRule {
  id: string;
  /** The project's folder. */
  project: string;
  createdAt: number;
}

/** Remembers what people answered "always" to. */
export class ApprovalStore {
  readonly #db: Kysely<ApprovalTables>;
  readonly #now: () => number;

  constructor(store: Store, now: () => number = Date.now) {
    this.#db = store.tables<ApprovalTables>();
    this.#now = now;
  }

  /** Saves what is allowed in the project from now on. What is there already stays as it is; safe when two do it at once. */
  async save(project: string, { tool, kind, pattern }: SuggestedRule): Promise<SavedApproval> {
    if (pattern === '' || pattern.length > MAX_PATTERN_LENGTH || /\0/.test(project + tool + pattern)) {
      throw new DragomanError(
        'bad-request',
        `An approval needs a pattern of 1 to ${MAX_PATTERN_LENGTH} characters without NUL; this one has ${pattern.length}.`,
      );
    }
    const digest = digestOf([project, tool, kind ?? '', pattern]);
    await this.#db
      .insertInto('agent_approvals')
      .values({ id: newId('apr'), project, tool, kind: kind ?? null, pattern, digest, created_at: this.#now() })
      .onConflict((conflict) => conflict.column('digest').doNothing())
      .execute();
    const row = await this.#db
      .selectFrom('agent_approvals')
      .selectAll()
      .where('digest', '=', digest)
      .executeTakeFirst();
    if (row === undefined) throw new DragomanError('conflict', 'The approval was taken back while it was being saved.');
    return toApproval(row);
  }

  /** What is allowed in a project, the oldest first. */
  async list(project: string): Promise<SavedApproval[]> {
    const rows = await this.#db
      .selectFrom('agent_approvals')
      .selectAll()
      .where('project', '=', project)
      .orderBy('created_at')
      .orderBy('id')
      .execute();
    return rows.map(toApproval);
  }

  /** The same as rules, each with its id as where it comes from, so that a person can take it back. */
  async rules(project: string): Promise<PermissionRule[]> {
    return (await this.list(project)).map(({ id, tool, kind, pattern }) => ({
      tool,
      ...(kind === undefined ? {} : { kind }),
      pattern,
      action: 'allow',
      origin: `approval ${id}`,
      layer: PERMISSION_LAYERS.approval,
    }));
  }

  /** Takes an approval back. Whether there was one. */
  async remove(id: string): Promise<boolean> {
    const { numDeletedRows } = await this.#db
      .deleteFrom('agent_approvals')
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    return numDeletedRows > 0n;
  }
}

function digestOf(texts: readonly string[]): string {
  return createHash('sha256').update(texts.join('\0')).digest('hex');
}

function toApproval(row: ApprovalTables['agent_approvals']): SavedApproval {
  const { id, project, tool, pattern } = row;
  const kind = row.kind as PermissionSubject['kind'] | null;
  return { id, project, tool, ...(kind === null ? {} : { kind }), pattern, createdAt: row.created_at };
}
