import { expect, test } from 'vitest';
import { z } from 'zod';
import { compilePermissions } from './compile-permissions.ts';
import { permissionsConfigSchema, rulesFromConfig } from './permissions-config.ts';
import type { PermissionRule } from './permission.ts';

const mistakes = (config: unknown) =>
  permissionsConfigSchema.safeParse(config).error?.issues.map(({ path, message }) => `${path.join(' › ')}: ${message}`);

test('what a user writes becomes rules with the place where it was written [NFR-09]', () => {
  const config = permissionsConfigSchema.parse({
    bash: { 'git *': 'allow', 'rm *': 'deny' },
    edit: 'ask',
    '*': 'allow',
  });

  expect(rulesFromConfig(config, 'dragoman.json')).toEqual([
    { tool: 'bash', pattern: 'git *', action: 'allow', origin: 'dragoman.json', layer: 1 },
    { tool: 'bash', pattern: 'rm *', action: 'deny', origin: 'dragoman.json', layer: 1 },
    { tool: 'edit', pattern: '*', action: 'ask', origin: 'dragoman.json', layer: 1 },
    { tool: '*', pattern: '*', action: 'allow', origin: 'dragoman.json', layer: 1 },
  ]);
  expect(rulesFromConfig({ edit: 'deny' }, 'agent plan', 2)).toMatchObject([{ layer: 2 }]);
});

test("a user's rules take effect over the defaults, in either direction [NFR-09]", () => {
  const defaults: PermissionRule[] = [
    { tool: 'read', pattern: '*', action: 'allow', origin: 'defaults' },
    { tool: 'bash', pattern: 'git push *', action: 'ask', origin: 'defaults' },
  ];
  const user = rulesFromConfig({ read: { 'private/**': 'deny' }, bash: 'allow' }, 'dragoman.json');
  const { decide } = compilePermissions([...defaults, ...user]);
  const read = (value: string) => decide({ tool: 'read', subjects: [{ kind: 'path', value }] }).action;

  expect(decide({ tool: 'bash', subjects: [{ kind: 'command', value: 'git push' }] }).action).toBe('allow');
  expect([read('private/a'), read('public/a')]).toEqual(['deny', 'allow']);
});

test('every mistake is named in its place [NFR-09]', () => {
  expect(
    mistakes({
      edit: 'alow',
      bash: { 'git *': 'yes', ' rm *': 'deny', '': 'ask', ['x'.repeat(1_001)]: 'ask', ls: 'allow' },
      'my tool': 'ask',
      write: 'deny',
      'web-fetch': { 'https://example.com/*': 'allow' },
    }),
  ).toEqual([
    'edit: expected one of "allow", "ask", "deny", found "alow"',
    'bash › git *: expected one of "allow", "ask", "deny", found "yes"',
    'bash ›  rm *: a pattern must not begin or end with a space',
    'bash › : expected a pattern; "*" is everything',
    `bash › ${'x'.repeat(1_001)}: expected a pattern of at most 1000 characters, found 1001`,
    'my tool: expected a tool\'s name: letters, digits, "-" and "_", with "*" for any run of characters',
    'write: write is decided as "edit"; write "edit" instead',
    'web-fetch › https://example.com/*: web-fetch is decided by host: write "example.com", or "*.example.com" for the hosts below it',
  ]);
  expect(mistakes({ edit: 'x'.repeat(31) })).toEqual(['edit: expected one of "allow", "ask", "deny", found text']);
  expect(mistakes({ edit: 5 })).toHaveLength(1);
  expect(mistakes([])).toHaveLength(1);
  expect(mistakes({ edit: 'ask', bash: {} })).toBeUndefined();
});

test('the published form names the three words', () => {
  expect(z.toJSONSchema(permissionsConfigSchema, { io: 'input' })).toMatchObject({
    type: 'object',
    additionalProperties: {
      anyOf: [
        { type: 'string', enum: ['allow', 'ask', 'deny'] },
        { type: 'object', additionalProperties: { type: 'string', enum: ['allow', 'ask', 'deny'] } },
      ],
    },
  });
});
