import { expect, test } from 'vitest';
import { CHECK_RULES } from '../packages/runner/src/check/check-rules.ts';
import { HOUSE_RULES } from './house-rules.ts';

/** A small repository that keeps every rule. */
const KEPT: Record<string, string> = {
  'tsconfig.json': JSON.stringify({ references: [{ path: 'packages/agent' }, { path: 'packages/cli' }] }),
  'packages/agent/package.json': '{}',
  'packages/cli/package.json': JSON.stringify({ dependencies: { zod: '1.0.0' } }),
  'ARCHITECTURE.md': '`packages/agent`, with `turn`, `tools`, `skills`, `mcp` and `compaction`, and `packages/cli`.',
  'CLAUDE.md': 'See [the map](ARCHITECTURE.md).',
  'README.md': [
    'Run `dragoman serve` or `dragoman token`.',
    ...['brew', 'apt', 'choco', 'scoop', 'cargo'].map((program) => `${program} install ripgrep`),
  ].join('\n'),
  'packages/runner/README.md': Object.entries(CHECK_RULES)
    .map(([id, { sentence }]) => `| \`${id}\` | ${sentence} |`)
    .join('\n'),
  'packages/cli/src/main.ts':
    "command('serve', 'start the server')\n  .action(serve);\nconst token = program\n  .command('token')\n",
  'packages/agent/src/open-agent.ts': '/** Opens it. */\nexport function openAgent() {}\n',
  'packages/agent/src/open-agent.test.ts': '',
  'packages/agent/src/turn/run-turn.test.ts': '',
  'packages/protocol/src/part/part.test.ts': '',
  'packages/agent/src/tools/tool.test.ts': '',
  'packages/agent/src/skills/find-skills.test.ts': '',
  'packages/agent/src/mcp/offers.test.ts': '',
  'packages/agent/src/compaction/compact.test.ts': '',
  'packages/web/src/pages/home/home-page.tsx': '<p className="text-ink" />',
  'packages/web/src/pages/home/home-words.ts': '',
};

/** What is said of the repository with these files instead; undefined takes one away. */
function said(changes: Record<string, string | undefined>): string[] {
  const files = new Map(
    Object.entries({ ...KEPT, ...changes }).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
  return Object.values(HOUSE_RULES).flatMap((broken) => broken(files));
}

test('a repository that keeps the rules hears nothing', () => {
  expect(said({})).toEqual([]);
});

test.each<[string, Record<string, string | undefined>, string[]]>([
  [
    'an export without a comment',
    { 'packages/agent/src/open-agent.ts': 'export function openAgent() {}\n' },
    ['packages/agent/src/open-agent.ts:1'],
  ],
  ['a source that is no TypeScript', { 'packages/cli/src/old.js': '' }, ['packages/cli/src/old.js']],
  [
    'a container and opencode as dependencies',
    { 'packages/cli/package.json': JSON.stringify({ dependencies: { inversify: '1', 'opencode-ai': '1' } }) },
    ['packages/cli/package.json: inversify', 'packages/cli/package.json: opencode-ai'],
  ],
  [
    'a package whose types are not checked',
    { 'tsconfig.json': '{ "references": [{ "path": "packages/cli" }] }' },
    ['packages/agent'],
  ],
  [
    'a package and a folder that are not in the map',
    { 'ARCHITECTURE.md': '`packages/agent`, with `turn`, `tools`, `skills` and `mcp`.' },
    ['packages/cli', 'compaction'],
  ],
  ['a stage without tests', { 'packages/agent/src/mcp/offers.test.ts': undefined }, ['packages/agent/src/mcp']],
  [
    'a command that the README does not tell',
    { 'packages/cli/src/main.ts': `${KEPT['packages/cli/src/main.ts']}command('mend [FOLDER]', 'mends')\n` },
    ['mend'],
  ],
  ['no CLAUDE.md', { 'CLAUDE.md': undefined }, ['CLAUDE.md does not lead to the architecture']],
  [
    'a link to nothing',
    { 'AGENTS.md': 'See [this](docs/gone.md), [that](README.md#run) and [those](https://example.com/x.md).' },
    ['AGENTS.md: docs/gone.md'],
  ],
  [
    'a README without ripgrep for Windows',
    { 'README.md': KEPT['README.md']!.replace(/choco.*\n/, '') },
    ['choco install ripgrep'],
  ],
  [
    'a rule that the guide does not list, and one that is none',
    { 'packages/runner/README.md': KEPT['packages/runner/README.md']!.replace('`unique-ids`', '`other-ids`') },
    [`unique-ids: ${CHECK_RULES['unique-ids'].sentence}`, `other-ids: ${CHECK_RULES['unique-ids'].sentence}`],
  ],
  [
    'a command that writes to a stream itself',
    {
      'packages/cli/src/commands/a.ts': "process.stdout.write('a');",
      'packages/cli/src/commands/b.ts': 'serve({ output: process.stderr });',
      'packages/cli/src/commands/c.ts': 'const { stdout } = process;',
      'packages/cli/src/commands/d.ts': 'console.error(error);',
      'packages/cli/src/commands/e.ts': "rawOutput.write('a');",
      'packages/cli/src/commands/f.ts': "import { stdout } from 'node:process';",
      'packages/cli/src/commands/g.ts': 'if (process.stdout.isTTY) print(text);',
      'packages/cli/src/commands/h.test.ts': "process.stdout.write('a');",
      'packages/cli/src/terminal/print.ts': "process.stdout.write('a');",
    },
    ['a', 'b', 'c', 'd', 'e', 'f'].map((name) => `packages/cli/src/commands/${name}.ts`),
  ],
  ['a component of 251 lines', { 'packages/web/src/long.tsx': 'line\n'.repeat(251) }, ['packages/web/src/long.tsx']],
  [
    'a page without words',
    { 'packages/web/src/pages/home/home-words.ts': undefined },
    ['packages/web/src/pages/home/home-words.ts'],
  ],
  [
    'a size of letters in a component',
    { 'packages/web/src/box.tsx': '<p className="text-[13px]" />' },
    ['packages/web/src/box.tsx'],
  ],
  [
    'a colour in a component',
    { 'packages/web/src/box.tsx': '<p className="bg-red-500" />' },
    ['packages/web/src/box.tsx'],
  ],
])('%s is told', (_name, changes, places) => {
  expect(said(changes)).toEqual(places);
});
