import { createHash, randomUUID } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { replaceFile } from '@dragoman/server/base';
import { z } from 'zod';
import type { Setup } from '../load-setup.ts';

const noteSchema = z.object({
  salt: z.string(),
  program: z.string(),
  place: z.string(),
  variables: z.record(z.string(), z.string()),
});

/** What a process runs with that it cannot change: its program, where its things are, and its environment. */
export type RunsWith = Pick<Setup, 'source' | 'location'> & { program: string };

/** The program as it is installed now: replaced files change the time of their folder. */
export function installedProgram(packages = join(dirname(realpathSync(process.argv[1]!)), '..', '..')): string {
  const times = ROOMS.flatMap((room) => folderTimes(join(packages, room, 'src')));
  return JSON.stringify([packages, times]);
}

/** Notes beside the runner what the server that has the data folder runs with; of secrets, only whether they are equal can be told. */
export function noteProgram(folder: string, { source, location, program }: RunsWith, names: readonly string[]): void {
  const salt = randomUUID();
  const values = names.map((name) => [name, digest(salt, source.env[name])] as const);
  const note = {
    salt,
    program: digest(salt, program),
    place: digest(salt, placeOf({ source, location })),
    variables: Object.fromEntries(values),
  };
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  replaceFile(noteFile(folder), JSON.stringify(note), 0o600);
}

/** What the server runs with and this process does not, in words; nothing where they agree. */
export function differsFromServer(folder: string, { source, location, program }: RunsWith): string | undefined {
  let note: z.infer<typeof noteSchema>;
  try {
    note = noteSchema.parse(JSON.parse(readFileSync(noteFile(folder), 'utf8')));
  } catch {
    return undefined;
  }
  const { salt, variables } = note;
  if (note.program !== digest(salt, program)) return 'Dragoman was upgraded';
  if (note.place !== digest(salt, placeOf({ source, location })))
    return 'the server uses other files or another database';
  const changed = Object.keys(variables).filter((name) => variables[name] !== digest(salt, source.env[name]));
  return changed.length === 0 ? undefined : `the environment has new values (${changed.join(', ')})`;
}

const ROOMS = ['protocol', 'server', 'gateway', 'context', 'agent', 'runner', 'hub', 'cli'];

function noteFile(folder: string): string {
  return join(folder, 'program.json');
}

function placeOf({ source, location }: Pick<RunsWith, 'source' | 'location'>): string {
  return JSON.stringify([source.file, location.databaseUrl ?? location.databaseFile]);
}

function digest(salt: string, value: string | undefined): string {
  return createHash('sha256')
    .update(JSON.stringify([salt, value ?? null]))
    .digest('base64url');
}

function folderTimes(folder: string): number[] {
  const found = statSync(folder, { throwIfNoEntry: false });
  if (found === undefined) return [];
  const folders = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  return [found.mtimeMs, ...folders.flatMap(({ name }) => folderTimes(join(folder, name)))];
}
