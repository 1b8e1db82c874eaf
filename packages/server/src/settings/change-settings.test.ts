import {
  chmodSync,
  lstatSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { SETTINGS_CALLS } from '@dragoman/protocol/console-calls';
import { tempFolder } from '@dragoman/testkit';
import { expect, test } from 'vitest';
import { SecretsFile } from '../config/secrets-file.ts';
import { changeSettings } from './change-settings.ts';
import { openSettingsDoor, roomySchema } from './settings-door.fixture.ts';

const TEXT = `{
  // Ours.
  "providers": {
    "local": { "type": "chat", "apiKey": "sk-plain" } // at home
  },
  "log": { "level": "info" }
}
`;
const add = (value: object, name = 'cloud') => [{ path: ['providers', name], value: value as never }];

test('a change with its secret is in force when it is answered; comments stay, the secret is nowhere but in its file', async () => {
  const door = await openSettingsDoor({ text: TEXT });
  chmodSync(door.file, 0o640);
  const { version } = await door.admin.readSettings();

  const answer = await door.admin.changeSettings({
    version,
    changes: add({ type: 'chat', apiKey: '{secret:cloud}' }),
    secrets: { cloud: 'sk-cloud' },
  });

  expect(door.text()).toBe(`{
  // Ours.
  "providers": {
    "local": { "type": "chat", "apiKey": "sk-plain" }, // at home
    "cloud": {
      "type": "chat",
      "apiKey": "{secret:cloud}"
    }
  },
  "log": { "level": "info" }
}
`);
  expect(door.secrets()).toEqual({ cloud: 'sk-cloud' });
  expect([statSync(door.file).mode & 0o777, statSync(door.secretsFile).mode & 0o777]).toEqual([0o640, 0o600]);
  const { apiKey } = door.inForce().providers['cloud']!;
  expect(apiKey).toMatchObject({ reveal: expect.any(Function) as unknown });
  expect((apiKey as { reveal(): string }).reveal()).toBe('sk-cloud');
  expect(SETTINGS_CALLS.changeSettings.answer.parse(answer)).toEqual(answer);
  expect(answer).toEqual({
    file: door.file,
    version: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
    settings: {
      providers: {
        local: { type: 'chat', apiKey: '••••••' },
        cloud: { type: 'chat', apiKey: '{secret:cloud}' },
      },
      log: { level: 'info' },
    },
    overridden: [],
  });
  expect(answer.version).not.toBe(version);
  expect(readdirSync(dirname(door.file)).toSorted()).toEqual(['dragoman.json', 'secrets.json']);
});

test('a changed setting that takes effect after a restart is named until it is taken back', async () => {
  const door = await openSettingsDoor({ text: '{}' });
  const set = async (path: string[], value?: number) =>
    (await door.admin.changeSettings({ changes: [{ path, ...(value !== undefined && { value }) }] })).forNextStart;

  expect(await set(['server', 'timeouts', 'stopMs'], 5)).toBeUndefined();
  expect(await set(['server', 'timeouts', 'requestMs'], 5)).toEqual(['server.timeouts.requestMs']);
  expect((await door.admin.readSettings()).forNextStart).toEqual(['server.timeouts.requestMs']);
  expect(await set(['server', 'timeouts', 'requestMs'])).toBeUndefined();
});

test('a change that cannot be used is refused with its place, and neither file nor secrets change', async () => {
  const door = await openSettingsDoor({ text: TEXT });
  const changes = [...add({ type: 'chatt', apiKey: '{secret:new}' }), { path: ['log', 'levle'], value: 'debug' }];

  const answer = await door.call('/api/settings', {
    method: 'PATCH',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ changes, secrets: { new: 'sk-new' } }),
  });

  expect(answer.status).toBe(422);
  expect(answer.body).toEqual({
    error: {
      code: 'config-invalid',
      message: [
        'The configuration has 2 mistakes:',
        `  ${door.file}:6:15  providers.cloud.type: expected one of "chat", "offline", found "chatt"`,
        `  ${door.file}:10:29  log.levle: unknown key; did you mean "level"?`,
      ].join('\n'),
      requestId: expect.any(String) as string,
      problems: [
        {
          place: { file: door.file, line: 6, column: 15 },
          setting: 'providers.cloud.type',
          message: 'expected one of "chat", "offline", found "chatt"',
        },
        {
          place: { file: door.file, line: 10, column: 29 },
          setting: 'log.levle',
          message: 'unknown key; did you mean "level"?',
        },
      ],
    },
  });
  expect(door.text()).toBe(TEXT);
  expect(door.secrets()).toBe(undefined);
  expect(Object.keys(door.inForce().providers)).toEqual(['local']);
});

