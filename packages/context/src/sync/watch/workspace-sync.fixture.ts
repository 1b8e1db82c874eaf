import { mkdirSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { openStore, type StoreLocation } from '@dragoman/server';
import { freshLocation, tempFolder } from '@dragoman/testkit';
import pino from 'pino';
import { onTestFinished } from 'vitest';
import { blobName } from '../blob-name.ts';
import { MemoryBlobServer } from '../pipeline/memory-blob-server.fixture.ts';
import { WorkspaceStore } from '../workspace-store.ts';
import { workspaceMigration } from '../workspace-tables.ts';
import { openWorkspaceSync, type WorkspaceSync, type WorkspaceSyncOptions } from './workspace-sync.ts';

/** A real folder, a real store and a server in memory, for a workspace that can be opened more than once. */
export async function makeWorkspace(files: Record<string, string | Buffer> = {}) {
  const root = realpathSync(tempFolder());
  const server = new MemoryBlobServer({ canTell: true });
  const location: StoreLocation = await freshLocation('sqlite');
  const write = (path: string, content: string | Buffer) => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), content);
  };
  for (const [path, content] of Object.entries(files)) write(path, content);

  return {
    root,
    server,
    write,
    remove: (path: string) => rmSync(join(root, path), { recursive: true }),
    async open(options: Partial<WorkspaceSyncOptions> = {}) {
      const store = await openStore(location, { rooms: [{ room: 'context', migrations: [workspaceMigration] }] });
      const workspaces = new WorkspaceStore(store);
      const log = pino({ level: 'silent' });
      const sync = await openWorkspaceSync({
        root,
        userId: 'usr_1',
        store: workspaces,
        server,
        log,
        watch: false,
        ...options,
      });
      onTestFinished(async () => {
        await sync.stop();
        await store.close();
      });
      return { sync, workspaces };
    },
    /** The names of everything in the folder. */
    onDisk: (isFollowed: (path: string) => boolean = () => true) => namesBelow(root, '', isFollowed).sort(),
  };
}

export function namesIn(sync: WorkspaceSync): string[] {
  return [...sync.view().blobNames].sort();
}

function namesBelow(root: string, folder: string, isFollowed: (path: string) => boolean): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
    if (entry.isDirectory()) return namesBelow(root, path, isFollowed);
    return isFollowed(path) ? [blobName(path, readFileSync(join(root, path)))] : [];
  });
}
