/** Where the hub writes down how things go. A program hands in its own. */
export interface HubLog {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
}
