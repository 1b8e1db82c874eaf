import { existsSync, readFileSync, statSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { fillDisk, mountSmallDisk, serveDragoman, tempFolder } from '@dragoman/testkit';
import { expect, onTestFinished, test } from 'vitest';
import { changeSetting, freshEditor } from '../vscode.fixture.ts';
import { findServer } from './find-server.ts';
import { keepForeignToken } from './server-token.ts';
import { install, kill, untilGone, untilState } from './server-link.fixture.ts';

const TOKEN = /^[A-Z2-7]{40}$/;

test('the first window starts a server on a free port of 127.0.0.1, which lets in who has its token [EDITOR-05]', async () => {
  const { openWindow, context, home, storage } = install(freshEditor(), tempFolder());
  const link = openWindow();
  const states: string[] = [];
  link.onDidChange(() => states.push(link.state.kind));

  const server = await link.ready();

  expect(server).toEqual({
    url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
    token: expect.stringMatching(TOKEN),
    origin: 'path',
    logFile: join(home, 'server.log'),
  });
  expect(states).toEqual(['starting', 'ready']);
  expect(context.globalState.get('dragoman.port')).toBe(Number(new URL(server.url).port));
  expect(await context.secrets.get('dragoman.serverToken')).toBe(server.token);
  expect(statSync(join(storage, 'dragoman.json')).mode & 0o777).toBe(0o600);
  const models = (token: string) => fetch(`${server.url}/v1/models`, { headers: { authorization: `Bearer ${token}` } });
  expect((await models(server.token)).status).toBe(200);
  expect((await models('ANOTHER')).status).toBe(401);
});

test('no argument and no file of the server holds a key or the token; both are in its environment', async () => {
  const installation = install(freshEditor(), tempFolder());
  installation.settings = {
    configuration: {
      providers: {
        byok: {
          type: 'openai-chat',
          baseUrl: 'http://127.0.0.1:9/v1',
          apiKey: '{env:DRAGOMAN_BYOK_API_KEY}',
          models: ['m'],
        },
      },
    },
    environment: { DRAGOMAN_BYOK_API_KEY: 'key-of-the-person' },
  };
  const link = installation.openWindow();
  const { token } = await link.ready();

  const { pid } = (await findServer(installation.home))!;
  const shown = readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  const environment = readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0');

  expect(shown).not.toContain('key-of-the-person');
  expect(shown).not.toContain(token);
  expect(environment).toContain('DRAGOMAN_BYOK_API_KEY=key-of-the-person');
  expect(environment).toContain(`DRAGOMAN_TOKEN=${token}`);
  const kept = readFileSync(join(installation.storage, 'dragoman.json'), 'utf8');
  expect(JSON.parse(kept)).toEqual(installation.settings.configuration);
  expect(readFileSync(join(installation.home, 'server.log'), 'utf8')).not.toContain('key-of-the-person');
});

test('of ten windows that open at the same moment one starts the server, and all have the same', async () => {
  const { openWindow, home } = install(freshEditor(), tempFolder());
  const links = Array.from({ length: 10 }, openWindow);

  const servers = await Promise.all(links.map((link) => link.ready()));

  expect(new Set(servers.map(({ url }) => url)).size).toBe(1);
  expect(new Set(servers.map(({ token }) => token)).size).toBe(1);
  expect((await findServer(home))?.url).toBe(servers[0]!.url);
});

test('a restart keeps port and token, takes the new settings, and the other window follows', async () => {
  const installation = install(freshEditor(), tempFolder());
  const [one, other] = [installation.openWindow(), installation.openWindow()];
  const before = await one.ready();
  await other.ready();
  const { pid } = (await findServer(installation.home))!;
  installation.settings = {
    configuration: { routes: { renamed: ['offline/offline'] } },
    environment: {},
  };
  const otherLost = untilState(other, 'starting');
  // As in a window that was opened before the port was kept.
  await installation.context.globalState.update('dragoman.port', undefined);

  const after = await one.restart();
  await otherLost;
  await untilState(other, 'ready');

  expect(after).toEqual(before);
  expect(other.state.server).toEqual(before);
  expect((await findServer(installation.home))!.pid).not.toBe(pid);
  const answer = await fetch(`${after.url}/v1/models`, { headers: { authorization: `Bearer ${after.token}` } });
  const { data } = (await answer.json()) as { data: { id: string }[] };
  expect(data.map(({ id }) => id)).toContain('renamed');
});

test('who asks for the server while it restarts gets the restarted one', async () => {
  const { openWindow, home } = install(freshEditor(), tempFolder());
  const link = openWindow();
  await link.ready();
  const before = (await findServer(home))!;

  void link.restart();
  await link.ready();

  expect((await findServer(home))!.startedAt).toBeGreaterThan(before.startedAt);
});

test('a server that is killed is started again on its port, without being asked for', async () => {
  const { openWindow, home } = install(freshEditor(), tempFolder());
  const link = openWindow();
  const before = await link.ready();
  const lost = untilState(link, 'starting');

  await kill((await findServer(home))!.pid);
  await lost;
  await untilState(link, 'ready');

  expect(link.state.server).toEqual(before);
});

test('a kept port that somebody else has is given up for another', async () => {
  const { openWindow, context } = install(freshEditor(), tempFolder());
  const taken = await new Promise<Server>((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => resolve(server));
  });
  onTestFinished(() => void taken.close());
  const { port } = taken.address() as { port: number };
  await context.globalState.update('dragoman.port', port);

  const { url } = await openWindow().ready();

  expect(Number(new URL(url).port)).not.toBe(port);
  expect(context.globalState.get('dragoman.port')).toBe(Number(new URL(url).port));
});

