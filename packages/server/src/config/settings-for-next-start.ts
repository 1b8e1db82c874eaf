import { confidentialValues } from './confidential-values.ts';
import { formatSetting } from './config-problem.ts';

/** What a server takes up when it starts. Everything else is in force as soon as it is changed. */
const TAKEN_AT_START: readonly (readonly string[])[] = [
  ['server', 'host'],
  ['server', 'port'],
  ['server', 'publicUrl'],
  ['server', 'bodyLimits'],
  ['server', 'timeouts', 'headersMs'],
  ['server', 'timeouts', 'requestMs'],
  ['server', 'timeouts', 'keepAliveMs'],
  ['log', 'format'],
  ['telemetry'],
];

/** The settings that were changed since a server started and take effect after a restart, by name. */
export function settingsForNextStart(started: object, now: object): string[] {
  return TAKEN_AT_START.filter((path) => print(valueAt(started, path)) !== print(valueAt(now, path))).map(
    formatSetting,
  );
}

/** A secret prints as a mask, so it is compared besides. */
function print(value: unknown): string {
  return JSON.stringify([value, confidentialValues(value)]);
}

function valueAt(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((inner, key) => (inner as Record<string, unknown> | undefined)?.[key], value);
}
