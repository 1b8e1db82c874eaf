import type { RoomMigrations } from '@dragoman/server';
import { blobMigration } from './index/blobs/blob-tables.ts';
import { segmentMigration, segmentPieceMigration } from './index/segment/segment-tables.ts';
import { workspaceMigration } from './sync/workspace-tables.ts';

/** Every table of the context engine. */
export const contextMigrations: RoomMigrations = {
  room: 'context',
  migrations: [blobMigration, workspaceMigration, segmentMigration, segmentPieceMigration],
};
