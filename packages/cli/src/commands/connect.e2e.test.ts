import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runDragoman, serveDragoman, tempFolder } from '@dragoman/testkit';
import { expect, test } from 'vitest';
import { CLIENTS } from '../connect/clients.ts';

const TOKEN = /DGM_[A-Z2-7]{40}/;

/** A data folder and the home of a person, for the program. */
function places() {
  const [home, person] = [tempFolder(), tempFolder()];
  const run = (...args: string[]) => runDragoman(['connect', ...args], { home, env: { HOME: person, PATH: '' } });
  return { home, person, run };
}

test('every client is connected, tried in its own protocol, listed, and undone with its token', async () => {
  const { home, person, run } = places();
  const server = await serveDragoman([], { home });
  for (const { id, title, tokenRole } of CLIENTS) {
    const { exitCode, stdout, stderr } = await run(id, '--yes');
    expect({ id, exitCode, stderr: stderr.includes('failed') }).toEqual({ id, exitCode: 0, stderr: false });
    expect(stdout).toContain(`${title} is connected.`);
    expect(stdout).toContain('succeeded: ');
    expect(stdout).not.toMatch(TOKEN);
    const { stdout: list } = await runDragoman(['token', 'list', '--json'], { home });
    expect(JSON.parse(list)).toContainEqual(expect.objectContaining({ name: title, role: tokenRole, revokedAt: null }));
  }

  const connected = JSON.parse((await run('--json')).stdout) as { client: string; url?: string }[];
  expect(connected.map(({ client, url }) => [client, url])).toEqual(CLIENTS.map(({ id }) => [id, server.url]));

  const settings = join(person, '.claude', 'settings.json');
  const token = TOKEN.exec(readFileSync(settings, 'utf8'))![0];
  const status = async () => (await fetch(`${server.url}/v1/models`, { headers: { 'x-api-key': token } })).status;
  expect(await status()).toBe(200);
  expect((await run('claude', '--undo', '--yes')).stdout).toContain('revoked its token');
  expect(await status()).toBe(401);
  expect(existsSync(settings)).toBe(false);
  expect((await run('claude', '--undo', '--yes')).exitCode).toBe(1);
});

test('nothing is written where only the change is asked for, nobody can be asked, or a client is unknown', async () => {
  const { home, person, run } = places();
  const settings = join(person, '.claude', 'settings.json');
  mkdirSync(join(person, '.claude'));
  writeFileSync(settings, '{ "theme": "dark" }\n');

  const shown = await run('claude', '--print');
  expect(shown.stdout).toContain('"ANTHROPIC_AUTH_TOKEN": "DGM_…"');
  const unasked = await run('claude');
  expect([unasked.exitCode, unasked.stderr]).toEqual([2, expect.stringContaining('Use --yes to confirm.')]);
  const unknown = await run('claud');
  expect([unknown.exitCode, unknown.stderr]).toEqual([2, expect.stringContaining('did you mean "claude"')]);

  expect(readFileSync(settings, 'utf8')).toBe('{ "theme": "dark" }\n');
  const { stdout } = await runDragoman(['token', 'list', '--json'], { home });
  expect(JSON.parse(stdout)).toEqual([]);
});

test('without a server the client is connected and told that nothing was tried; twice is refused', async () => {
  const { run } = places();
  const first = await run('codex', '--yes');
  expect([first.exitCode, first.stderr]).toEqual([0, expect.stringContaining('The server is not running')]);
  const second = await run('codex', '--yes');
  expect([second.exitCode, second.stderr]).toEqual([
    1,
    expect.stringContaining('is connected to http://127.0.0.1:4747 already'),
  ]);
});

test('a server elsewhere makes and revokes the token', async () => {
  const { person, run } = places();
  const server = await serveDragoman([], { env: { DRAGOMAN_TOKEN: 'DGM_THE_OTHER_SERVER_S_TOKEN' } });
  const there = ['--server', server.url, '--token', 'DGM_THE_OTHER_SERVER_S_TOKEN'];

  const { stdout } = await run('opencode', '--yes', ...there);
  expect(stdout).toContain('succeeded: ');
  const settings = join(person, '.config', 'opencode', 'opencode.json');
  const token = TOKEN.exec(readFileSync(settings, 'utf8'))![0];
  expect((await run('opencode', '--undo', '--yes', ...there)).exitCode).toBe(0);
  expect((await fetch(`${server.url}/v1/models`, { headers: { 'x-api-key': token } })).status).toBe(401);
});
