export { type AccessTables, accessMigrations, type TokenKind } from './access/access-tables.ts';
export type { Caller, TokenRefusal } from './access/caller.ts';
export { FailedAttempts } from './access/failed-attempts.ts';
export { ProcessTokens } from './access/process-tokens.ts';
export { newTokenText } from './access/token-text.ts';
export { type NewToken, OWNER_NAME, type TokenInfo, TokenStore } from './access/token-store.ts';
export { ConfigInvalidError, type ConfigPlace, type ConfigProblem } from './config/config-problem.ts';
export { type DataFolder, dataFolder, openDataFolder } from './config/data-folder.ts';
export { type ExplainedSetting, explainConfig } from './config/explain-config.ts';
export {
  type ConfigOrigin,
  type ConfigOverride,
  type ConfigSource,
  loadConfig,
  type LoadedConfig,
} from './config/load-config.ts';
export { Secret, secretSchema } from './config/secret.ts';
export { SecretsFile } from './config/secrets-file.ts';
export { configSchema, configSchemaDocument, type ServerConfig, serverConfigShape } from './config/server-config.ts';
export { type ConfigListener, type ConfigWatch, watchConfig } from './config/watch-config.ts';
export type { Access } from './door/authenticate.ts';
export { HTTP_STATUS, noteError, replyWithError, toDragomanError } from './door/error-reply.ts';
export { isLoopback } from './door/host-check.ts';
export { listen } from './door/listen.ts';
export { type DoorParts, openDoor } from './door/open-door.ts';
export { parseBody } from './door/read-body.ts';
export { callerOf } from './door/route-config.ts';
export { PAGE_POLICY } from './door/security-headers.ts';
export { stopDoor } from './door/stop-door.ts';
export type { ServerFacts } from './door/watch-routes.ts';
export { backupStore, restoreStore } from './store/backup-store.ts';
export type { AppliedMigration } from './store/migrate.ts';
export { type ColumnTypes, type Migration, type RoomMigrations, type StoreEngine } from './store/migration.ts';
export {
  describeLocation,
  inspectStore,
  openStore,
  type OpenStoreOptions,
  type Store,
  type StoreLocation,
} from './store/open-store.ts';
export { openLog } from './watch/log.ts';
export { Metrics, type RequestMeasure } from './watch/metrics.ts';
