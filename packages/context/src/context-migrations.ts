import type { RoomMigrations } from '@dragoman/server';
import { blobMigration, uploadMigration } from './index/blobs/blob-tables.ts';
import {
  buildMigration,
  segmentMigration,
  segmentPieceMigration,
  segmentVectorMigration,
} from './index/segment/segment-tables.ts';
import { workspaceMigration } from './sync/workspace-tables.ts';

/** Every table of the context engine. */
export const contextMigrations: RoomMigrations = {
  room: 'context',
  migrations: [
    blobMigration,
    workspaceMigration,
    segmentMigration,
    segmentPieceMigration,
    buildMigration,
    segmentVectorMigration,
    uploadMigration,
  ],
};
