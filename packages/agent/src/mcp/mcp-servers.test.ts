import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { tempFolder } from '@dragoman/testkit';
import { expect, test, vi } from 'vitest';
import { fixture, isRunning, testServers, toolContext } from './mcp.fixture.ts';

const READY_MS = 60_000;

test('a call that hangs ends as a tool error with server, tool and limit, is cancelled, and the server stays connected [FR-48]', async () => {
  const servers = testServers({ demo: { command: fixture('stdio-server') } }, { timeout: 300 });
  await servers.ready(READY_MS);

  await expect(servers.call('demo_hang')).rejects.toMatchObject({
    name: 'ToolError',
    message: expect.stringMatching(/^The tool "hang" of the MCP server "demo" did not finish within 300 ms\./),
  });
  await vi.waitFor(() => expect(servers.stderr.join('')).toContain('the call was cancelled'), READY_MS);
  expect(servers.status()).toMatchObject([{ state: 'connected' }]);
});

test('the limit of a server goes before mcp_timeout [FR-48]', async () => {
  const servers = testServers({ demo: { command: fixture('stdio-server'), timeout: 250 } }, { timeout: 60_000 });
  await servers.ready(READY_MS);

  await expect(servers.call('demo_hang')).rejects.toThrow('did not finish within 250 ms');
});

test('a resource that is not handed out in time is an error too [FR-48]', async () => {
  const servers = testServers({ odd: { command: fixture('odd-server', 'unread') } }, { timeout: 300 });
  await servers.ready(READY_MS);

  await expect(servers.readMcpResource('mcp://odd/file%3A%2F%2F%2Fa.txt')).rejects.toThrow(/timed out/);
});

test('calling off a call cancels it at the server', async () => {
  const servers = testServers({ demo: { command: fixture('stdio-server') } });
  await servers.ready(READY_MS);
  const turn = new AbortController();

  const call = servers.call('demo_hang', {}, { abort: turn.signal });
  turn.abort();

  await expect(call).rejects.toThrow('The tool "hang" of the MCP server "demo" was cancelled.');
  const second = new AbortController();
  const running = servers.call('demo_hang', {}, { abort: second.signal });
  await servers.call('demo_echo', { text: 'the other one has begun' });
  second.abort();
  await expect(running).rejects.toThrow('was cancelled');
  await vi.waitFor(() => expect(servers.stderr.join('')).toContain('the call was cancelled'), READY_MS);
});

test('bad servers do not spoil the good one, and each says what is wrong with it', async () => {
  const servers = testServers(
    {
      absent: { command: ['/no/such/program'] },
      crash: { command: fixture('stdio-server', 'crash'), env: { API_KEY: 'very-secret-key' } },
      garbage: { command: fixture('stdio-server', 'garbage') },
      good: { command: fixture('stdio-server') },
      off: { command: fixture('stdio-server'), enabled: false },
    },
    { timing: { reconnectMs: () => 60_000 } },
  );
  await servers.ready(READY_MS);

  expect(servers.status()).toEqual([
    { name: 'absent', state: 'failed', tools: 0, reason: expect.stringContaining('/no/such/program') },
    {
      name: 'crash',
      state: 'failed',
      tools: 0,
      reason: 'the server exited with code 3: cannot start, and the key is ••••••',
    },
    { name: 'garbage', state: 'connected', tools: 9 },
    { name: 'good', state: 'connected', tools: 9 },
    { name: 'off', state: 'disabled', tools: 0 },
  ]);
  expect(await servers.call('garbage_echo', { text: 'through the noise' })).toMatchObject({
    output: 'through the noise',
  });
  expect(await servers.call('good_echo', { text: 'fine' })).toMatchObject({ output: 'fine' });
  expect(JSON.stringify(servers.problems)).not.toContain('very-secret-key');
});

test('a server that is killed comes back, and its tools stay where they are', async () => {
  const servers = testServers({ demo: { command: fixture('stdio-server') } });
  await servers.ready(READY_MS);
  const first = Number((await servers.call('demo_pid')).output);

  process.kill(first, 'SIGKILL');
  await vi.waitFor(
    () => expect(servers.problems).toEqual([{ server: 'demo', message: 'was ended by SIGKILL' }]),
    READY_MS,
  );

  expect(servers.tools.has('demo_pid')).toBe(true);
  const second = Number((await servers.call('demo_pid')).output);
  expect(second).not.toBe(first);
  expect(servers.status()).toEqual([{ name: 'demo', state: 'connected', tools: 9 }]);
});

