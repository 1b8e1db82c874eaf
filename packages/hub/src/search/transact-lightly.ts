import type { StoreEngine } from '@dragoman/server/base';
import { CompiledQuery, type Kysely, type Transaction } from 'kysely';

/**
 * A transaction that nobody waits for the disk with. It is all or nothing like every other, and safe when the process is
 * killed; when the machine loses power, the last of them may be undone.
 *
 * For what is made from other rows and noted with how far it came: it is made again. What was stored in full after it
 * keeps it too.
 */
export async function transactLightly<Tables, Result>(
  { db, engine }: { db: Kysely<Tables>; engine: StoreEngine },
  work: (transaction: Transaction<Tables>) => Promise<Result>,
): Promise<Result> {
  if (engine === 'postgres')
    return db.transaction().execute(async (transaction) => {
      await transaction.executeQuery(CompiledQuery.raw('set local synchronous_commit = off'));
      return work(transaction);
    });
  // It cannot be said inside a transaction; nobody else has the connection meanwhile.
  return db.connection().execute(async (connection) => {
    await connection.executeQuery(CompiledQuery.raw('pragma synchronous = normal'));
    try {
      return await connection.transaction().execute(work);
    } finally {
      await connection.executeQuery(CompiledQuery.raw('pragma synchronous = full'));
    }
  });
}
