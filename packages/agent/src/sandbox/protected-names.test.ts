import { expect, test } from 'vitest';
import { isProtectedName } from './protected-names.ts';

test.each([
  '.git',
  '.GIT',
  '.hg',
  'lefthook.yml',
  '.lefthook.toml',
  'lefthook-local.yml',
  '.lefthook-local.json',
  'opencode.jsonc',
  '.mise.toml',
  'mise.local.toml',
  '.mise.local.toml',
  'mise.production.local.toml',
  '.kiro',
  '.roo',
  '.amazonq',
  '.windsurf',
])('%s is run or obeyed by programs', (name) => {
  expect(isProtectedName(name)).toBe(true);
});

test.each(['git', '.github', '.gitignore', 'lefthook.ts', 'promise.toml', 'mise.ts', 'AGENTS.md', 'package.json'])(
  '%s is not',
  (name) => {
    expect(isProtectedName(name)).toBe(false);
  },
);
