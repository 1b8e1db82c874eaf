import { compilePermissions, type PermissionRule, type PermissionSubject } from '@dragoman/protocol';
import { describe, expect, test } from 'vitest';
import { isToolOffered } from './agent-definition.ts';
import { builtInAgents } from './built-in-agents.ts';

const agents = new Map(builtInAgents().map((agent) => [agent.name, agent]));
const allowAll: PermissionRule = { tool: '*', pattern: '*', action: 'allow', origin: 'test', layer: 3 };

test('there is an agent that builds, one that plans, and two that others hand work to', () => {
  expect([...agents.values()].map(({ name, mode }) => [name, mode])).toEqual([
    ['build', 'primary'],
    ['plan', 'primary'],
    ['explore', 'subagent'],
    ['general', 'subagent'],
  ]);
});

describe('plan, even where everything is allowed otherwise,', () => {
  const { decide } = compilePermissions([allowAll, ...agents.get('plan')!.permissions]);
  const decided = (tool: string, kind: PermissionSubject['kind'], value: string) =>
    decide({ tool, subjects: [{ kind, value }] }).action;

  test.each(['git status', 'git log --oneline -5', 'git diff HEAD~1', 'ls -la src', 'cat a.ts', 'rg -n foo', 'pwd'])(
    'may look with %s',
    (command) => {
      expect(decided('bash', 'command', command)).toBe('allow');
    },
  );

  test.each([
    'rm -rf src',
    'git commit -m x',
    'git checkout .',
    'git branch -D main',
    'npm test',
    'git log --output=src/a.ts',
    'git diff --outp=x',
    'rg --pre ./run.sh foo',
    'sudo ls',
    'X=1 git log',
    'catx',
    'git statusx',
    '<unreadable> cat $(rm x) </unreadable>',
  ])('may not run %s', (command) => {
    expect(decided('bash', 'command', command)).toBe('deny');
  });

  test('changes no file, neither by an edit nor by where a command writes to', () => {
    expect(decided('edit', 'path', 'src/a.ts')).toBe('deny');
    expect(decided('bash', 'path', 'src/a.ts')).toBe('deny');
    expect(
      ['edit', 'write', 'apply-patch', 'bash', 'read'].filter((tool) => isToolOffered(agents.get('plan')!, tool)),
    ).toEqual(['bash', 'read']);
  });

  test('hands work only to an agent that looks', () => {
    expect(decided('task', 'name', 'explore')).toBe('allow');
    expect(decided('task', 'name', 'general')).toBe('deny');
    expect(decide({ tool: 'task', subjects: [] }).action).toBe('allow');
  });
});

test('explore has tools that look and no others; general hands nothing on', () => {
  const tools = ['read', 'glob', 'grep', 'code-search', 'edit', 'write', 'bash', 'task', 'todo-write', 'mcp_anything'];

  expect(tools.filter((tool) => isToolOffered(agents.get('explore')!, tool))).toEqual([
    'read',
    'glob',
    'grep',
    'code-search',
  ]);
  expect(tools.filter((tool) => !isToolOffered(agents.get('general')!, tool))).toEqual(['task', 'todo-write']);
});

test('each is told what it is for, in a text without loose ends', () => {
  for (const { prompt, description } of agents.values()) {
    expect(prompt).toBe(prompt.trim());
    expect(prompt).toContain('Never invent');
    expect(prompt).not.toMatch(/[ \t]$|undefined|TODO/m);
    expect(description.length).toBeGreaterThan(30);
  }
});
