import { openStore, type Store, type StoreEngine } from '@dragoman/server';
import { freshLocation } from '@dragoman/testkit';
import { onTestFinished } from 'vitest';
import type { Blob } from '../../blob-server.ts';
import { contextMigrations } from '../../context-migrations.ts';
import { blobName } from '../../sync/blob-name.ts';

/** An empty database with the tables of the context engine. */
export async function openContextStore(engine: StoreEngine): Promise<Store> {
  const store = await openStore(await freshLocation(engine, [contextMigrations]), { rooms: [contextMigrations] });
  onTestFinished(() => store.close());
  return store;
}

export function blobOf(path: string, content = `content of ${path}\n`): Blob {
  return { blobName: blobName(path, content), path, content };
}
