import { existsSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { PermissionExplanation, Role } from '@dragoman/protocol';
import { type ConsoleClient, createConsoleClient } from '@dragoman/protocol/console';
import { WORKPLACE_ROUTES } from '@dragoman/protocol/routes';
import { WORKPLACE_CALLS } from '@dragoman/protocol/console-calls';
import { runDragoman, type RunningDragoman, serveDragoman, tempFolder } from '@dragoman/testkit';
import { expect, test, vi } from 'vitest';
import { codeBase, writeIn } from '../code-base.fixture.ts';

type CallName = keyof typeof WORKPLACE_ROUTES;

const MCP_SERVER = fileURLToPath(new URL('../../../agent/src/mcp/stdio-server.fixture.ts', import.meta.url));

/** Speaks the protocol, and begins its first turn with whatever the test wants broken. */
const uapAgent = (first = '') => `#!${process.execPath}
import { createInterface } from 'node:readline';
const say = (line) => console.log(JSON.stringify(line));
createInterface({ input: process.stdin }).on('line', (line) => {
  const { type } = JSON.parse(line);
  if (type === 'start') say({ type: 'ready' });
  if (type !== 'prompt') return;
  ${first}
  say({ role: 'assistant', content: [{ type: 'text', text: 'There is a.ts.' }] });
  say({ type: 'turn-finished' });
});
`;

/** A server on a project of the test's own, with its owner's client. */
async function serveProject(
  config: object = {},
): Promise<{ server: RunningDragoman; client: ConsoleClient; root: string }> {
  const [home, root] = [tempFolder(), codeBase()];
  writeFileSync(join(home, 'dragoman.json'), JSON.stringify(config));
  const server = await serveDragoman([], { home, cwd: root });
  return { server, root, client: createConsoleClient({ url: server.url, token: server.token }) };
}

/** What was answered, having exactly what the contract says. */
function exactly<Answer>(name: CallName, answer: Answer): Answer {
  expect(WORKPLACE_CALLS[name].answer.parse(answer)).toEqual(answer);
  return answer;
}

test('only admins look at a workplace and try things on the machine', async () => {
  const { server } = await serveProject();
  const roles: Role[] = ['viewer', 'member', 'admin'];
  const tokens = new Map<Role, string>();
  const created = roles.map(async (role) => {
    const { stdout } = await runDragoman(['token', 'create', role, '--role', role], { home: server.home });
    tokens.set(role, stdout.trim());
  });
  await Promise.all(created);
  const bodies: Record<CallName, object | undefined> = {
    readWorkplace: undefined,
    explainPermission: { tool: 'read', value: '' },
    testMcpServer: { server: { command: ['no-such-program-here'] } },
    checkAgent: { agent: { backend: 'uap', command: ['no-such-program-here'] } },
  };
  const status = async (name: CallName, role: Role | undefined) => {
    const { method, path } = WORKPLACE_ROUTES[name];
    const body = bodies[name];
    const answer = await fetch(server.url + path, {
      method,
      headers: {
        ...(role !== undefined && { authorization: `Bearer ${tokens.get(role)}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    await answer.arrayBuffer();
    return answer.status;
  };

  const answers: Partial<Record<CallName, number[]>> = {};
  for (const name of Object.keys(bodies) as CallName[]) {
    answers[name] = [];
    for (const role of [undefined, ...roles]) answers[name].push(await status(name, role));
  }

  const adminsOnly = [401, 403, 403, 200];
  expect(answers).toEqual({
    readWorkplace: adminsOnly,
    explainPermission: adminsOnly,
    testMcpServer: adminsOnly,
    checkAgent: adminsOnly,
  });
});

test('what the native agent has in a folder is told, and follows the configuration', async () => {
  const { server, client, root } = await serveProject({
    mcp: { demo: { command: [process.execPath, MCP_SERVER], env: { KEY: 'very-secret-key' } } },
  });
  const elsewhere = realpathSync(tempFolder());
  writeIn(elsewhere, '.dragoman/skills/deploy/SKILL.md', 'no front matter');
  writeIn(elsewhere, 'AGENTS.md', 'Be calm.');

  const here = exactly('readWorkplace', await client.readWorkplace());
  expect(here).toMatchObject({ root, skills: [], instructions: [], problems: [] });
  expect(here.agents.map(({ name }) => name)).toEqual(['build', 'plan', 'explore', 'general']);
  expect(here.tools.map(({ name }) => name)).toEqual(expect.arrayContaining(['bash', 'code-search', 'demo_echo']));
  expect(here.mcp).toMatchObject([{ name: 'demo', state: 'connected', target: `${process.execPath} ${MCP_SERVER}` }]);
  expect(JSON.stringify(here)).not.toContain('very-secret-key');

  const there = exactly('readWorkplace', await client.readWorkplace({ folder: elsewhere }));
  expect(there).toMatchObject({
    root: elsewhere,
    skills: [{ name: 'deploy', problem: 'line 1: there is no front matter; the first line must be "---"' }],
    instructions: [join(elsewhere, 'AGENTS.md')],
  });

  const config = { agent: { tools: { disabled: ['bash'] } }, runner: { folders: [root] } };
  writeFileSync(join(server.home, 'dragoman.json'), JSON.stringify(config));
  await server.untilLogged('the configuration was read again');
  const after = await client.readWorkplace();
  expect(after.mcp).toEqual([]);
  expect(after.tools.map(({ name }) => name)).not.toContain('bash');
  await expect(client.readWorkplace({ folder: elsewhere })).rejects.toMatchObject({
    code: 'bad-request',
    message: `folder: agents on this machine are not allowed in ${elsewhere}; they may work in ${root}.`,
  });
});

test('what would become of a call is the same as the command line tells [ACC-21, ACC-22]', async () => {
  const { server, client, root } = await serveProject({ permissions: { bash: { 'rm *': 'deny' } } });
  const asked = [
    { tool: 'bash', value: 'git status && rm -rf x' },
    { tool: 'read', value: '.env' },
    { tool: 'edit', value: 'src/retry.ts', agent: 'plan' },
    { tool: 'web-search', value: '' },
    { tool: 'no-tool', value: '' },
  ];

  for (const { tool, value, agent } of asked) {
    const answer = exactly('explainPermission', await client.explainPermission({ tool, value, agent }));
    const words = ['permissions', 'explain', tool, ...(value === '' ? [] : [value]), '--json'];
    const { stdout } = await runDragoman([...words, ...(agent === undefined ? [] : ['--agent', agent])], {
      home: server.home,
      cwd: root,
    });
    const told = JSON.parse(stdout) as PermissionExplanation & { note?: string };
    expect(answer).toEqual({
      action: told.action,
      ...(told.note === undefined ? {} : { note: told.note }),
      subjects: told.subjects.map(({ action, subject, reason, matches }) => ({
        action,
        ...subject,
        reason,
        rules: matches.map((rule) => ({
          action: rule.action,
          tool: rule.tool,
          pattern: rule.pattern,
          origin: rule.origin,
        })),
      })),
    });
  }
  await expect(client.explainPermission({ tool: 'read', value: 'a', agent: 'nobody' })).rejects.toThrow(
    'There is no agent "nobody" here. The agents are: build, plan, explore, general.',
  );
  await expect(client.explainPermission({ tool: 'web-search', value: 'x' })).rejects.toMatchObject({
    code: 'bad-request',
  });
});

test('an MCP server is tried before it is saved, with the secrets it refers to', async () => {
  const { server, client } = await serveProject();
  await runDragoman(['secret', 'set', 'demo-key'], { home: server.home, input: 'very-secret-key' });
  const tried = async (settings: Record<string, string | string[] | Record<string, string>>) =>
    exactly('testMcpServer', await client.testMcpServer({ server: settings }));

  const good = await tried({ command: [process.execPath, MCP_SERVER], env: { API_KEY: '{secret:demo-key}' } });
  expect(good.problem).toBeUndefined();
  expect(good.tools.map(({ name }) => name)).toContain('echo');
  expect(
    await tried({ command: [process.execPath, MCP_SERVER, 'crash'], env: { API_KEY: '{secret:demo-key}' } }),
  ).toMatchObject({
    tools: [],
    problem: { code: 'exited', message: 'The server exited with code 3: cannot start, and the key is ••••••.' },
  });
  await expect(tried({ command: [] })).rejects.toMatchObject({
    code: 'bad-request',
    message: 'server.command: expected a list of at least 1 entries, found a list',
  });
  await expect(tried({ url: 'https://example.com', headers: { key: '{secret:none}' } })).rejects.toThrow(
    'server.headers.key: there is no secret named none; add it with: dragoman secret set none',
  );
  await expect(tried({ url: 'https://example.com', headers: { key: '••••••' } })).rejects.toThrow(
    'server.headers.key: this is the masked value, not the secret. Enter the secret again, or refer to one as {secret:name}.',
  );
  expect(readFileSync(join(server.home, 'dragoman.json'), 'utf8')).toBe('{}');
});

test('an agent is checked before it is saved, and told which rules it breaks [UAP-38]', async () => {
  const { client, root } = await serveProject();
  writeFileSync(join(root, 'good'), uapAgent(), { mode: 0o755 });
  const broken = `say({ role: 'user', content: [{ type: 'text', text: 'I am the model, ' + process.env.KEY }] });`;
  writeFileSync(join(root, 'broken'), uapAgent(broken), { mode: 0o755 });
  const checked = async (input: Parameters<ConsoleClient['checkAgent']>[0]) =>
    exactly('checkAgent', await client.checkAgent(input));
  const failed = ({ rules }: Awaited<ReturnType<typeof checked>>) =>
    rules.filter(({ outcome }) => outcome === 'failed').map(({ id }) => id);

  const good = await checked({ agent: { backend: 'uap', command: [join(root, 'good')] } });
  expect([good.isWell, failed(good), good.problem]).toEqual([true, [], undefined]);

  const agent = { backend: 'uap', command: [join(root, 'broken')], env: { KEY: 'very-secret-key' } };
  const bad = await checked({ name: 'mine', agent, folder: root });
  expect([bad.isWell, failed(bad)]).toEqual([false, ['roles-right']]);
  expect(bad.rules.find(({ id }) => id === 'roles-right')).toEqual({
    id: 'roles-right',
    title: 'What the model says is in messages of role assistant, results are in user, the rest is in agent.',
    outcome: 'failed',
    says: expect.stringMatching(/^.*a text block in a message of role user.*\ntext, thinking, tool_use: assistant\./),
  });
  expect(JSON.stringify(bad)).not.toContain('very-secret-key');

  expect(await checked({ agent: { backend: 'acp', command: ['no-such-program-here'] } })).toMatchObject({
    isWell: false,
    problem: { code: 'unavailable', message: expect.stringContaining('no-such-program-here') },
  });
  expect(await checked({ name: 'native' })).toMatchObject({ isWell: true });
  const { findings } = await client.diagnose();
  expect(findings.find(({ subject }) => subject === 'sessions')).toMatchObject({ says: '0 stored' });
  await expect(checked({ name: 'no-such-agent' })).rejects.toMatchObject({ code: 'not-found' });
  await expect(checked({})).rejects.toMatchObject({ code: 'bad-request' });
  await expect(checked({ agent: { backend: 'uap', comand: [] } })).rejects.toThrow(
    'agent.comand: unknown key; did you mean "command"?',
  );
});

test('one agent is checked at a time, and who leaves ends it', async () => {
  const { client, root } = await serveProject();
  const pidFile = join(root, 'pid');
  const mute = `#!${process.execPath}
import { writeFileSync } from 'node:fs';
writeFileSync(${JSON.stringify(pidFile)}, String(process.pid));
process.stdin.resume();
`;
  writeFileSync(join(root, 'mute'), mute, { mode: 0o755 });
  const leaving = new AbortController();

  const agent = { backend: 'uap', command: [join(root, 'mute')] };
  const checking = client.checkAgent({ agent }, { signal: leaving.signal });
  checking.catch(() => {});
  await vi.waitFor(() => expect(existsSync(pidFile) && readFileSync(pidFile, 'utf8')).toMatch(/^\d+$/), 60_000);
  await expect(client.checkAgent({ name: 'native' })).rejects.toMatchObject({
    code: 'conflict',
    message: 'Another agent is being checked. Try again when it is done.',
  });
  leaving.abort();

  await expect(checking).rejects.toMatchObject({ code: 'cancelled' });
  await vi.waitFor(() => expect(isRunning(Number(readFileSync(pidFile, 'utf8')))).toBe(false), 60_000);
  await vi.waitFor(
    async () => expect(await client.checkAgent({ name: 'native' })).toMatchObject({ isWell: true }),
    60_000,
  );
});

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
