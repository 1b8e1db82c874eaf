import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { asOrdinaryUser, closedFolder, tempFolder } from '@dragoman/testkit';
import { expect, onTestFinished, test, vi } from 'vitest';
import { demoHttpHandler, serveLocally } from '../mcp/http-server.fixture.ts';
import { fixture, isRunning, parseMcpConfig } from '../mcp/mcp.fixture.ts';
import { serveProtected } from '../mcp/oauth-server.fixture.ts';
import { testMcpServer, type TestMcpServerOptions } from './test-mcp-server.ts';

/** Tries a server as the configuration would have it. */
function tried(server: unknown, options: Partial<TestMcpServerOptions> = {}) {
  const settings = parseMcpConfig({ mcp: { server } }).mcp['server']!;
  return testMcpServer({ settings, cwd: tempFolder(), signal: new AbortController().signal, ...options });
}

test('a server that works tells its tools, over a pipe and over HTTP, switched on or not', async () => {
  const remote = await serveLocally(demoHttpHandler());
  onTestFinished(() => remote.close());

  const [here, there] = await Promise.all([
    tried({ command: fixture('stdio-server'), enabled: false }),
    tried({ url: `${remote.origin}/mcp` }),
  ]);

  expect(here.problem).toBeUndefined();
  expect(here.tools).toContainEqual({ name: 'echo', description: 'Says it again.\n\nExactly.' });
  expect(there).toEqual(here);
});

test('what is wrong with a program is told, with what to do', async () => {
  const folder = tempFolder();
  writeFileSync(join(folder, 'plain'), '#!/bin/sh\n');
  const [absent, noFolder, notExecutable, crashed, silent] = await Promise.all([
    tried({ command: ['no-such-program-here', '--token', 'very-secret-one'] }, { cwd: folder }),
    tried({ command: [process.execPath], cwd: './gone' }, { cwd: folder }),
    tried({ command: [join(folder, 'plain')] }, { cwd: folder }),
    tried({ command: fixture('stdio-server', 'crash'), env: { API_KEY: 'very-secret-key' } }),
    tried({ command: fixture('odd-server', 'silent') }, { connectMs: 300 }),
  ]);

  expect(absent).toEqual({
    tools: [],
    problem: {
      code: 'command-not-found',
      message: `The server cannot be started with "no-such-program-here" in ${folder}: there is no such program.`,
      fix: '"no-such-program-here" was not found. Install it, or name it in "command" by its whole path.',
    },
  });
  expect(noFolder.problem).toMatchObject({
    code: 'folder-not-found',
    fix: `${folder}/gone is not a folder; name another one in "cwd".`,
  });
  expect(notExecutable.problem).toMatchObject({
    code: 'not-executable',
    fix: `See that ${folder}/plain may be run: chmod +x ${folder}/plain`,
  });
  expect(crashed.problem).toEqual({
    code: 'exited',
    message: 'The server exited with code 3: cannot start, and the key is ••••••.',
    fix: `Run it in a terminal to see what it needs: ${fixture('stdio-server', 'crash').join(' ')}. Variables it needs go into "env".`,
  });
  expect(silent.problem).toMatchObject({ code: 'timed-out', message: 'It was not connected within 300 ms.' });
});

test('a program that is missing is told as missing also where a folder of the PATH may not be entered', async () => {
  const env = { PATH: `${closedFolder()}:/usr/bin` };

  const absent = await asOrdinaryUser(() => tried({ command: ['no-such-program-here'], env }, { cwd: '/' }));

  expect(absent.problem).toEqual({
    code: 'command-not-found',
    message: 'The server cannot be started with "no-such-program-here" in /: there is no such program.',
    fix: '"no-such-program-here" was not found. Install it, or name it in "command" by its whole path.',
  });
});

