import { DragomanError } from '@dragoman/protocol';

/** SQLite: a value too large, a broken constraint, a wrong type. */
const SQLITE_CODES = new Set([18, 19, 20]);
/** PostgreSQL: wrong data, a broken constraint. */
const POSTGRES_CLASSES = new Set(['22', '23']);

/**
 * The database rejected the value itself, so a retry cannot succeed. Everything else, such as a full disk or a database
 * that is away, passes: it is tried again, and nothing is lost.
 */
export function isPermanentStoreError(error: unknown): boolean {
  if (error instanceof DragomanError) return !error.isRetryable;
  if (error instanceof TypeError || error instanceof RangeError || error instanceof SyntaxError) return true;
  const { errcode, code } = (error ?? {}) as { errcode?: number; code?: unknown };
  if (errcode !== undefined) return SQLITE_CODES.has(errcode & 0xff);
  return typeof code === 'string' && code.length === 5 && POSTGRES_CLASSES.has(code.slice(0, 2));
}
