import type { RoomMigrations } from '@dragoman/server/base';
import { bindingMigration, channelMigration } from './channels/channel-tables.ts';
import { hubMigration } from './hub-tables.ts';
import { newsMigration } from './log/news-tables.ts';
import { planMigration } from './log/plan-tables.ts';
import { revertMigration } from './log/revert-tables.ts';
import { processMigration } from './processes/process-tables.ts';
import { pushMigration } from './push/push-tables.ts';
import { absenceMigration } from './runners/absence-tables.ts';
import { homeMigration } from './runners/home-tables.ts';
import { searchMigration } from './search/search-tables.ts';
import { moveMigration } from './sessions/move-tables.ts';

/** Every table of the hub. */
export const hubMigrations: RoomMigrations = {
  room: 'hub',
  migrations: [
    hubMigration,
    searchMigration,
    revertMigration,
    pushMigration,
    channelMigration,
    bindingMigration,
    newsMigration,
    planMigration,
    absenceMigration,
    processMigration,
    moveMigration,
    homeMigration,
  ],
};
