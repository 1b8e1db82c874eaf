import { contextConfigShape, contextMigrations } from '@dragoman/context/setup';
import { checkRoutes, gatewayConfigShape, gatewayMigrations } from '@dragoman/gateway';
import { accessMigrations, configSchema, type RoomMigrations, serverConfigShape } from '@dragoman/server';
import type { z } from 'zod';

/** The whole configuration. Each room adds its sections here. */
export const dragomanConfigSchema = configSchema({
  ...serverConfigShape,
  ...gatewayConfigShape,
  ...contextConfigShape,
}).check(checkRoutes);
export type DragomanConfig = z.infer<typeof dragomanConfigSchema>;

/** Every table of the program. Each room adds its migrations here. */
export const roomMigrations: readonly RoomMigrations[] = [accessMigrations, gatewayMigrations, contextMigrations];
