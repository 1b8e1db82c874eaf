import { readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { freshLocation, tempFolder } from '@dragoman/testkit';
import { expect, onTestFinished, test } from 'vitest';
import { confidentialValues } from '../config/confidential-values.ts';
import { describeHeldBack } from '../config/held-back.ts';
import { loadConfig } from '../config/load-config.ts';
import { SharedSettings } from '../shared-settings/shared-settings.ts';
import { sharedSettingsMigrations } from '../shared-settings/shared-settings-tables.ts';
import { openStore } from '../store/open-store.ts';
import { changeSharedSettings, type SettingsRequest } from './change-settings.ts';
import { listKeptSecrets, removeKeptSecret } from './kept-secrets.ts';
import { roomySchema } from './settings-door.fixture.ts';

const rooms = [sharedSettingsMigrations];
const soon = { timeout: 60_000, interval: 10 };

/** Servers that share a PostgreSQL, each with a data folder and a file of its own. */
async function openServers() {
  const location = await freshLocation('postgres', rooms);
  return async (text: string, env: Record<string, string> = {}, name = 'one') => {
    const folder = tempFolder();
    const [file, sharedFile] = [join(folder, 'dragoman.json'), join(folder, 'shared-settings.json')];
    writeFileSync(file, text);
    const source = {
      schema: roomySchema,
      file,
      isFileRequired: false,
      secretsFile: join(folder, 'secrets.json'),
      sharedFile,
      env,
      overrides: [],
    };
    const store = await openStore(location, { rooms });
    const warned: string[] = [];
    let problem: string | undefined;
    const shared = await SharedSettings.open({
      store,
      file: sharedFile,
      log: { warn: (_facts: object, message: string) => void warned.push(message) },
      changed() {
        problem = describeHeldBack(loadConfig(source).heldBack);
      },
      inForce: () => loadConfig(source).shared,
      ownState: () => ({ name, problem, forNextStart: [] }),
    });
    onTestFinished(async () => {
      await shared.close();
      await store.close();
    });
    return {
      file,
      sharedFile,
      source,
      shared,
      warned,
      problem: () => problem,
      settings: () => loadConfig(source).value,
      change: (request: SettingsRequest) => changeSharedSettings(source, request, { shared, reload: () => {} }),
    };
  };
}

test('what is set at one server is in force at every other one, with its secrets, and at one that comes later', async () => {
  const serve = await openServers();
  const [a, b] = [await serve('{"server":{"port":1}} // ours'), await serve('{"server":{"port":2}}')];
  const provider = { type: 'chat', apiKey: '{secret:key}' };

  await a.change({ changes: [{ path: ['providers', 'p'], value: provider }], secrets: { key: 'sk-1' } });

  expect(a.settings().providers['p']).toMatchObject({ type: 'chat' });
  await expect.poll(() => b.settings().providers['p']?.apiKey?.toString(), soon).toBe('••••••');
  expect([a.settings().server.port, b.settings().server.port]).toEqual([1, 2]);
  expect(readFileSync(a.file, 'utf8')).toBe('{"server":{"port":1}} // ours');
  expect(statSync(a.sharedFile).mode & 0o777).toBe(0o600);
  const late = await serve('{"providers":{"own":{"type":"offline"}}}');
  expect(Object.keys(late.settings().providers)).toEqual(['own', 'p']);
  expect(listKeptSecrets(late.source)).toEqual([{ name: 'key', usedBy: ['providers.p.apiKey'] }]);
});

test('what is taken out at one server is gone at every other one, whichever file it stands in', async () => {
  const serve = await openServers();
  const [a, b] = [
    await serve('{"providers":{"p":{"type":"chat"},"q":{"type":"chat"}}}'),
    await serve('{"providers":{"p":{"type":"chat"}}}'),
  ];
  await a.change({ changes: [{ path: ['providers', 'p', 'models'], value: ['m'] }] });
  await b.change({ changes: [{ path: ['providers', 'p'] }] });

  await expect.poll(() => a.settings().providers, soon).toEqual({ q: { type: 'chat' } });
  expect(b.settings().providers).toEqual({});
  await a.change({ changes: [], secrets: { spare: 'sk-2' } });
  await expect.poll(() => listKeptSecrets(b.source), soon).toEqual([{ name: 'spare', usedBy: [] }]);
  await removeKeptSecret(b.source, 'spare', { shared: b.shared });
  await expect.poll(() => listKeptSecrets(a.source), soon).toEqual([]);
});

test('what is set holds and is told to every server though the one that was asked cannot write its copy yet', async () => {
  const serve = await openServers();
  const [a, b] = [await serve('{}'), await serve('{}')];
  const folder = dirname(a.sharedFile);
  renameSync(folder, `${folder}-away`);

  await a.shared.change(undefined, (layer) => ({ ...layer, changes: [{ path: ['log', 'level'], value: 'warn' }] }));

  expect(a.warned).toContain('the settings were changed, but the copy of this server could not be written yet');
  await expect.poll(() => b.settings().log.level, soon).toBe('warn');
  renameSync(`${folder}-away`, folder);
  await a.shared.refresh();
  expect(a.settings().log.level).toBe('warn');
});

test('whoever saves is told of a server where it cannot be in force, and why, until it is mended', async () => {
  const serve = await openServers();
  const a = await serve('{}', { ONLY_HERE: 'sk-1' }, 'a');
  const b = await serve('{}', {}, 'b');
  await expect.poll(() => a.shared.servers(), soon).toHaveLength(2);

  await a.change({ changes: [{ path: ['providers', 'p'], value: { type: 'chat', apiKey: '{env:ONLY_HERE}' } }] });

  const told = [
    { name: 'a', isThis: true, isUpToDate: true, forNextStart: [] },
    {
      name: 'b',
      isThis: false,
      isUpToDate: false,
      problem: expect.stringContaining('the environment variable ONLY_HERE is not set') as string,
      forNextStart: [],
    },
  ];
  expect(await a.shared.servers()).toEqual(told);
  expect((await b.shared.servers()).map(({ name, isThis }) => [name, isThis])).toEqual([
    ['a', false],
    ['b', true],
  ]);
  await a.change({ changes: [{ path: ['providers', 'p'] }] });
  expect((await a.shared.servers()).map(({ isUpToDate }) => isUpToDate)).toEqual([true, true]);
  await b.shared.close();
  expect((await a.shared.servers()).map(({ name }) => name)).toEqual(['a']);
});

test('a server keeps where it listens and what its machine offers in its own file', async () => {
  const serve = await openServers();
  const [a, b] = [await serve('{}'), await serve('{}')];

  await a.change({
    changes: [
      { path: ['server', 'port'], value: 5 },
      { path: ['log', 'level'], value: 'warn' },
    ],
  });

  await expect.poll(() => b.settings().log.level, soon).toBe('warn');
  expect([a.settings().server.port, b.settings().server.port]).toEqual([
    5,
    loadConfig({ ...b.source, sharedFile: undefined }).value.server.port,
  ]);
  expect(JSON.parse(readFileSync(a.file, 'utf8'))).toEqual({ server: { port: 5 } });
});

test('of two changes that were made of the same version one is refused, whichever servers they came to', async () => {
  const serve = await openServers();
  const [a, b] = [await serve('{}'), await serve('{}')];
  const { version } = a.shared;
  const set = (server: typeof a, level: string) =>
    server.change({ version, changes: [{ path: ['log', 'level'], value: level }] }).then(
      () => level,
      (error: unknown) => (error as { code: string }).code,
    );

  const said = await Promise.all([set(a, 'warn'), set(b, 'debug')]);

  expect(said.filter((one) => one === 'conflict')).toHaveLength(1);
  const [level] = said.filter((one) => one !== 'conflict');
  await expect.poll(() => [a.settings().log.level, b.settings().log.level], soon).toEqual([level, level]);
});

test('a change that cannot be in force where it is made is stored nowhere', async () => {
  const serve = await openServers();
  const [a, b] = [await serve('{}'), await serve('{}')];

  await expect(a.change({ changes: [{ path: ['log', 'level'], value: 'loud' }] })).rejects.toMatchObject({
    code: 'config-invalid',
  });

  await b.shared.refresh();
  expect([a.shared.version, b.shared.version]).toEqual(['0', '0']);
});

test('where a change cannot be in force the server keeps what it had in its place, and takes every other one', async () => {
  const serve = await openServers();
  const [a, b] = [await serve('{}', { ONLY_A: 'sk-2' }), await serve('{}')];
  const key = (apiKey: string) => ({ path: ['providers', 'p'], value: { type: 'chat', apiKey } });
  await a.change({ changes: [key('sk-old')] });
  await expect.poll(() => Object.keys(b.settings().providers), soon).toEqual(['p']);

  await a.change({ changes: [key('{env:ONLY_A}')] });
  await a.change({ changes: [{ path: ['log', 'level'], value: 'warn' }] });

  await expect.poll(() => b.settings().log.level, soon).toBe('warn');
  expect(confidentialValues(b.settings())).toEqual(['sk-old']);
  expect(b.problem()).toBe(
    'Not all settings that the servers share can be in force on this one. It keeps what it had in place of:\n  providers.p.apiKey: the environment variable ONLY_A is not set; set it, or remove {env:ONLY_A}',
  );
  await b.change({ changes: [key('sk-new')] });
  expect([b.problem(), confidentialValues(b.settings())]).toEqual([undefined, ['sk-new']]);
  expect(readFileSync(b.sharedFile, 'utf8')).not.toContain('sk-old');
});

test('a server takes changes though an earlier one cannot be in force on it, and refuses what it cannot take itself', async () => {
  const serve = await openServers();
  const [a, b] = [await serve('{}', { ONLY_A: 'sk-1' }), await serve('{}')];
  const provider = { type: 'chat', apiKey: '{env:ONLY_A}' };
  await a.change({ changes: [{ path: ['providers', 'p'], value: provider }] });
  await b.shared.refresh();

  await b.change({ changes: [{ path: ['log', 'level'], value: 'warn' }] });

  await expect.poll(() => a.settings().log.level, soon).toBe('warn');
  await expect(b.change({ changes: [{ path: ['log', 'level'], value: 'loud' }] })).rejects.toMatchObject({
    code: 'config-invalid',
    problems: [{ place: { source: 'the settings that all servers share' }, setting: 'log.level' }],
  });
  await expect(b.change({ changes: [{ path: ['providers', 'p'], value: provider }] })).rejects.toMatchObject({
    problems: [{ setting: 'providers.p.apiKey' }],
  });
});

test('a mistake in the own file of a server stays one, told with its line, whatever is shared', async () => {
  const serve = await openServers();
  const a = await serve('{}', { ONLY_A: 'sk-1' });
  await a.change({ changes: [{ path: ['providers', 'p'], value: { type: 'chat', apiKey: '{env:ONLY_A}' } }] });
  const b = await serve('{}');

  writeFileSync(b.file, '{\n  "log": { "level": "loud" } }');

  expect(() => b.settings()).toThrow(
    expect.objectContaining({
      problems: [expect.objectContaining({ place: { file: b.file, line: 2, column: 21 }, setting: 'log.level' })],
    }) as Error,
  );
});
