import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { compilePermissions } from './compile-permissions.ts';
import { DISGUISED_SHELLS } from './disguised-shells.fixture.ts';
import { type PermissionsConfig, rulesFromConfig } from './permissions-config.ts';

const ROOT = join(import.meta.dirname, '../../../..');
const TEXTS = [
  '*.md',
  'docs/**/*.md',
  'packages/*/README.md',
  'packages/*/src/**/*config*.ts',
  'packages/*/*.schema.json',
];

/** Every `"bash": { … }` that people are shown, with the file it stands in. */
const EXAMPLES = globSync(TEXTS, { cwd: ROOT })
  .filter((path) => !path.endsWith('.test.ts'))
  .flatMap((path) =>
    Array.from(
      readFileSync(join(ROOT, path), 'utf8')
        .replaceAll('\\"', '"')
        .matchAll(/"bash": (\{ "[^}]*\})/g),
      ([, rules]) => [path, rules!] as const,
    ),
  )
  .filter(([, rules]) => /"(allow|ask|deny)"/.test(rules));

test('the documents have examples of rules for commands', () => {
  expect(EXAMPLES.map(([path]) => path)).toContain('README.md');
});

test.each(EXAMPLES)('who takes over the example of %s, %s, allows no shell in disguise', (_, rules) => {
  const bash = JSON.parse(rules) as PermissionsConfig[string];
  const { decide } = compilePermissions(rulesFromConfig({ bash }, 'dragoman.json'));
  const allowed = DISGUISED_SHELLS.map(([, shell]) => shell).filter(
    (value) => decide({ tool: 'bash', subjects: [{ kind: 'command', value }] }).action === 'allow',
  );

  expect(allowed).toEqual([]);
});
