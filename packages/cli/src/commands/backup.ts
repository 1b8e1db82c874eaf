import { statSync } from 'node:fs';
import { join } from 'node:path';
import { DragomanError } from '@dragoman/protocol';
import { busyRunnersIn, readRunnerIds, takeRunnerIds } from '@dragoman/runner';
import { backupStore, describeLocation, restoreStore } from '@dragoman/server/base';
import { z } from 'zod';
import { runnerFolder } from '../runner-folder.ts';
import { type CommonOptions, openSetup, userPath } from '../load-setup.ts';
import { roomMigrations } from '../rooms.ts';
import { cleanPath } from '../terminal/clean-text.ts';
import { print, printJson } from '../terminal/print.ts';

/** Under this name a backup says which runners worked here, so that their sessions go on where it is restored. */
const RUNNERS = 'runners';

/**
 * A backup holds what is stored, token hashes included, and what hubs know the runners of this data folder by;
 * configuration and secrets are files of their own.
 */
export async function backup(
  file: string,
  options: CommonOptions & { restore?: boolean; json?: boolean },
): Promise<void> {
  const { location, folder } = openSetup(options);
  const path = userPath(file);
  const runners = join(folder.path, 'runner');
  if (options.restore === true) {
    // Each runner takes its id when the rows are restored; where one cannot, nothing is.
    const [busy] = busyRunnersIn(runners);
    if (busy !== undefined) throw inUse(busy, busy === runnerFolder({ folder }, undefined));
    const notes = await restoreStore(path, location, roomMigrations);
    takeRunnerIds(runners, readNote(notes[RUNNERS]));
  } else await backupStore(location, roomMigrations, path, { [RUNNERS]: JSON.stringify(readRunnerIds(runners)) });

  const bytes = statSync(path).size;
  const sentence =
    options.restore === true
      ? `${describeLocation(location)} restored from ${path}.`
      : `Backed up to ${path} (${bytes} bytes).`;
  if (options.json === true) printJson({ file: path, bytes });
  else print(sentence);
}

function inUse(place: string, isServers: boolean): DragomanError {
  return new DragomanError(
    'conflict',
    isServers
      ? 'This data folder is in use by a server, or by agents that one left at work. Stop them first with: dragoman stop'
      : `${cleanPath(place)} is in use by a "dragoman runner" or "dragoman run" command. End that first.`,
  );
}

const runnerIdsSchema = z.record(z.string(), z.string().regex(/^run_[\w-]{1,60}$/));

/** A backup of an older version says nothing; one that somebody else made may say anything. */
function readNote(note: string | undefined): Record<string, string> {
  try {
    return runnerIdsSchema.parse(JSON.parse(note ?? '{}'));
  } catch {
    return {};
  }
}