test('the server ends by itself when the last window has gone', async () => {
  const { openWindow, home, env } = install(freshEditor(), tempFolder());
  env['DRAGOMAN_EXTENSION_IDLE_SECONDS'] = '10';
  const link = openWindow();
  await link.ready();
  const { pid } = (await findServer(home))!;

  link.dispose();
  await untilGone(pid);

  expect(existsSync(join(home, 'server.lock'))).toBe(false);
});

test('a server of ours is ended on request, and the other windows leave it so until it is needed', async () => {
  const { openWindow, home, logged } = install(freshEditor(), tempFolder());
  const [one, other] = [openWindow(), openWindow({ gapMs: 1_000 })];
  const { url } = await one.ready();
  await other.ready();
  const { pid } = (await findServer(home))!;

  await one.stop();
  await untilGone(pid);
  await untilState(other, 'idle');

  expect(logged).toContain('It was ended on purpose, and is started again when it is needed.');
  expect((await other.ready()).url).toBe(url);
});

test('a window that waits whether its server comes back does not wait when somebody asks for it', async () => {
  const { openWindow } = install(freshEditor(), tempFolder());
  const [one, other] = [openWindow(), openWindow({ gapMs: 3_600_000 })];
  const { url } = await one.ready();
  await other.ready();
  const otherLost = untilState(other, 'starting');

  await one.stop();
  await otherLost;

  expect((await other.ready()).url).toBe(url);
});

test('a server named in the settings is used with its own token, and neither restarted nor ended', async () => {
  const persons = await serveDragoman();
  const editor = freshEditor();
  const { openWindow, context, home } = install(editor, tempFolder());
  editor.settings['dragoman.url'] = `${persons.url}/`;
  const link = openWindow();

  await expect(link.ready()).rejects.toThrow(
    `The server at ${persons.url} needs a token. Enter one with "Dragoman: Show Menu".`,
  );
  await keepForeignToken(context.secrets, persons.url, 'WRONG');
  await expect(link.ready()).rejects.toThrow(`The server at ${persons.url} rejected the token.`);
  await keepForeignToken(context.secrets, persons.url, persons.token);
  expect(await link.ready()).toEqual({ url: persons.url, token: persons.token, origin: 'setting' });
  await expect(link.restart()).rejects.toThrow('was not started by this editor');
  await link.stop();
  expect((await fetch(`${persons.url}/health`)).status).toBe(200);

  await link.ready();
  changeSetting('dragoman.url', undefined);
  expect((await link.ready()).origin).toBe('path');
  expect(await findServer(home)).toBeDefined();
});