test('a reference to a secret that is not kept is refused', async () => {
  const door = await openSettingsDoor({ text: TEXT });

  await expect(
    door.admin.changeSettings({ changes: add({ type: 'chat', apiKey: '{secret:ghost}' }) }),
  ).rejects.toMatchObject({
    code: 'config-invalid',
    message: expect.stringContaining(
      'there is no secret named ghost; add it with: dragoman secret set ghost',
    ) as string,
  });
});

test('a change to a version that is not there any more is refused', async () => {
  const door = await openSettingsDoor({ text: TEXT });
  const { version } = await door.admin.readSettings();
  await door.admin.changeSettings({ version, changes: [{ path: ['log', 'level'], value: 'warn' }] });

  await expect(
    door.admin.changeSettings({ version, changes: [{ path: ['log', 'level'], value: 'debug' }] }),
  ).rejects.toMatchObject({
    code: 'conflict',
    message: `${door.file} has changed since you read it. Read it again, then change it.`,
  });
  expect(door.inForce().log.level).toBe('warn');
});

test('of many changes at once none is lost', async () => {
  const door = await openSettingsDoor({ text: TEXT });
  const names = Array.from({ length: 12 }, (_, index) => `p${index}`);

  await Promise.all(
    names.map((name) =>
      door.admin.changeSettings({
        changes: add({ type: 'chat', apiKey: `{secret:${name}}` }, name),
        secrets: { [name]: `sk-${name}` },
      }),
    ),
  );

  expect(Object.keys(door.inForce().providers).toSorted()).toEqual(['local', ...names].toSorted());
  expect(door.secrets()).toEqual(Object.fromEntries(names.map((name) => [name, `sk-${name}`])));
  expect(door.text()).toContain('// at home');
});

test('a file that is not there is made, for its owner alone', async () => {
  const door = await openSettingsDoor();
  expect((await door.admin.readSettings()).settings).toEqual({});

  await door.admin.changeSettings({ changes: [{ path: ['log', 'level'], value: 'warn' }] });

  expect(door.text()).toBe('{\n  "log": {\n    "level": "warn"\n  }\n}\n');
  expect(statSync(door.file).mode & 0o777).toBe(0o600);
  expect(door.inForce().log.level).toBe('warn');
});

test('a secret in the clear is shown to nobody, kept when its mask is sent back, and goes when it is replaced', async () => {
  const door = await openSettingsDoor({ text: TEXT });
  const { settings } = await door.admin.readSettings();
  const { local } = settings['providers'] as Record<string, object>;

  const kept = await door.admin.changeSettings({
    changes: [{ path: ['providers', 'local'], value: { ...local, models: ['*'] } }],
  });
  expect(door.text()).toContain('"local": { "type": "chat", "apiKey": "sk-plain", "models": ["*"] } // at home');
  await expect(door.admin.changeSettings({ changes: add({ ...local }, 'copy') })).rejects.toMatchObject({
    code: 'bad-request',
    message: expect.stringMatching(/^providers\.copy\.apiKey: /) as string,
  });

  expect(JSON.stringify([settings, kept, door.logged])).not.toContain('sk-plain');
  await door.admin.changeSettings({ changes: [{ path: ['providers', 'local', 'apiKey'], value: '{env:KEY}' }] });
  expect(door.text()).not.toContain('sk-plain');
});

