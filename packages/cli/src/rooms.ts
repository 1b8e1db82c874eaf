import { agentConfigShape, agentMigrations } from '@dragoman/agent/setup';
import { contextConfigShape, contextMigrations } from '@dragoman/context/setup';
import { checkRoutes, gatewayConfigShape, gatewayMigrations } from '@dragoman/gateway/setup';
import { accessMigrations, configSchema, type RoomMigrations, serverConfigShape } from '@dragoman/server/base';
import type { z } from 'zod';

/** The whole configuration. Each room adds its sections here. */
export const dragomanConfigSchema = configSchema({
  ...serverConfigShape,
  ...gatewayConfigShape,
  ...contextConfigShape,
  ...agentConfigShape,
}).check(checkRoutes);
export type DragomanConfig = z.infer<typeof dragomanConfigSchema>;

/** Every table of the program. Each room adds its migrations here. */
export const roomMigrations: readonly RoomMigrations[] = [
  accessMigrations,
  gatewayMigrations,
  contextMigrations,
  agentMigrations,
];
