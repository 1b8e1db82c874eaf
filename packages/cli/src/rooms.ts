import { agentConfigShape, agentMigrations } from '@dragoman/agent/setup';
import { contextConfigShape, contextMigrations } from '@dragoman/context/setup';
import { checkRoutes, gatewayConfigShape, gatewayMigrations } from '@dragoman/gateway/setup';
import { hubConfigShape, hubMigrations } from '@dragoman/hub/setup';
import { runnerConfigShape } from '@dragoman/runner/setup';
import {
  accessMigrations,
  configSchema,
  type RoomMigrations,
  serverConfigShape,
  sharedSettingsMigrations,
} from '@dragoman/server/base';
import type { z } from 'zod';
import { checkEmbedding } from './check-embedding.ts';
import { consoleAssetMigrations } from './console/console-asset-tables.ts';
import { checkTranscription } from './check-transcription.ts';

/** The whole configuration. Each room adds its sections here. */
export const dragomanConfigSchema = configSchema({
  ...serverConfigShape,
  ...gatewayConfigShape,
  ...contextConfigShape,
  ...agentConfigShape,
  ...runnerConfigShape,
  ...hubConfigShape,
}).check(checkRoutes, checkTranscription, checkEmbedding);
export type DragomanConfig = z.infer<typeof dragomanConfigSchema>;

/** Every table of the program. Each room adds its migrations here. */
export const roomMigrations: readonly RoomMigrations[] = [
  accessMigrations,
  sharedSettingsMigrations,
  gatewayMigrations,
  contextMigrations,
  agentMigrations,
  hubMigrations,
  consoleAssetMigrations,
];
