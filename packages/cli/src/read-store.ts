import { existsSync } from 'node:fs';
import { inspectStore, openStore, type Store, type StoreLocation } from '@dragoman/server/base';
import { roomMigrations } from './rooms.ts';

/** Reads from a store; undefined where there is nothing to read from yet. */
export type StoreReader = <Result>(read: (store: Store) => Promise<Result>) => Promise<Result | undefined>;

/** Reads from the store as it is. Nothing is opened that is not there yet, or that would be changed by opening it. */
export async function readStore<Result>(
  location: StoreLocation,
  read: (store: Store) => Promise<Result>,
): Promise<Result | undefined> {
  if (location.databaseUrl === undefined && !existsSync(location.databaseFile)) return undefined;
  const { pending } = await inspectStore(location, roomMigrations);
  if (pending.length > 0) return undefined;
  const store = await openStore(location, { rooms: roomMigrations });
  try {
    return await read(store);
  } finally {
    await store.close();
  }
}
