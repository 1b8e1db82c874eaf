import { DragomanError } from '@dragoman/protocol';

/** SQLite: another process holds the file; it cannot be written, read or opened. */
const SQLITE_AWAY = new Set([5, 6, 8, 10, 14]);
const SQLITE_FULL = 13;
const POSTGRES_FULL = '53100';
/**
 * PostgreSQL: no connection, too many of them, shutting down, starting, a statement that was given up; only read, as after
 * another one took over; without memory; with a disk that fails.
 */
const POSTGRES_AWAY = /^(?:08...|57P0.|57014|53300|25006|53200|58030)$/;
const SOCKET_AWAY = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
]);
/** What `pg` says without a code. */
const CONNECTION_LOST =
  /connection terminated|connection error and is not queryable|timeout exceeded when trying to connect/i;

/** What is told where the disk of the server, or of its database, is full. */
export function diskFullError(cause: unknown, isOfDatabase = false): DragomanError {
  const whose = isOfDatabase ? 'The disk of the database' : 'The disk of the server';
  return new DragomanError('disk-full', `${whose} is full. Free up some space there, then try again.`, {
    cause,
    isRetryable: true,
  });
}

/** A failure of the database that passes, in our own words: its disk is full, or it is away. Others stay as they are. */
export function toStoreFailure(error: unknown): unknown {
  if (error instanceof DragomanError) return error;
  const { errcode, code, message } = (error ?? {}) as { errcode?: number; code?: unknown; message?: unknown };
  if (code === POSTGRES_FULL) return diskFullError(error, true);
  if (isFullDisk(error)) return diskFullError(error);
  const isAway =
    errcode === undefined
      ? (typeof code === 'string' && (POSTGRES_AWAY.test(code) || SOCKET_AWAY.has(code))) ||
        (typeof message === 'string' && CONNECTION_LOST.test(message))
      : SQLITE_AWAY.has(errcode & 0xff);
  if (!isAway) return error;
  return new DragomanError('database-unreachable', 'The database is not responding.', {
    cause: error,
    isRetryable: true,
  });
}

/** Whether something could not be written because the disk is full, or a quota is. */
export function isFullDisk(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code, errcode, syscall } = error as NodeJS.ErrnoException & { errcode?: number };
  if (errcode !== undefined) return (errcode & 0xff) === SQLITE_FULL;
  // The same code says that no more files can be watched.
  if ((code === 'ENOSPC' || code === 'EDQUOT') && syscall !== 'watch') return true;
  return isFullDisk(error.cause);
}
