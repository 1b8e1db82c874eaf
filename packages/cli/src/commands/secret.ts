import { text } from 'node:stream/consumers';
import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { DragomanError } from '@dragoman/protocol';
import {
  openDataFolder,
  openSettingsBeside,
  openStore,
  removeKeptSecret,
  SecretsFile,
  withSecrets,
} from '@dragoman/server/base';
import { findPlaces, type Places } from '../load-setup.ts';
import { mcpLoginUses } from '../mcp-auth-store.ts';
import { roomMigrations } from '../rooms.ts';
import { print, printError, printJson } from '../terminal/print.ts';

export async function setSecret(name: string): Promise<void> {
  const value = (
    process.stdin.isTTY ? await askUnseen(`Value of ${name} (hidden): `) : await text(process.stdin)
  ).trim();
  if (value === '') throw new DragomanError('bad-request', 'The value is empty. Nothing was saved.');
  const places = openPlaces();
  if (places.location.databaseUrl === undefined) {
    ownSecrets(places).set(name, value);
    print(`Saved. Refer to it in dragoman.json as "{secret:${name}}".`);
    return;
  }
  await withShared(places, (shared) =>
    shared.change(undefined, (layer) => {
      const secrets = withSecrets(new Map(Object.entries(layer.secrets)), new Map([[name, value]]));
      return { ...layer, secrets: Object.fromEntries(secrets) };
    }),
  );
  print(`Saved for all servers that share the database. Refer to it as "{secret:${name}}".`);
  if (ownSecrets(places).read().has(name))
    print(`Another one of that name in ${places.folder.secretsFile} is not used.`);
}

export async function listSecrets(options: { json?: boolean }): Promise<void> {
  const places = openPlaces();
  const { secretsFile } = places.folder;
  const own = ownSecrets(places).read();
  const isShared = places.location.databaseUrl !== undefined;
  const shared = isShared ? (await withShared(places, (beside) => beside.read())).secrets : {};
  const names = [...new Set([...own.keys(), ...Object.keys(shared)])].toSorted();
  const placeOf = (name: string) => {
    if (!isShared) return '';
    if (!Object.hasOwn(shared, name)) return ` (only in ${secretsFile})`;
    return own.has(name) ? ` (shared by all servers; another one in ${secretsFile} is not used)` : '';
  };
  if (options.json === true) printJson(names);
  else print(names.length === 0 ? 'No secrets yet.' : names.map((name) => name + placeOf(name)).join('\n'));
}

export async function removeSecret(name: string): Promise<void> {
  const places = openPlaces();
  if (places.location.databaseUrl !== undefined)
    await withShared(places, (shared) => removeKeptSecret(places.source, name, { otherUses: mcpLoginUses, shared }));
  else if (!ownSecrets(places).remove(name))
    throw new DragomanError('not-found', `There is no secret named ${JSON.stringify(name)}.`);
  print('Removed.');
}

function openPlaces(): Places {
  const places = findPlaces({});
  openDataFolder(places.folder);
  return places;
}

function ownSecrets({ folder }: Places): SecretsFile {
  return new SecretsFile(folder.secretsFile);
}

/** Opens what servers on one PostgreSQL share. */
async function withShared<Result>(
  { location, folder }: Places,
  work: (shared: ReturnType<typeof openSettingsBeside>) => Promise<Result>,
): Promise<Result> {
  const store = await openStore(location, { rooms: roomMigrations });
  try {
    return await work(openSettingsBeside(store, folder.sharedFile));
  } finally {
    await store.close();
  }
}

/** The prompt goes to standard error, and what is typed goes nowhere. */
async function askUnseen(prompt: string): Promise<string> {
  printError(prompt, '');
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: process.stdin, output: nowhere, terminal: true });
  try {
    return await lines.question('');
  } finally {
    lines.close();
    printError('');
  }
}
