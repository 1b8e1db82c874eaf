import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import type { ExtractReport } from './extract-process.ts';

/** What is known of one repository after its extraction. */
export type LogEntry = { name: string; seconds?: number } & ExtractReport;
type UsedEntry = Exclude<LogEntry, { refused: string }>;

/** One line of JSON for each repository; of several of one name the last counts. */
export function readLog(file: string): Map<string, LogEntry> {
  const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n') : [];
  const entries = lines.filter((line) => line !== '').map((line) => JSON.parse(line) as LogEntry);
  return new Map(entries.map((entry) => [entry.name, entry]));
}

/** Adds a line. */
export function appendLog(file: string, entry: LogEntry): void {
  appendFileSync(file, `${JSON.stringify(entry)}\n`);
}

/** The log in a few lines: what was read, pairs by kind, licences, and who was refused and why. */
export function describeLog(entries: readonly LogEntry[]): string {
  const used = entries.filter((entry): entry is UsedEntry => !('refused' in entry));
  const kinds = new Map<string, number>();
  const licences = new Map<string, number>();
  for (const { counts, licence } of used) {
    for (const [kind, count] of Object.entries(counts)) kinds.set(kind, (kinds.get(kind) ?? 0) + count);
    licences.set(licence, (licences.get(licence) ?? 0) + 1);
  }
  const files = used.reduce((sum, entry) => sum + entry.files, 0);
  return [
    `${used.length} repositories, ${files} source files`,
    `pairs: ${listed(kinds)}`,
    `licences: ${listed(licences)}`,
    ...entries.flatMap((entry) => ('refused' in entry ? [`refused: ${entry.name}: ${entry.refused}`] : [])),
  ].join('\n');
}

function listed(counts: ReadonlyMap<string, number>): string {
  return [...counts]
    .toSorted(([, one], [, other]) => other - one)
    .map(([name, count]) => `${name} ${count}`)
    .join(', ');
}
