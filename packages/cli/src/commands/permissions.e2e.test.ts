import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ApprovalStore } from '@dragoman/agent';
import { openStore } from '@dragoman/server';
import { runDragoman, tempFolder } from '@dragoman/testkit';
import { expect, test } from 'vitest';
import { codeBase, writeIn } from '../code-base.fixture.ts';
import { roomMigrations } from '../rooms.ts';

async function permissions(place: { home: string; cwd: string }, ...args: string[]): Promise<string> {
  const { exitCode, stdout, stderr } = await runDragoman(['permissions', ...args], place);
  return `${exitCode === 0 ? '' : `${exitCode} `}${stdout}${stderr}`;
}

test('what was allowed for good in a project is listed, and asked about again once it is taken back', async () => {
  const here = { home: tempFolder(), cwd: codeBase() };
  expect(await permissions(here)).toBe(`Nothing is always allowed in ${here.cwd}.\n`);
  const store = await openStore(
    { databaseFile: join(here.home, 'dragoman.sqlite'), databaseUrl: undefined },
    { rooms: roomMigrations },
  );
  const approvals = new ApprovalStore(store, () => Date.UTC(2026, 0, 31, 8, 15));
  const { id } = await approvals.save(here.cwd, { tool: 'bash', kind: 'command', pattern: 'npm test *' });
  await approvals.save(tempFolder(), { tool: 'edit', pattern: '*' });
  await store.close();

  const explain = ['explain', 'bash', 'npm test -- --run'];
  const [listed, json, allowed] = await Promise.all([
    permissions(here, 'list'),
    permissions(here, 'list', '--json'),
    permissions(here, ...explain),
  ]);
  expect(listed).toBe(
    [
      'id                              since             tool  allowed',
      `${id}  2026-01-31 08:15  bash  command npm test *`,
      '',
    ].join('\n'),
  );
  expect(JSON.parse(json)).toMatchObject([{ id, project: here.cwd }]);
  expect(allowed).toMatch(new RegExp(`^allow\n[^]* allow +bash +npm test \\* +approval ${id}\n`));

  expect(await permissions(here, 'remove', id)).toBe(`Approval ${id} removed.\n`);
  expect(await permissions(here, ...explain)).toMatch(/^ask\n/);
  expect(await permissions(here, 'remove', id)).toBe(
    `1 dragoman: Approval ${id} not found. List them with: dragoman permissions list\n`,
  );
});

test('each command of a line is explained, with the rule that decided and those that would have [ACC-21, ACC-22]', async () => {
  const here = { home: tempFolder(), cwd: codeBase() };
  writeFileSync(join(here.home, 'dragoman.json'), '{ "permissions": { "bash": { "rm *": "deny" } } }');

  expect(await permissions(here, 'explain', 'bash', 'git status && rm -rf x')).toBe(
    [
      'deny',
      '',
      'allow  command git status',
      '"bash" with the command "git status" is allowed because of the rule "bash": { "git status *": "allow" } (defaults).',
      '         tool  pattern       from',
      '  allow  bash  git status *  defaults',
      '  ask    *     *             defaults',
      '',
      'deny  command rm -rf x',
      '"bash" with the command "rm -rf x" is denied because of the rule "bash": { "rm *": "deny" } (dragoman.json).',
      '        tool  pattern  from',
      '  deny  bash  rm *     dragoman.json',
      '  ask   *     *        defaults',
      '',
    ].join('\n'),
  );
  expect(JSON.parse(await permissions(here, 'explain', 'bash', 'git', 'status', '--json'))).toMatchObject({
    tool: 'bash',
    action: 'allow',
    rule: { tool: 'bash', pattern: 'git status *', origin: 'defaults' },
    subjects: [{ subject: { kind: 'command', value: 'git status' }, action: 'allow' }],
  });
});

test('an agent’s own rules count, and what the rules do not say is told', async () => {
  const here = { home: tempFolder(), cwd: codeBase() };
  writeIn(here.home, 'dragoman.json', '{ "agent": { "tools": { "disabled": ["web-search"] } } }');

  expect(await permissions(here, 'explain', 'edit', 'a.ts', '--agent', 'plan')).toMatch(
    /^deny\n[^]*deny +edit +\* +the agent plan\n[^]*The agent "plan" is not offered this tool\.\n$/,
  );
  expect(await permissions(here, 'explain', 'web-search')).toContain(
    'The tool "web-search" is switched off by agent.tools.disabled.\n',
  );
  expect(await permissions(here, 'explain', 'no-tool')).toMatch(
    /^ask\n[^]*There is no tool named "no-tool" here; this is what the rules say of the name\. The tools are: bash, read,/,
  );
  expect(await permissions(here, 'explain', 'edit', '--agent', 'nobody')).toBe(
    '1 dragoman: There is no agent "nobody" here. The agents are: build, plan, explore, general.\n',
  );
});
