import { DragomanError } from '@dragoman/protocol';

/**
 * What Node says when a module cannot be loaded because it was built without SQLite, in a sentence; any other error as it
 * is. Programs that bring a Node of their own, such as editors, have been built like that.
 */
export function withoutSqlite(error: unknown): unknown {
  const { code, message } = (error ?? {}) as NodeJS.ErrnoException;
  if (code !== 'ERR_UNKNOWN_BUILTIN_MODULE' || !message.includes('sqlite')) return error;
  return new DragomanError(
    'database-unreachable',
    `Dragoman keeps its data with the SQLite inside Node, and Node ${process.versions.node} at ${process.execPath} was built without it (node:sqlite). Run Dragoman with Node 24 or newer from nodejs.org.`,
    { cause: error },
  );
}