test('nothing that is sent or kept as a secret is logged, whether the change is good or not', async () => {
  const door = await openSettingsDoor({ text: TEXT });

  await door.admin.changeSettings({ changes: add({ type: 'chat', apiKey: 'sk-sent' }), secrets: { one: 'sk-one' } });
  const refusals: string[] = [];
  for (const value of [
    { type: 'sk-wrong-word-that-is-long-enough' },
    { type: 'chat', apikey: 'sk-misspelt' },
    'sk-odd',
  ])
    await door.admin
      .changeSettings({ changes: [{ path: ['providers', 'bad'], value }], secrets: { two: 'sk-two' } })
      .catch((error: Error) => refusals.push(error.message));
  expect(refusals).toHaveLength(3);
  expect(refusals.join()).not.toContain('sk-');
  await door.admin.readSettings();
  await door.admin.listSecrets();

  expect(JSON.stringify(door.logged)).toContain('settings were changed');
  expect(JSON.stringify(door.logged)).not.toContain('sk-');
});

test('a setting that an option decides is told as such and cannot be changed', async () => {
  const overrides = [{ path: ['server', 'port'], value: 5000, source: '--port' }];
  const door = await openSettingsDoor({ text: '{ "server": { "host": "127.0.0.1" } }', overrides });
  expect((await door.admin.readSettings()).overridden).toEqual([['server', 'port']]);

  for (const change of [
    { path: ['server', 'port'], value: 80 },
    { path: ['server'], value: { host: '127.0.0.1', port: 80 } },
  ])
    await expect(door.admin.changeSettings({ changes: [change] })).rejects.toMatchObject({
      code: 'conflict',
      message: 'server.port is set by --port, which overrides the file. Start the server without it first.',
    });
  await door.admin.changeSettings({ changes: [{ path: ['server', 'host'], value: '::1' }] });
  expect(door.text()).toBe('{ "server": { "host": "::1" } }');
});

test('a read-only file stays as it is, and whoever asked is told', async () => {
  const door = await openSettingsDoor({ text: TEXT });
  chmodSync(door.file, 0o444);

  await expect(
    door.admin.changeSettings({ changes: [{ path: ['log', 'level'], value: 'warn' }], secrets: { a: 'sk-a' } }),
  ).rejects.toMatchObject({
    code: 'conflict',
    message: expect.stringMatching(
      /^The configuration file .*dragoman\.json cannot be written \(.*\); nothing was changed\. /,
    ) as string,
  });
  expect([door.text(), door.secrets()]).toEqual([TEXT, undefined]);
  await door.admin.changeSettings({ changes: [], secrets: { a: 'sk-a' } });
  expect(door.secrets()).toEqual({ a: 'sk-a' });
});

test('a file that is a link stays one', async () => {
  const door = await openSettingsDoor({ text: TEXT });
  const real = join(dirname(door.file), 'real.json');
  renameSync(door.file, real);
  symlinkSync(real, door.file);

  await door.admin.changeSettings({ changes: [{ path: ['log', 'level'], value: 'warn' }] });

  expect(lstatSync(door.file).isSymbolicLink()).toBe(true);
  expect(door.text()).toBe(TEXT.replace('info', 'warn'));
});

test('a file with a slip in it is shown as far as it goes, and is mended by hand before anything is changed', async () => {
  const door = await openSettingsDoor({ text: TEXT });
  writeFileSync(door.file, '{ "log": { "level": "warn" }, "providers": { "a": { "apiKey": "sk-plain" }, } ');
  const change = door.admin.changeSettings({ changes: [{ path: ['log', 'level'], value: 'debug' }] });

  await expect(change).rejects.toMatchObject({
    code: 'config-invalid',
    message: expect.stringContaining('expected "}", found the end of the file') as string,
  });
  expect((await door.admin.readSettings()).settings).toEqual({
    log: { level: 'warn' },
    providers: { a: { apiKey: '••••••' } },
  });
});

test('why a file is not in force is told with it, and a change that mends it is taken', async () => {
  const door = await openSettingsDoor({ text: TEXT });
  writeFileSync(door.file, TEXT.replace('"info"', '"loud"'));
  await expect(door.admin.changeSettings({ changes: [] })).rejects.toMatchObject({ code: 'config-invalid' });

  const settings = await door.admin.changeSettings({ changes: [{ path: ['log', 'level'], value: 'warn' }] });

  expect(settings.problem).toBe(undefined);
  expect(door.inForce().log.level).toBe('warn');
});