test('a server that the person runs here is left alone until there is a token for it, which no other server is shown', async () => {
  const folder = tempFolder();
  const persons = await serveDragoman([], { home: join(folder, 'persons') });
  const { openWindow, context, logged } = install(freshEditor(), folder);
  const link = openWindow();

  expect((await link.ready()).origin).toBe('path');
  expect(logged).toContain(`A server of yours runs at ${persons.url}; the menu of the status item offers to use it.`);
  await keepForeignToken(context.secrets, 'http://127.0.0.1:1', persons.token);
  expect((await link.ready()).origin).toBe('path');
  await keepForeignToken(context.secrets, persons.url, persons.token);

  expect(await link.ready()).toEqual({ url: persons.url, token: persons.token, origin: 'found' });
});

test('a second profile with another token gets a server of its own instead of a quarrel', async () => {
  const editor = freshEditor();
  const folder = tempFolder();
  const one = install(editor, folder);
  const other = install(editor, folder);

  const [mine, theirs] = await Promise.all([one.openWindow().ready(), other.openWindow().ready()]);

  expect(mine.token).not.toBe(theirs.token);
  expect(mine.url).not.toBe(theirs.url);
  for (const { url, token } of [mine, theirs])
    expect((await fetch(`${url}/v1/models`, { headers: { authorization: `Bearer ${token}` } })).status).toBe(200);
});

test('a program that is no server is told with its name and what it said', async () => {
  const editor = freshEditor();
  const { openWindow } = install(editor, tempFolder());
  editor.settings['dragoman.serverCommand'] = '/bin/echo';
  await expect(openWindow().ready()).rejects.toThrow(
    '/bin/echo is not a Dragoman server. Check the setting "dragoman.serverCommand".',
  );
  editor.settings['dragoman.serverCommand'] = 'dragoman';
  await expect(openWindow().ready()).rejects.toThrow(
    'The setting "dragoman.serverCommand" is dragoman, which is not the full path of a program. Correct it or clear it.',
  );
});

test('a configuration that the server refuses is told in its own words', async () => {
  const installation = install(freshEditor(), tempFolder());
  installation.settings = { configuration: { routes: { broken: ['nobody/none'] } }, environment: {} };
  const link = installation.openWindow();
  await expect(link.ready()).rejects.toThrow(/exited with 3 before it was ready: .*nobody/s);
  expect(link.state).toEqual({ kind: 'failed', reason: expect.stringContaining('nobody') });
});

test('a disk that is full is told in the server’s own words, though its log has no room for them (needs the right to mount)', async ({
  skip,
}) => {
  const disk = tempFolder();
  if (!mountSmallDisk(disk, 8)) skip('small disks cannot be made here');
  const installation = install(freshEditor(), disk);
  const link = installation.openWindow();
  await link.ready();
  await link.stop();
  fillDisk(disk, 0);

  await expect(link.ready()).rejects.toThrow(
    `exited with 4 before it was ready: The disk of the data folder ${installation.home} is full. Free up some space, or set DRAGOMAN_HOME to another folder.`,
  );
  installation.settings = { configuration: { routes: { another: ['offline/offline'] } }, environment: {} };
  await expect(link.ready()).rejects.toThrow(
    `The configuration ${join(installation.storage, 'dragoman.json')} could not be written (ENOSPC: no space left on device, write).`,
  );
});