test('a call that is under way when its server is killed says that nobody knows how far it came', async () => {
  const servers = testServers(
    { demo: { command: fixture('stdio-server') } },
    { timing: { reconnectMs: () => 60_000 } },
  );
  await servers.ready(READY_MS);
  const pid = Number((await servers.call('demo_pid')).output);

  const call = servers.call('demo_hang');
  process.kill(pid, 'SIGKILL');

  // Whether the signal is known by then is a matter of moments.
  await expect(call).rejects.toThrow(
    /^The MCP server "demo" went away before it answered.*\. What was asked may or may not have been done/,
  );
});

test('a call to a server that does not come back waits a little and says so', async () => {
  const servers = testServers({ other: { command: fixture('odd-server') } }, { timing: { callWaitMs: 100 } });
  await vi.waitFor(() => expect(servers.tools.has('other_tool-0')).toBe(true), READY_MS);
  servers.configure({ other: { command: fixture('odd-server', 'silent') } });
  const call = servers.tools.get('other_tool-0')!;
  await servers.reload();

  await expect(call.execute({}, toolContext())).rejects.toThrow(
    'The MCP server "other" is being connected and not ready yet. Try later, or go on without it.',
  );
});

test('a call to a server that failed tries it once more, and says what is wrong with it', async () => {
  const file = join(tempFolder(), 'pid');
  const servers = testServers(
    { demo: { command: fixture('odd-server', 'once', file) } },
    { timing: { reconnectMs: () => 60_000 } },
  );
  await servers.ready(READY_MS);

  process.kill(Number(readFileSync(file, 'utf8')), 'SIGKILL');
  await vi.waitFor(() => expect(servers.status()).toMatchObject([{ state: 'failed' }]), READY_MS);

  await expect(servers.call('demo_tool-0')).rejects.toMatchObject({
    name: 'ToolError',
    message:
      'The MCP server "demo" is not connected: the server exited with code 1: not again. ' +
      'It is being connected again; try later, or go on without it.',
  });
});

test('a server that does not answer is given up after the time to connect, and tried again', async () => {
  const servers = testServers({ demo: { command: fixture('odd-server', 'silent') } }, { timing: { connectMs: 500 } });
  await servers.ready(READY_MS);

  expect(servers.problems).toEqual([{ server: 'demo', message: 'it was not connected within 500 ms' }]);
});

test('new tools, prompts and resources are there once the server says so', async () => {
  const changes: string[] = [];
  const servers = testServers(
    { demo: { command: fixture('stdio-server') } },
    { onChange: ({ server, what }) => changes.push(`${server} ${what}`) },
  );
  await servers.ready(READY_MS);
  expect(await servers.listResources()).toHaveLength(2);
  changes.length = 0;

  await servers.call('demo_grow');

  await vi.waitFor(
    () => expect(changes.toSorted()).toEqual(['demo prompts', 'demo resources', 'demo tools']),
    READY_MS,
  );
  expect(await servers.call('demo_late')).toMatchObject({ output: 'here' });
  expect(servers.listCommands().map(({ name }) => name)).toEqual(['demo:review', 'demo:late']);
  expect((await servers.listResources()).map(({ name }) => name)).toEqual(['notes', 'logo', 'late']);
});

