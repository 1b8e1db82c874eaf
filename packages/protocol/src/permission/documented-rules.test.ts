import { expect, test } from 'vitest';
import { compilePermissions } from './compile-permissions.ts';
import { DISGUISED_SHELLS } from './disguised-shells.fixture.ts';
import { type PermissionsConfig, rulesFromConfig } from './permissions-config.ts';

/** Everything that people are shown: documents, and what settings are described by. */
const TEXTS = import.meta.glob('../../../../{*.md,docs/**/*.md,packages/*/README.md,packages/*/src/**/*config*.ts}', {
  eager: true,
  query: '?raw',
  import: 'default',
}) as Readonly<Record<string, string>>;

const EXAMPLES = Object.entries(TEXTS).flatMap(([path, text]) =>
  Array.from(text.matchAll(/"bash": (\{ "[^}]*"(?:allow|ask|deny)"[^}]*\})/g), ([, rules]) => [path, rules!] as const),
);

test('the documents have examples of rules for commands', () => {
  expect(EXAMPLES.map(([path]) => path)).toContain('../../../../README.md');
});

test.each(EXAMPLES)('who takes over the example of %s, %s, allows no shell in disguise', (_, rules) => {
  const bash = JSON.parse(rules) as PermissionsConfig[string];
  const { decide } = compilePermissions(rulesFromConfig({ bash }, 'dragoman.json'));
  const allowed = DISGUISED_SHELLS.map(([, shell]) => shell).filter(
    (value) => decide({ tool: 'bash', subjects: [{ kind: 'command', value }] }).action === 'allow',
  );

  expect(allowed).toEqual([]);
});
