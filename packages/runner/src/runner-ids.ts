import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { isTerminalRunner } from '@dragoman/protocol';
import { isRunnerIn } from './runner-id-in.ts';
import { Outbox } from './outbox/outbox.ts';
import { SILENT_LOG } from './runner-log.ts';

/** What hubs know the runners by that work in folders of this folder: by the name of the folder. Terminals come and go. */
export function readRunnerIds(folder: string): Record<string, string> {
  const places = existsSync(folder) ? readdirSync(folder) : [];
  const ids = places.map((place) => [place, Outbox.knownRunnerIdIn(join(folder, place, 'outbox'))] as const);
  return Object.fromEntries(
    ids.flatMap(([place, id]) => (id === undefined || isTerminalRunner(id) ? [] : [[place, id]])),
  );
}

/** The folders of runners in this folder whose runner runs. */
export function busyRunnersIn(folder: string): string[] {
  const places = existsSync(folder) ? readdirSync(folder) : [];
  return places.map((place) => join(folder, place)).filter(isRunnerIn);
}

/** Lets runners of this folder go by names that hubs know. None of them may run. */
export function takeRunnerIds(folder: string, ids: Readonly<Record<string, string>>): void {
  for (const [place, id] of Object.entries(ids)) {
    if (!PLACE.test(place)) continue; // It is the name of a folder, whoever wrote the file.
    Outbox.takeRunnerId(join(folder, place, 'outbox'), id, SILENT_LOG);
  }
}

const PLACE = /^[\w-][\w.-]*$/;
