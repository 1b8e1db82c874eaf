/** What the runner and its backends say to who runs them. A pino logger is one. Nothing secret is passed to it. */
export interface RunnerLog {
  debug(fields: object, text: string): void;
  info(fields: object, text: string): void;
  warn(fields: object, text: string): void;
  error(fields: object, text: string): void;
}

/** For places where nobody listens. */
export const SILENT_LOG: RunnerLog = { debug() {}, info() {}, warn() {}, error() {} };
