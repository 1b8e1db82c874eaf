import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, rmSync, statSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { tempFolder } from '@dragoman/testkit';
import { describe, expect, test } from 'vitest';
import { findInstructions } from './find-instructions.ts';
import { InstructionCache } from './instruction-cache.ts';
import { instructionsBelow } from './instructions-below.ts';

/** A home and a project in it, with files. */
function world(files: Readonly<Record<string, string>>) {
  const base = tempFolder();
  const at = (name: string) => join(base, name);
  const write = (name: string, text: string) => {
    mkdirSync(dirname(at(name)), { recursive: true });
    writeFileSync(at(name), text);
  };
  for (const [name, text] of Object.entries({ 'home/app/src/deep/a.ts': '', ...files })) write(name, text);
  const places = { cwd: at('home/app/src'), root: at('home/app'), home: at('home'), files: [] as string[] };
  return {
    places,
    at,
    write,
    told: (paths: { path: string }[]) => paths.map(({ path }) => path.slice(base.length + 1)),
  };
}

test('instructions are found from the project down, then at home, then where the configuration says', async () => {
  const { places, told, at } = world({
    'home/AGENTS.md': 'above the project',
    'home/app/AGENTS.md': 'of the project',
    'home/app/CLAUDE.md': 'not used beside AGENTS.md',
    'home/app/src/CLAUDE.md': 'of the folder',
    'home/app/src/deep/AGENTS.md': 'below',
    'home/.config/dragoman/AGENTS.md': 'of the person',
    'home/.claude/CLAUDE.md': 'not used beside the own',
    'home/app/docs/b.md': 'b',
    'home/app/docs/a.md': 'a',
    'home/app/node_modules/x/docs/c.md': 'c',
    'home/rules.md': 'rules',
  });

  const { instructions, problems } = await findInstructions({
    ...places,
    files: ['**/docs/*.md', '~/rules.md', at('home/app/docs/a.md'), 'none/*.md', 'none.md'],
  });

  expect(told(instructions)).toEqual([
    'home/app/AGENTS.md',
    'home/app/src/CLAUDE.md',
    'home/.config/dragoman/AGENTS.md',
    'home/app/docs/a.md',
    'home/app/docs/b.md',
    'home/rules.md',
  ]);
  expect(instructions[0]).toEqual({ path: at('home/app/AGENTS.md'), text: 'of the project', bytes: 14, isCut: false });
  expect(problems).toEqual([
    { path: 'none/*.md', reason: 'no file fits it' },
    { path: at('home/app/none.md'), reason: 'there is no such file' },
  ]);
});

test('the file another program keeps for the person counts where there is no own', async () => {
  const { places, told } = world({ 'home/.claude/CLAUDE.md': 'of the person' });

  expect(told((await findInstructions(places)).instructions)).toEqual(['home/.claude/CLAUDE.md']);
});

test('a file that is large is cut at a line, and that is reported', async () => {
  const { places, at } = world({
    'home/app/AGENTS.md': `${'ä'.repeat(10_000)}\n${'b'.repeat(12_000)}\n${'c'.repeat(9_000)}`,
  });

  const { instructions, problems } = await findInstructions(places);

  expect(instructions).toEqual([
    {
      path: at('home/app/AGENTS.md'),
      text: `${'ä'.repeat(10_000)}\n${'b'.repeat(12_000)}`,
      bytes: 41_002,
      isCut: true,
    },
  ]);
  expect(problems).toEqual([
    { path: at('home/app/AGENTS.md'), reason: 'it is 41002 bytes; only the first 32768 are used' },
  ]);
});

test('a large file without lines is cut between characters', async () => {
  const { places } = world({ 'home/app/AGENTS.md': `x${'ä'.repeat(20_000)}` });

  expect((await findInstructions(places)).instructions[0]!.text).toBe(`x${'ä'.repeat(16_383)}`);
});

test('a file is told once, also when it is there under two names', async () => {
  const { places, at, told } = world({ 'home/app/AGENTS.md': 'text', 'home/app/src/x': '' });
  symlinkSync(at('home/app/AGENTS.md'), at('home/app/src/CLAUDE.md'));

  const { instructions } = await findInstructions({ ...places, files: ['AGENTS.md'] });

  expect(told(instructions)).toEqual(['home/app/AGENTS.md']);
});

test('a link out of the project is not followed, and that is reported', async () => {
  const { places, at } = world({ 'home/.ssh/id_rsa': 'secret' });
  symlinkSync(at('home/.ssh/id_rsa'), at('home/app/AGENTS.md'));

  expect(await findInstructions(places)).toEqual({
    instructions: [],
    problems: [
      { path: at('home/app/AGENTS.md'), reason: 'it is a link that points outside the project, so it is not read' },
    ],
  });
});

test.each([
  ['.env', 'it is a file meant for secrets, so it is not read'],
  ['.aws/credentials', 'it is a file meant for secrets, so it is not read'],
  ['.git/config', 'it is a link into .git, so it is not read'],
])('a link to %s of the project is not followed, neither at the root nor below', async (name, reason) => {
  const { places, at } = world({ [`home/app/${name}`]: 'KEY=1' });
  symlinkSync(at(`home/app/${name}`), at('home/app/AGENTS.md'));
  symlinkSync(at(`home/app/${name}`), at('home/app/src/deep/CLAUDE.md'));

  expect(await findInstructions(places)).toEqual({
    instructions: [],
    problems: [{ path: at('home/app/AGENTS.md'), reason }],
  });
  expect(instructionsBelow(places, new InstructionCache())(at('home/app/src/deep/a.ts'))).toEqual([]);
});

