import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { freshLocation, runDragoman, serveDragoman, STORE_ENGINES, tempFolder } from '@dragoman/testkit';
import { openStore } from '@dragoman/server';
import { describe, expect, onTestFinished, test } from 'vitest';

/** What the server says of the caller, or the status when it says no. */
async function whoAmI(url: string, token: string): Promise<unknown> {
  const response = await fetch(`${url}/api/me`, { headers: { authorization: `Bearer ${token}` } });
  return response.ok ? response.json() : response.status;
}

function homeWith(config: string): string {
  const home = tempFolder();
  writeFileSync(join(home, 'dragoman.json'), config);
  return home;
}

describe('starting', () => {
  test('BYOK-02 with --json it prints one line with its address and a token that works, and the log stays out of it', async () => {
    const server = await serveDragoman();

    expect(server.url).toMatch(/^http:\/\/127\.0\.0\.1:[1-9]\d+$/);
    expect(await whoAmI(server.url, server.token)).toMatchObject({
      user: { name: 'owner' },
      role: 'admin',
      token: 'given at start',
    });

    const { stdout, exitCode } = await server.stop();
    expect(stdout).toBe(`${JSON.stringify({ url: server.url, token: server.token })}\n`);
    expect(exitCode).toBe(0);
  });

  test('a token given by option or by environment is the one that counts', async () => {
    const byOption = await serveDragoman(['--token', 'OPTION-TOKEN']);
    const byEnvironment = await serveDragoman([], { env: { DRAGOMAN_TOKEN: 'ENVIRONMENT-TOKEN' } });

    expect([byOption.token, byEnvironment.token]).toEqual(['OPTION-TOKEN', 'ENVIRONMENT-TOKEN']);
    expect(await whoAmI(byOption.url, 'OPTION-TOKEN')).toMatchObject({ role: 'admin' });
    expect(await whoAmI(byEnvironment.url, 'ENVIRONMENT-TOKEN')).toMatchObject({ role: 'admin' });
    expect(await whoAmI(byEnvironment.url, 'OPTION-TOKEN')).toBe(401);
  });

  test('a person is told the address, a login link that works, and what to do next', async () => {
    const home = tempFolder();
    const server = await serveDragoman([], { home });
    const { stdout } = await runDragoman(['token', 'link'], { home });

    const code = stdout.trim().split('#')[1]!;
    expect(stdout).toBe(`${server.url}/login#${code}\n`);
    const login = await fetch(`${server.url}/api/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ code }),
    });
    expect(login.status).toBe(200);
    expect(readFileSync(join(home, 'dragoman.json'), 'utf8')).toContain('"$schema": "./dragoman.schema.json"');
    expect(JSON.parse(readFileSync(join(home, 'dragoman.schema.json'), 'utf8'))).toHaveProperty('properties.server');
  });

  test('the configuration is picked up while it runs, and a bad edit changes nothing and says so', async () => {
    const home = homeWith('{ "log": { "level": "info" } }');
    const server = await serveDragoman([], { home });

    writeFileSync(join(home, 'dragoman.json'), '{ "log": { "level": "loud" } }');
    await server.untilLogged('The configuration was not changed.');
    expect(await whoAmI(server.url, server.token)).toMatchObject({ role: 'admin' });

    writeFileSync(
      join(home, 'dragoman.json'),
      '{ "log": { "level": "debug" }, "server": { "bodyLimits": { "apiBytes": 2000 } } }',
    );
    await server.untilLogged('\\"server.bodyLimits\\" was changed; restart the server to apply it');
    await server.untilLogged('the configuration was read again');
  });
});

describe('what cannot start says why', () => {
  const failing = async (args: string[], options: Parameters<typeof runDragoman>[1] = {}) => {
    const { exitCode, stderr } = await runDragoman(['serve', '--port', '0', ...args], options);
    return `${exitCode} ${stderr.trim()}`;
  };

  test('a configuration with mistakes', async () => {
    const home = homeWith('{\n  "server": { "prot": 1 },\n  "log": { "level": "{env:NOT_SET_ANYWHERE}" }\n}');
    const file = join(home, 'dragoman.json');

    expect(await failing([], { home })).toBe(
      [
        '3 dragoman: The configuration has 2 mistakes:',
        `  ${file}:2:15  server.prot: unknown key; did you mean "port"?`,
        `  ${file}:3:21  log.level: the environment variable NOT_SET_ANYWHERE is not set; set it, or remove {env:NOT_SET_ANYWHERE}`,
      ].join('\n'),
    );
  });

  test('a route that leads nowhere', async () => {
    const home = homeWith('{ "routes": { "default": ["offline/offline", "ghost/x"] } }');

    expect(await failing([], { home })).toBe(
      `3 dragoman: The configuration has a mistake:\n  ${join(home, 'dragoman.json')}:1:46  routes.default[1]: there is no provider named "ghost"`,
    );
  });

  test('a configuration file that is not there', async () => {
    expect(await failing(['--config', '/nowhere/x.json'])).toBe(
      '3 dragoman: The configuration file /nowhere/x.json is not there.',
    );
  });

  test('a port that is in use', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => other.once('listening', resolve));
    onTestFinished(() => void other.close());
    const { port } = other.address() as AddressInfo;

    expect(await failing(['--port', String(port)])).toBe(
      `4 dragoman: Port ${port} on 127.0.0.1 is already in use. Dragoman may already be running. Choose another port with --port (0 picks a free one).`,
    );
  });

  test('a port that is no number', async () => {
    expect(await failing(['--port', 'http'])).toBe(
      '2 dragoman: The configuration has a mistake:\n  --port  server.port: expected a number, found text',
    );
  });

  test('a data folder that cannot be used', async () => {
    const file = join(tempFolder(), 'file');
    writeFileSync(file, '');

    expect(await failing([], { env: { DRAGOMAN_HOME: file } })).toBe(
      `4 dragoman: The data folder ${file} cannot be used (EEXIST). Make it writable, or set DRAGOMAN_HOME to another folder.`,
    );
  });

  test.each(STORE_ENGINES)('a database of a newer version, on %s', async (engine) => {
    const location = await freshLocation(engine);
    const newer = { room: 'access', migrations: [{ number: 999, title: 'from the future', up: async () => {} }] };
    await (await openStore(location, { rooms: [newer] })).close();
    const env: Record<string, string> =
      location.databaseUrl === undefined ? {} : { DRAGOMAN_DATABASE_URL: location.databaseUrl };

    expect(await failing([], { home: join(location.databaseFile, '..'), env })).toBe(
      '4 dragoman: The database was written by a newer Dragoman (it has access step 999, "from the future"; this one knows 3). Start the newer version, or use another data folder.',
    );
  });

  test('an address beyond this machine while no token exists, or with a weak one', async () => {
    expect(await failing(['--host', '0.0.0.0'])).toBe(
      '3 dragoman: Listening on 0.0.0.0 opens the server to other machines, and there is no token yet. Create one first with: dragoman token create NAME',
    );
    expect(await failing(['--host', '0.0.0.0', '--token', 'short'])).toBe(
      '3 dragoman: Listening on 0.0.0.0 opens the server to other machines; the given token has 5 characters and needs at least 20.',
    );
  });

  test('an option that does not exist, with the one that was probably meant', async () => {
    expect(await failing(['--prot', '1'])).toBe("2 dragoman: unknown option '--prot'\n(Did you mean --port?)");
  });

  test('a command that does not exist, with the one that was probably meant', async () => {
    const { exitCode, stderr } = await runDragoman(['serv']);

    expect(`${exitCode} ${stderr.trim()}`).toBe("2 dragoman: unknown command 'serv'\n(Did you mean serve?)");
  });
});

describe('several at once', () => {
  test('two servers that start together on one PostgreSQL migrate once and both serve', async () => {
    const { databaseUrl } = await freshLocation('postgres');
    const env = { DRAGOMAN_DATABASE_URL: databaseUrl! };

    const servers = await Promise.all([serveDragoman([], { env }), serveDragoman([], { env })]);

    for (const { url, token } of servers) expect(await whoAmI(url, token)).toMatchObject({ role: 'admin' });
    const { stdout } = await runDragoman(['token', 'create', 'shared'], { env });
    for (const { url } of servers) expect(await whoAmI(url, stdout.trim())).toMatchObject({ token: 'shared' });
    await runDragoman(['token', 'revoke', 'shared'], { env });
    for (const { url } of servers) expect(await whoAmI(url, stdout.trim())).toBe(401);
  });

  test('beyond this machine it starts once a token exists', async () => {
    const home = tempFolder();
    await runDragoman(['token', 'create', 'phone'], { home });

    const { url, token } = await serveDragoman(['--host', '0.0.0.0'], { home });

    expect(await whoAmI(url, token)).toMatchObject({ role: 'admin' });
  });
});

describe('stopping', () => {
  test.each(['SIGINT', 'SIGTERM'] as const)('%s ends it with exit code 0 and leaves no note behind', async (signal) => {
    const server = await serveDragoman();

    const { exitCode, stderr } = await server.stop(signal);

    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    const { stdout } = await runDragoman(['doctor', '--json'], { home: server.home });
    expect(JSON.parse(stdout).findings).toContainEqual({
      subject: 'server',
      isWell: true,
      says: 'not running',
    });
  });
});
