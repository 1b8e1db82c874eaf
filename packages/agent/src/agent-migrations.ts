import type { RoomMigrations } from '@dragoman/server';
import { approvalMigration } from './permissions/approval-tables.ts';
import { sessionMigration } from './session/session-tables.ts';

/** Every table of the agent. */
export const agentMigrations: RoomMigrations = { room: 'agent', migrations: [sessionMigration, approvalMigration] };
