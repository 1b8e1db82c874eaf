import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { openSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runDragoman, serveDragoman, startDragoman, tempFolder } from '@dragoman/testkit';
import { expect, onTestFinished, test } from 'vitest';

const PROGRAM = fileURLToPath(new URL('../../bin/dragoman.js', import.meta.url));

test('a runner tells where it is connected and what it offers, takes a changed configuration up, and ends with exit code 0', async () => {
  const { url, token } = await serveDragoman();
  const home = tempFolder();
  const folder = tempFolder();
  const write = (config: object) => writeFileSync(join(home, 'dragoman.json'), JSON.stringify(config));
  write({ runner: { folders: [folder] } });
  const runner = startDragoman(['runner', '--hub', url, '--name', 'desk'], { home, env: { DRAGOMAN_TOKEN: token } });
  let said = '';
  runner.process.stdout!.on('data', (text: Buffer) => (said += text.toString()));
  const desk = async () => {
    const answer = await fetch(`${url}/api/runners`, { headers: { authorization: `Bearer ${token}` } });
    const { runners } = (await answer.json()) as {
      runners: {
        name: string;
        isConnected: boolean;
        isShared: boolean;
        folders: string[];
        agents: { name: string }[];
      }[];
    };
    return runners.find(({ name }) => name === 'desk');
  };

  await expect.poll(async () => (await desk())?.isConnected, { timeout: 60_000 }).toBe(true);
  expect(await desk()).toMatchObject({ folders: [folder], isShared: false });
  write({ agents: { mine: { backend: 'text', command: ['cat'] } } });
  await expect.poll(() => said, { timeout: 60_000 }).toContain('\nAgents: native, mine, chat');
  expect((await desk())!.agents[1]).toMatchObject({ name: 'mine' });

  runner.process.kill('SIGINT');
  const { exitCode, stdout, stderr } = await runner.finished;
  expect([exitCode, stderr]).toEqual([0, '']);
  const [connecting, connected, agents, folders] = stdout.split('\n');
  expect([connecting, connected, folders]).toEqual([
    `Connecting to ${url}. Press Ctrl-C to stop.`,
    `Connected to ${url} as "desk".`,
    `Folders: ${folder}.`,
  ]);
  // What waits for one hub is kept apart from what waits for another.
  expect(readdirSync(join(home, 'runner'))).toEqual([new URL(url).host.replace(':', '_')]);
  expect(agents).toMatch(/^Agents: native, chat.*\. To see what others need: dragoman doctor --all$/);
  await expect.poll(async () => (await desk())?.isConnected, { timeout: 60_000 }).toBe(false);
});

test('a runner that the hub does not want says why once, and ends', async () => {
  const server = await serveDragoman();
  const viewer = await runDragoman(['token', 'create', 'looks', '--user', 'vic', '--role', 'viewer'], {
    home: server.home,
  });
  const failing = async (token: string, hub = server.url) => {
    const { exitCode, stderr } = await runDragoman(['runner', '--hub', hub, '--token', token]);
    return `${exitCode} ${stderr.trim()}`;
  };

  expect(await failing('WRONG')).toBe(
    `1 dragoman: ${server.url} rejected the token. Create one there with "dragoman token create NAME --role member" and pass it with DRAGOMAN_TOKEN or --token.`,
  );
  expect(await failing(viewer.stdout.trim())).toBe(
    `1 dragoman: ${server.url} does not allow this token to connect a machine: it needs the member or admin role, and a machine belongs to the user who first connected it.`,
  );
  expect(await failing('', server.url)).toBe(
    '2 dragoman: The server requires a token: set DRAGOMAN_TOKEN or use --token.',
  );
  expect(await failing('X', 'desk')).toBe('2 dragoman: --hub desk: expected a URL such as http://127.0.0.1:4747.');
  for (const name of ['', 'my\ndesk', 'x'.repeat(500)]) {
    const { exitCode, stdout, stderr } = await runDragoman([
      'runner',
      '--hub',
      server.url,
      '--token',
      'X',
      '--name',
      name,
    ]);
    expect([exitCode, stdout, stderr]).toEqual([
      2,
      '',
      'dragoman: --name: expected one line of 1 to 255 characters, with something to see.\n',
    ]);
  }
});

test.runIf(process.platform === 'linux')(
  'a runner goes on though what it prints finds no room (needs Linux)',
  async () => {
    const server = await serveDragoman();
    const full = openSync('/dev/full', 'w');
    const args = ['runner', '--hub', server.url, '--name', 'desk', '--token', server.token];
    const runner = spawn(process.execPath, ['--conditions=@dragoman/source', PROGRAM, ...args], {
      env: { ...process.env, DRAGOMAN_HOME: tempFolder() },
      stdio: ['ignore', full, full],
    });
    onTestFinished(() => void runner.kill('SIGKILL'));
    const isConnected = async (hub: { url: string; token: string }) => {
      const answer = await fetch(`${hub.url}/api/runners`, { headers: { authorization: `Bearer ${hub.token}` } });
      const { runners } = (await answer.json()) as { runners: { name: string; isConnected: boolean }[] };
      return runners.find(({ name }) => name === 'desk')?.isConnected;
    };
    await expect.poll(() => isConnected(server), { timeout: 60_000 }).toBe(true);

    // That the server is away is told too, and that it is back.
    await server.stop();
    const { port } = new URL(server.url);
    const again = await serveDragoman(['--port', port, '--token', server.token], { home: server.home });
    await expect.poll(() => isConnected(again), { timeout: 60_000 }).toBe(true);
    runner.kill('SIGINT');
    expect(await once(runner, 'exit')).toEqual([0, null]);
  },
);
