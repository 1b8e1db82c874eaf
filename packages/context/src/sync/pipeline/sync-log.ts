/** As much of a log as the sync writes to; pino's fits. */
export interface SyncLog {
  trace(fields: object, message: string): void;
  debug(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}