test('a folder that may not be entered is told as such, and a script is not called missing for its interpreter', async () => {
  const script = join(tempFolder(), 'script');
  writeFileSync(script, '#!/no/such/interpreter\n', { mode: 0o755 });
  const closed = closedFolder();

  expect((await asOrdinaryUser(() => tried({ command: ['true'] }, { cwd: closed }))).problem).toEqual({
    code: 'failed',
    message: `The server cannot be started with "true" in ${closed}: there is no permission to open the folder.`,
    fix: `See that ${closed} may be entered, or name another folder in "cwd".`,
  });
  expect((await tried({ command: [script] }, { cwd: '/' })).problem).toEqual({
    code: 'failed',
    message: `The server cannot be started with "${script}" in /: the program named in its first line was not found.`,
    fix: `See that the program in the first line of ${script} is installed.`,
  });
});

test('a program that writes anything else without end is ended soon, and holds nobody up', async () => {
  const write = (what: string) => [process.execPath, '-e', `const go = () => process.stdout.write(${what}, go); go();`];
  const settings = [{ command: write(`'y\\n'.repeat(50_000)`) }, { command: write(`'\\0'.repeat(1_000_000)`) }];

  const [lines, endless] = await Promise.all(settings.map((server) => tried(server)));

  expect([lines!.problem, endless!.problem]).toEqual([
    {
      code: 'failed',
      message: 'The server wrote 1000 lines in a row that are no MCP messages.',
      fix: 'See that the command speaks MCP over its standard input and output.',
    },
    {
      code: 'failed',
      message: 'The server wrote a line of more than 33554432 bytes.',
      fix: 'See that the command speaks MCP over its standard input and output.',
    },
  ]);
});

test('what is wrong with an address is told, with what to do', async () => {
  const [refusing, other, locked] = await Promise.all([
    serveLocally((request) => new Response(`bad key ${request.headers.get('authorization')}`, { status: 401 })),
    serveLocally(() => undefined),
    serveProtected(),
  ]);
  onTestFinished(async () => void (await Promise.all([refusing, other, locked].map((server) => server.close()))));
  const gone = await serveLocally(() => undefined);
  await gone.close();

  const [refused, notMcp, needsLogin, unreachable] = await Promise.all([
    tried({ url: `${refusing.origin}/mcp`, headers: { authorization: 'Bearer very-secret-key' } }),
    tried({ url: `${other.origin}/mcp?key=very-secret-key` }),
    tried({ url: locked.url }),
    tried({ url: `${gone.origin}/mcp` }),
  ]);

  expect(refused.problem).toMatchObject({
    code: 'refused',
    message: 'HTTP 401: Error POSTing to endpoint: bad key ••••••.',
  });
  expect(notMcp.problem).toMatchObject({ code: 'failed' });
  expect(needsLogin).toEqual({
    tools: [],
    problem: {
      code: 'needs-login',
      message: 'The server asks a person to log in.',
      fix: 'Save it; where to log in is then told beside the server.',
    },
  });
  expect(unreachable.problem).toMatchObject({
    code: 'unreachable',
    message: expect.stringMatching(/^It cannot be reached: .*ECONNREFUSED/),
    fix: 'See that the address is right and that the server runs.',
  });
  expect(JSON.stringify([refused, notMcp])).not.toContain('very-secret-key');
});

test('who leaves ends the attempt, and the server with it', async () => {
  const folder = tempFolder();
  const pidFile = join(folder, 'pid');
  writeFileSync(
    join(folder, 'mute.mjs'),
    `import { existsSync, readFileSync, writeFileSync } from 'node:fs'; writeFileSync(${JSON.stringify(pidFile)}, String(process.pid)); process.stdin.resume();`,
  );
  const leaving = new AbortController();

  const testing = tried({ command: [process.execPath, 'mute.mjs'] }, { cwd: folder, signal: leaving.signal });
  await vi.waitFor(() => expect(existsSync(pidFile) && readFileSync(pidFile, 'utf8')).toMatch(/^\d+$/), 60_000);
  leaving.abort();

  await expect(testing).rejects.toMatchObject({ code: 'cancelled' });
  expect(isRunning(Number(readFileSync(pidFile, 'utf8')))).toBe(false);
});
