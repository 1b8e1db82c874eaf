import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createConsoleClient } from '@dragoman/protocol/console';
import { freshLocation, runDragoman, serveDragoman, tempFolder } from '@dragoman/testkit';
import { expect, test } from 'vitest';

test('a secret is read from a pipe, listed by name, never printed, and can be removed', async () => {
  const home = tempFolder();

  const kept = await runDragoman(['secret', 'set', 'openai'], { home, input: 'sk-live-1234\n' });
  expect(kept.stdout).toBe('Saved. Refer to it in dragoman.json as "{secret:openai}".\n');
  expect(statSync(join(home, 'secrets.json')).mode & 0o777).toBe(0o600);
  expect((await runDragoman(['secret', 'list'], { home })).stdout).toBe('openai\n');
  expect((await runDragoman(['secret', 'remove', 'openai'], { home })).stdout).toBe('Removed.\n');
  expect((await runDragoman(['secret', 'list', '--json'], { home })).stdout).toBe('[]\n');
});

test('an empty secret and one that is not there are refused', async () => {
  const home = tempFolder();

  expect(await runDragoman(['secret', 'set', 'openai'], { home, input: '\n' })).toMatchObject({
    exitCode: 2,
    stderr: 'dragoman: The value is empty. Nothing was saved.\n',
  });
  expect(await runDragoman(['secret', 'remove', 'openai'], { home })).toMatchObject({
    exitCode: 1,
    stderr: 'dragoman: There is no secret named "openai".\n',
  });
});

test('servers on one PostgreSQL share their secrets, and commands read, set and remove those', async () => {
  const { databaseUrl } = await freshLocation('postgres');
  const env = { DRAGOMAN_DATABASE_URL: databaseUrl! };
  const [home, elsewhere] = [tempFolder(), tempFolder()];
  const own = join(elsewhere, 'secrets.json');
  writeFileSync(own, '{"k1":"sk-own","k2":"sk-own-2"}', { mode: 0o600 });
  const at = createConsoleClient(await serveDragoman([], { home, env }));
  const run = (args: string[], input = '') => runDragoman(['secret', ...args], { home: elsewhere, env, input });
  const provider = { type: 'openai-chat', baseUrl: 'http://127.0.0.1:9/v1', apiKey: '{secret:k1}', models: ['m'] };
  await at.changeSettings({ changes: [{ path: ['providers', 'p'], value: provider }], secrets: { k1: 'sk-1' } });

  expect((await run(['list'])).stdout).toBe(
    `k1 (shared by all servers; another one in ${own} is not used)\nk2 (only in ${own})\n`,
  );
  expect((await run(['list', '--json'])).stdout).toBe('["k1","k2"]\n');
  expect((await run(['set', 'k3'], 'sk-3\n')).stdout).toBe(
    'Saved for all servers that share the database. Refer to it as "{secret:k3}".\n',
  );
  expect((await at.listSecrets()).secrets.map(({ name }) => name)).toEqual(['k1', 'k3']);
  expect((await run(['set', 'k1'], 'sk-new\n')).stdout).toBe(
    `Saved for all servers that share the database. Refer to it as "{secret:k1}".\nAnother one of that name in ${own} is not used.\n`,
  );
  expect(JSON.parse(readFileSync(join(home, 'shared-settings.json'), 'utf8'))).toMatchObject({
    secrets: { k1: 'sk-new', k3: 'sk-3' },
  });
  expect(await run(['remove', 'k1'])).toMatchObject({
    exitCode: 1,
    stderr: 'dragoman: The secret k1 is used by providers.p.apiKey. Remove it there first.\n',
  });
  expect((await run(['remove', 'k3'])).stdout).toBe('Removed.\n');
  expect((await at.listSecrets()).secrets.map(({ name }) => name)).toEqual(['k1']);
  expect((await runDragoman(['doctor'], { home: elsewhere, env })).stdout).toMatch(
    /ok +secrets +1 shared by all servers, 2 in this data folder; k1 in this data folder is not used\n/,
  );
});

test('a shared secret is neither set nor listed nor removed while the database cannot be reached', async () => {
  const home = tempFolder();
  const env = { DRAGOMAN_DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' };

  for (const args of [['set', 'k'], ['list'], ['remove', 'k']])
    expect(await runDragoman(['secret', ...args], { home, env, input: 'sk-1\n' })).toMatchObject({
      exitCode: 4,
      stdout: '',
      stderr: expect.stringMatching(
        /^dragoman: The PostgreSQL database none at 127\.0\.0\.1:1 cannot be opened/,
      ) as string,
    });

  expect(existsSync(join(home, 'secrets.json'))).toBe(false);
});

test('a server begins with a secret that its own file names and that was saved beside another server', async () => {
  const { databaseUrl } = await freshLocation('postgres');
  const env = { DRAGOMAN_DATABASE_URL: databaseUrl! };
  await runDragoman(['secret', 'set', 'mine'], { home: tempFolder(), env, input: 'sk-1\n' });
  const home = tempFolder();
  const own = { type: 'openai-chat', baseUrl: 'http://127.0.0.1:9/v1', apiKey: '{secret:mine}', models: ['m'] };
  writeFileSync(join(home, 'dragoman.json'), JSON.stringify({ providers: { own } }));

  const { models } = await createConsoleClient(await serveDragoman([], { home, env })).readGateway();

  expect(models).toContain('own/m');
});

test('a mistake in its own file keeps a server from starting, whatever is shared', async () => {
  const { databaseUrl } = await freshLocation('postgres');
  const [home, env] = [tempFolder(), { DRAGOMAN_DATABASE_URL: databaseUrl! }];
  await runDragoman(['secret', 'set', 'mine'], { home, env, input: 'sk-1\n' });
  writeFileSync(join(home, 'dragoman.json'), '{ "log": { "level": "{secret:none}" } }');

  expect(await runDragoman(['serve', '--port', '0'], { home, env })).toMatchObject({
    exitCode: 3,
    stderr: expect.stringContaining(`${join(home, 'dragoman.json')}:1:21  log.level: there is no secret`) as string,
  });
});