test('what the configuration names in the project does not lead out of it either', async () => {
  const { places, at } = world({ 'home/diary.md': 'secret', 'home/app/docs/b.md': 'b' });
  symlinkSync(at('home/diary.md'), at('home/app/docs/a.md'));

  const { instructions, problems } = await findInstructions({ ...places, files: ['docs/*.md'] });

  expect(instructions.map(({ text }) => text)).toEqual(['b']);
  expect(problems).toEqual([
    { path: at('home/app/docs/a.md'), reason: 'it is a link that points outside the project, so it is not read' },
  ]);
});

test('a link that leads elsewhere by now is looked at again', async () => {
  const { places, at } = world({ 'home/app/docs.md': 'text', 'home/app/.env': 'text' });
  const cache = new InstructionCache();
  symlinkSync('docs.md', at('home/app/AGENTS.md'));
  expect((await findInstructions(places, cache)).instructions).toHaveLength(1);

  rmSync(at('home/app/AGENTS.md'));
  symlinkSync('.env', at('home/app/AGENTS.md'));

  expect((await findInstructions(places, cache)).instructions).toEqual([]);
});

test.skipIf(process.platform === 'win32')('a pipe does not keep anybody waiting', async () => {
  const { places, at } = world({});
  execFileSync('mkfifo', [at('home/app/AGENTS.md')]);

  expect((await findInstructions(places)).problems).toEqual([
    { path: at('home/app/AGENTS.md'), reason: 'it is not a file' },
  ]);
});

test('a folder of that name, an empty file and a pattern with too many files do no harm', async () => {
  const { places } = world({
    'home/app/AGENTS.md/x': '',
    'home/app/src/AGENTS.md': ' \n',
    ...Object.fromEntries(Array.from({ length: 60 }, (_, index) => [`home/app/many/${index + 100}.md`, `${index}`])),
  });

  const { instructions, problems } = await findInstructions({ ...places, files: ['many/*.md'] });

  expect(instructions).toHaveLength(50);
  expect(problems).toEqual([{ path: 'many/*.md', reason: 'more than 50 files fit it; the others are left out' }]);
});

test.skipIf(process.getuid?.() === 0)('a file that may not be read is reported (not as root)', async () => {
  const { places, at } = world({ 'home/app/AGENTS.md': 'text' });
  chmodSync(at('home/app/AGENTS.md'), 0);

  expect((await findInstructions(places)).problems).toEqual([
    { path: at('home/app/AGENTS.md'), reason: expect.stringContaining('EACCES') },
  ]);
});

test('what did not change is not read again, and what did is', async () => {
  const { places, at, write } = world({ 'home/app/AGENTS.md': 'first', 'home/app/src/AGENTS.md': 'same' });
  const cache = new InstructionCache();
  const before = await findInstructions(places, cache);
  write('home/app/AGENTS.md', 'second');
  const { mtime } = statSync(at('home/app/AGENTS.md'));
  utimesSync(at('home/app/AGENTS.md'), mtime, new Date(mtime.getTime() + 5_000));

  const after = await findInstructions(places, cache);
  rmSync(at('home/app/AGENTS.md'));
  const last = await findInstructions(places, cache);

  expect(after.instructions.map(({ text }) => text)).toEqual(['second', 'same']);
  expect(after.instructions[1]).toBe(before.instructions[1]);
  expect(last.instructions).toEqual([before.instructions[1]]);
});

describe('below a file', () => {
  test('instructions on the way to it are told once in a session', () => {
    const { places, at, told } = world({
      'home/app/AGENTS.md': 'in every prompt',
      'home/app/src/AGENTS.md': 'in every prompt',
      'home/app/src/deep/AGENTS.md': 'deep',
      'home/app/src/deep/er/CLAUDE.md': 'deeper',
      'home/app/other/AGENTS.md': 'other',
    });
    const cache = new InstructionCache();
    const below = instructionsBelow(places, cache);

    expect(told(below(at('home/app/src/a.ts')))).toEqual([]);
    const both = [below(at('home/app/src/deep/er/b.ts')), below(at('home/app/src/deep/er/b.ts'))];
    expect(told(both.flat()).toSorted()).toEqual(['home/app/src/deep/AGENTS.md', 'home/app/src/deep/er/CLAUDE.md']);
    expect(told(below(at('home/app/src/deep/a.ts')))).toEqual([]);
    expect(told(below(at('home/app/other/c.ts')))).toEqual(['home/app/other/AGENTS.md']);
    expect(told(instructionsBelow(places, cache)(at('home/app/src/deep/a.ts')))).toEqual([
      'home/app/src/deep/AGENTS.md',
    ]);
  });

  test('what was told before a restart is not told again', () => {
    const { places, at } = world({ 'home/app/other/AGENTS.md': 'other' });
    const told = new Set<string>();
    instructionsBelow(places, new InstructionCache(), told)(at('home/app/other/a.ts'));

    expect(told).toEqual(new Set([at('home/app/other/AGENTS.md')]));
    expect(instructionsBelow(places, new InstructionCache(), told)(at('home/app/other/b.ts'))).toEqual([]);
  });

  test('who reads the instructions themselves is not told them, and other places have no say', () => {
    const { places, at } = world({ 'home/app/other/AGENTS.md': 'other', 'elsewhere/AGENTS.md': 'no' });
    symlinkSync(at('elsewhere/AGENTS.md'), at('home/app/src/deep/AGENTS.md'));
    const below = instructionsBelow(places, new InstructionCache());

    expect(below(at('home/app/other/AGENTS.md'))).toEqual([]);
    expect(below(at('elsewhere/a.ts'))).toEqual([]);
    expect(below(at('home/app/src/deep/a.ts'))).toEqual([]);
  });
});