test('two tools that would get the same name are both callable, and the clash is told [FR-42]', async () => {
  const servers = testServers(
    {
      demo: { command: fixture('stdio-server') },
      'demo.': { command: fixture('stdio-server') },
      'demo-': { command: fixture('stdio-server') },
    },
    { builtIn: ['demo-_pid'] },
  );
  await servers.ready(READY_MS);
  expect(servers.problems).toEqual([
    {
      server: 'demo-',
      message: expect.stringMatching(
        /^its tool "pid" is called demo-_pid_[0-9a-f]{8}, because demo-_pid is the name of another tool$/,
      ),
    },
  ]);

  servers.configure({ 'de mo': { command: fixture('stdio-server') }, 'de.mo': { command: fixture('stdio-server') } });
  await servers.reload();
  await servers.ready(READY_MS);

  const [first, second] = [...servers.tools.keys()].filter((id) => id.startsWith('de_mo_pid'));
  expect([first, second]).toEqual(['de_mo_pid', expect.stringMatching(/^de_mo_pid_[0-9a-f]{8}$/)]);
  const outputs = await Promise.all([servers.call(first!), servers.call(second!)]);
  expect(outputs[0].output).not.toBe(outputs[1].output);
  expect(outputs.map(({ metadata }) => metadata!['server'])).toEqual(['de mo', 'de.mo']);
  expect(servers.problems.at(-1)!.message).toMatch(/because de_mo_\w+ is the name of the tool "\w+" of "de mo"$/);
});

test('pages are followed, entries that cannot be read are left out, and endless lists are refused', async () => {
  const servers = testServers(
    {
      pages: { command: fixture('odd-server') },
      faulty: { command: fixture('odd-server', 'faulty') },
      circle: { command: fixture('odd-server', 'circle') },
      endless: { command: fixture('odd-server', 'endless') },
    },
    { timing: { reconnectMs: () => 60_000 } },
  );
  await servers.ready(READY_MS);

  expect([...servers.tools.keys()].toSorted()).toEqual([
    'faulty_bare',
    'faulty_tool-0',
    'pages_tool-0',
    'pages_tool-1',
    'pages_tool-2',
  ]);
  expect(servers.status()).toMatchObject([
    { name: 'pages', state: 'connected' },
    { name: 'faulty', state: 'connected' },
    { name: 'circle', state: 'failed', reason: 'its tools/list goes round in circles: it gave the same cursor twice' },
    { name: 'endless', state: 'failed', reason: 'its tools/list has more than 100 pages' },
  ]);
  expect(servers.problems.map(({ server }) => server)).toContain('faulty');
  expect(await servers.call('pages_tool-0')).toMatchObject({
    output: '[hologram: a kind of content that cannot be shown]',
  });
});

test('a server that speaks only the newer protocol is greeted in that', async () => {
  const servers = testServers({ demo: { command: fixture('stdio-server', 'newer') } });
  await servers.ready(READY_MS);

  expect(servers.status()).toEqual([{ name: 'demo', state: 'connected', tools: 9 }]);
  expect(await servers.call('demo_echo', { text: 'hello' })).toMatchObject({ output: 'hello' });
});

test('after closing, neither the server nor what it started is left, however stubborn', async () => {
  const servers = testServers({
    kind: { command: fixture('stdio-server') },
    stubborn: { command: fixture('stdio-server', 'stubborn') },
  });
  await servers.ready(READY_MS);
  const names = ['kind_pid', 'kind_helper', 'stubborn_pid', 'stubborn_helper'];
  const pids = await Promise.all(names.map(async (name) => Number((await servers.call(name)).output)));
  expect(pids.map(isRunning)).toEqual([true, true, true, true]);

  await servers.close();

  await vi.waitFor(() => expect(pids.map(isRunning)).toEqual([false, false, false, false]), READY_MS);
});

test('a changed configuration closes what is gone, opens what is new and leaves the rest alone', async () => {
  const stays = { command: fixture('stdio-server') };
  const servers = testServers({ stays, goes: { command: fixture('stdio-server'), env: { KEY: 'old-secret' } } });
  await servers.ready(READY_MS);
  const [kept, gone] = await Promise.all([servers.call('stays_pid'), servers.call('goes_pid')]);
  const tool = servers.tools.get('stays_pid');

  servers.configure({ stays, comes: { command: fixture('odd-server') } });
  await servers.reload();
  await servers.ready(READY_MS);

  expect(servers.status().map(({ name, state }) => [name, state])).toEqual([
    ['stays', 'connected'],
    ['comes', 'connected'],
  ]);
  expect(isRunning(Number(gone.output))).toBe(false);
  expect(await servers.call('stays_pid')).toMatchObject({ output: kept.output });
  expect(servers.tools.get('stays_pid')).toBe(tool);
  expect(servers.tools.has('goes_pid')).toBe(false);
  expect(servers.tools.has('comes_tool-0')).toBe(true);
});