test('what cannot be put in force is taken back, secrets included', () => {
  const folder = tempFolder();
  const source = {
    schema: roomySchema,
    file: join(folder, 'dragoman.json'),
    isFileRequired: false,
    secretsFile: join(folder, 'secrets.json'),
    env: {},
    overrides: [],
  };
  const secrets = new SecretsFile(source.secretsFile);
  writeFileSync(source.file, TEXT);
  secrets.set('old', 'sk-old');
  const request = { changes: [{ path: ['log', 'level'], value: 'warn' }], secrets: { old: 'sk-1', new: 'sk-2' } };

  expect(() =>
    changeSettings(source, request, () => {
      expect(secrets.read()).toEqual(
        new Map([
          ['old', 'sk-1'],
          ['new', 'sk-2'],
        ]),
      );
      throw new Error('a room does not want it');
    }),
  ).toThrow('a room does not want it');

  expect(readFileSync(source.file, 'utf8')).toBe(TEXT);
  expect(secrets.read()).toEqual(new Map([['old', 'sk-old']]));
});

test('what nobody means is refused in words: names that objects have for themselves, endless depth, secrets with odd names', async () => {
  const door = await openSettingsDoor({ text: TEXT });
  const send = async (body: string) => {
    const answer = await door.call('/api/settings', {
      method: 'PATCH',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${door.tokenOf.admin}` },
      body,
    });
    return [answer.status, answer.body.error?.message];
  };
  const deep = `${'['.repeat(20_000)}${']'.repeat(20_000)}`;

  expect(await send('{"changes":[{"path":["agents","x"],"value":{"__proto__":{"backend":"a"}}}]}')).toEqual([
    400,
    'changes.0.value: it must not contain a key named __proto__.',
  ]);
  expect(await send('{"changes":[],"secrets":{"__proto__":"sk-1"}}')).toEqual([
    400,
    'secrets: it must not contain a key named __proto__.',
  ]);
  expect(await send(`{"changes":[{"path":["agents"],"value":${deep}}]}`)).toEqual([
    400,
    'The body is nested more than 100 levels deep, the limit for this request.',
  ]);
  expect(await send('{"changes":[],"secrets":{"a b":"sk-1"}}')).toEqual([
    400,
    'secrets.a b: a secret name must be 1 to 100 letters, digits, ".", "-" and "_", starting with a letter or digit',
  ]);
  expect([door.text(), door.secrets()]).toEqual([TEXT, undefined]);
});

test('while the file is broken nobody can tell what refers to a secret, so none is removed', async () => {
  const door = await openSettingsDoor({ text: TEXT });
  await door.admin.changeSettings({
    changes: add({ type: 'chat', apiKey: '{secret:cloud}' }),
    secrets: { cloud: 'sk' },
  });
  writeFileSync(door.file, '{ "providers": { "cloud": { "type": "chat", apiKey: "{secret:cloud}" } } }');

  await expect(door.admin.removeSecret({ name: 'cloud' })).rejects.toMatchObject({
    code: 'config-invalid',
  });
  expect(door.secrets()).toEqual({ cloud: 'sk' });
});

test('settings that would become too long are refused, and what is too long may still be made shorter', async () => {
  const door = await openSettingsDoor({ text: TEXT });
  const url = (length: number) => add({ type: 'chat', apiKey: 'k'.repeat(length) });
  const limit = 'the limit is 256 KB. Move long texts into files, and use {file:path} instead.';

  await expect(door.admin.changeSettings({ changes: url(300_000) })).rejects.toThrow(limit);
  expect(door.text()).toBe(TEXT);

  await door.admin.changeSettings({ changes: url(200_000) });
  await expect(
    door.admin.changeSettings({ changes: add({ type: 'chat', apiKey: 'k'.repeat(100_000) }, 'b') }),
  ).rejects.toThrow(limit);

  writeFileSync(door.file, TEXT.replace('sk-plain', 'k'.repeat(400_000)));
  await door.admin.changeSettings({ changes: [{ path: ['providers', 'local', 'apiKey'], value: 'short' }] });
  expect(door.text()).toBe(TEXT.replace('sk-plain', 'short'));
});
