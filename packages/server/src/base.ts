// What needs no server: configuration, store, users and tokens. Importing this loads nothing of HTTP.
export { type AccessTables, accessMigrations, type TokenKind } from './access/access-tables.ts';
export type { Caller, TokenRefusal } from './access/caller.ts';
export { FailedAttempts } from './access/failed-attempts.ts';
export { ProcessTokens } from './access/process-tokens.ts';
export { tellModels } from './access/models-of-token.ts';
export { rolesOfTokens } from './access/roles-of-tokens.ts';
export { makerOf } from './access/token-maker.ts';
export { newTokenText } from './access/token-text.ts';
export type { TokenInfo } from './access/list-tokens.ts';
export { type NewToken, OWNER_NAME, TokenStore } from './access/token-store.ts';
export { ConfigInvalidError, type ConfigPlace, type ConfigProblem } from './config/config-problem.ts';
export { confidentialValues } from './config/confidential-values.ts';
export { type DataFolder, dataFolder, openDataFolder } from './config/data-folder.ts';
export { hiddenVariables, ownEnvironment, takeKeysFromEnvironment } from './config/environment-keys.ts';
export { type ConfigChange, editConfig } from './config/edit-config.ts';
export { type ExplainedSetting, explainConfig } from './config/explain-config.ts';
export { type JsoncDocument, parseJsoncDocument } from './config/jsonc-document.ts';
export {
  type ConfigOrigin,
  type ConfigOverride,
  type ConfigSource,
  loadConfig,
  type LoadedConfig,
} from './config/load-config.ts';
export { describeHeldBack } from './config/held-back.ts';
export { nearestWord } from './config/nearest-word.ts';
export { nearestWords } from './config/nearest-words.ts';
export { replaceFile } from './config/replace-file.ts';
export { Secret, secretSchema } from './config/secret.ts';
export { SecretsFile, withSecrets } from './config/secrets-file.ts';
export { settingsForNextStart } from './config/settings-for-next-start.ts';
export { configSchema, configSchemaDocument, type ServerConfig, serverConfigShape } from './config/server-config.ts';
export { type ConfigListener, type ConfigWatch, watchConfig } from './config/watch-config.ts';
export { changedSecrets } from './git/changed-secrets.ts';
export { type ExaminedRepository, examineRepository } from './git/examine-repository.ts';
export {
  gitEnvironment,
  gitGuard,
  type GitSetting,
  NO_BARE_REPOSITORY,
  withGitSettings,
  withoutGitVariables,
} from './git/git-environment.ts';
export { LIST_SETTINGS, ownSettings } from './git/listed-settings.ts';
export { withoutOwnPrograms } from './git/own-programs.ts';
export { ownRepository } from './git/own-repository.ts';
export { claimServerLock, type ClaimOptions, type Patience } from './lock/claim-server-lock.ts';
export { findHolder, findProven, findRunning, type ServerHolder } from './lock/find-running.ts';
export { isAlive } from './lock/is-alive.ts';
export type { PassingState } from './lock/judge-holder.ts';
export type { LockNote } from './lock/lock-note.ts';
export { identifyProcess, isProcessAlive, isProcessProven, type ProcessIdentity } from './lock/process-identity.ts';
export type { ServerLock } from './lock/server-lock.ts';
export { type RunningServer, ServerRunsError } from './lock/server-runs-error.ts';
export { isPrivateAddress } from './network/private-address.ts';
export { afterLastBytes } from './process/after-last-bytes.ts';
export { guardChildGroup, guardMarked, signalChildGroup } from './process/child-groups.ts';
export { endMarked, markEnvironment, newMark } from './process/marked-processes.ts';
export { findProgram, isProgram } from './process/find-program.ts';
export { describeHolder, endHolder, isGone, newHolder } from './process/holder.ts';
export { inTurns } from './process/in-turns.ts';
export { LineReader } from './process/line-reader.ts';
export { readInTurns, type TurnReader } from './process/read-in-turns.ts';
export { isInProject, searchPathOutside } from './process/search-path.ts';
export { explainStart, type FailedStart, START_PROBLEMS, startProblem } from './process/start-problem.ts';
export { withMemoryLimit } from './process/with-memory-limit.ts';
export { removeKeptSecret } from './settings/kept-secrets.ts';
export { openSettingsBeside } from './shared-settings/settings-beside.ts';
export { listServers, type OwnState } from './shared-settings/settings-servers.ts';
export { readLayerCopy, writeLayerCopy } from './shared-settings/shared-layer.ts';
export { SharedSettings } from './shared-settings/shared-settings.ts';
export { type SharedSettingsTables, sharedSettingsMigrations } from './shared-settings/shared-settings-tables.ts';
export { checkSqlite } from './store/check-sqlite.ts';
export { backupStore, type BackupNotes, restoreStore } from './store/backup-store.ts';
export { isPermanentStoreError } from './store/is-permanent-store-error.ts';
export { DiskRoom } from './store/disk-room.ts';
export { diskFullError, isFullDisk } from './store/store-failure.ts';
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
export { databaseTime, storeTime } from './store/store-time.ts';
export type { ChannelListener, StoreChannel } from './store/store-channel.ts';
export { WordsChannel } from './store/words-channel.ts';
export { type Attributes, Span, type SpanKind } from './trace/span.ts';
export { openTracing, type OpenTracing } from './trace/open-tracing.ts';
export { parseTraceContext, type TraceContext, type TraceFields } from './trace/trace-context.ts';
export { traceSettings } from './trace/trace-settings.ts';
export {
  activeSpan,
  activeTraceFields,
  inSpan,
  isTracing,
  isTracingContents,
  startSpan,
  withinSpan,
} from './trace/tracing.ts';
export { maskSecrets } from './watch/mask-secrets.ts';
