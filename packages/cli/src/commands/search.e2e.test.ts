import { realpathSync } from 'node:fs';
import { join } from 'node:path';
import { runDragoman, tempFolder } from '@dragoman/testkit';
import { expect, test } from 'vitest';
import { codeBase, writeIn } from '../code-base.fixture.ts';

const QUESTION = 'how often is a call retried?';

test('a question is answered from the folder one is in, which is indexed first, and anew after a change', async () => {
  const [cwd, home] = [codeBase(), tempFolder()];

  const first = await runDragoman(['search', QUESTION, '--limit', '1'], { home, cwd });
  expect(first).toEqual({
    exitCode: 0,
    stdout: [
      'src/retry.ts:1-6  mayRetry',
      '  1  /** How often a failed call is tried again. */',
      '  2  export const MAX_RETRIES = 3;',
      '  3',
      '  4  export function mayRetry(attempt: number): boolean {',
      '  5    return attempt < MAX_RETRIES;',
      '  6  }',
      '',
      '',
    ].join('\n'),
    stderr: '',
  });

  writeIn(cwd, 'src/retry.ts', 'export const retriesOfACall = 12;\n');
  const second = await runDragoman(['search', ...QUESTION.split(' '), '--json'], { home, cwd });
  expect(JSON.parse(second.stdout)).toMatchObject({
    root: cwd,
    results: [{ path: 'src/retry.ts', start: 1, text: 'export const retriesOfACall = 12;' }],
  });
});

test('with --why every place says what spoke for it, for people and for programs', async () => {
  const [cwd, home] = [codeBase(), tempFolder()];

  const shown = await runDragoman(['search', QUESTION, '--limit', '1', '--why'], { home, cwd });
  expect(shown.stdout).toMatch(/^src\/retry\.ts:1-6 {2}mayRetry\n(?: .*\n)+ {4}why\n/);
  expect(shown.stdout).toMatch(/^ {4} +\+\d+ % {2}Words in the path +retried$/m);
  expect(shown.stdout).toMatch(/^ {4} +\+\d+ % {2}Meaning +nearest at line 1, \d+ of 100$/m);

  const json = await runDragoman(['search', QUESTION, '--limit', '1', '--why', '--json'], { home, cwd });
  expect(JSON.parse(json.stdout)).toMatchObject({
    root: cwd,
    results: [
      {
        path: 'src/retry.ts',
        why: expect.arrayContaining([
          expect.objectContaining({ reason: 'meaning', title: 'Meaning' }) as object,
          {
            reason: 'words-in-path',
            title: 'Words in the path',
            detail: 'retried',
            weight: expect.any(Number) as number,
          },
        ]) as unknown[],
      },
    ],
  });
});

test('paths are told as seen from where one is', async () => {
  const [root, home] = [codeBase(), tempFolder()];
  await runDragoman(['index', root], { home });
  const firstPath = async (args: string[], cwd: string) =>
    (await runDragoman(['search', 'check_password', ...args], { home, cwd })).stdout.split(':')[0];

  expect(await firstPath([], join(root, 'docs'))).toBe('../src/login.py');
  expect(await firstPath(['--dir', root], tempFolder())).toBe(join(root, 'src/login.py'));
});

test('a name is answered with where it is defined, and an unknown one with none and exit code 1', async () => {
  const [cwd, home] = [codeBase(), tempFolder()];

  const found = await runDragoman(['search', '--symbol', 'check_password', '--json'], { home, cwd });
  expect(JSON.parse(found.stdout)).toMatchObject({
    results: [{ path: 'src/login.py', start: 1, end: 2, symbol: 'check_password' }],
  });

  expect(await runDragoman(['search', '--symbol', 'no_such_name'], { home, cwd })).toEqual({
    exitCode: 1,
    stdout: `No definition of no_such_name found in ${cwd}; see what is indexed: dragoman index --stats\n`,
    stderr: '',
  });
  expect(await runDragoman(['search', 'xylophone'], { home, cwd })).toEqual({
    exitCode: 1,
    stdout: `No results in ${cwd}. Try other words, or see what is indexed: dragoman index --stats\n`,
    stderr: '',
  });
  const json = await runDragoman(['search', 'xylophone', '--json'], { home, cwd });
  expect(json).toEqual({ exitCode: 1, stdout: `${JSON.stringify({ root: cwd, results: [] })}\n`, stderr: '' });
});

test('what cannot be asked says why, before anything is indexed', async () => {
  const cwd = codeBase();
  const failing = async (...args: string[]) => {
    const { exitCode, stdout, stderr } = await runDragoman(['search', ...args], { cwd, env: { DRAGOMAN_TOKEN: 't' } });
    return `${exitCode} ${stdout}${stderr.trim()}`;
  };

  expect(await failing('retries', '--limit', 'many')).toBe(
    '2 dragoman: --limit many: expected a whole number from 1 to 100.',
  );
  expect(await failing('retries', '--symbol', '--server', 'http://127.0.0.1:1')).toBe(
    '2 dragoman: --symbol, --why and --limit cannot be combined with --server.',
  );
});

test('why a definition is one needs no reason', async () => {
  const { exitCode, stderr } = await runDragoman(['search', 'retries', '--symbol', '--why'], { cwd: codeBase() });

  expect(`${exitCode} ${stderr.trim()}`).toBe(
    '2 dragoman: --why cannot be combined with --symbol: definitions are not ranked.',
  );
});

test('called through npm, paths are seen from where npm was called, and advice is what has to be typed', async () => {
  const root = codeBase();
  const env = { npm_lifecycle_event: 'dragoman', INIT_CWD: join(root, 'src') };
  const home = tempFolder();

  const found = await runDragoman(['search', 'check_password', '--limit', '1'], { home, env });
  expect(found.stdout).toMatch(/^login\.py:1-2 {2}check_password\n/);

  const nothing = await runDragoman(['search', 'xylophone', '--dir', '../docs'], { home, env });
  expect(nothing.stdout).toBe(
    `No results in ${join(root, 'docs')}. Try other words, or see what is indexed: npm run -s dragoman -- index ${join(root, 'docs')} --stats\n`,
  );
});

test('a folder that was named is in the advice, also where it needs quotes', async () => {
  const named = join(codeBase(), 'my code');
  writeIn(named, 'a.ts', 'export const first = 1;\n');
  const { exitCode, stdout } = await runDragoman(['search', '--symbol', 'no_such_name', '--dir', named]);

  expect({ exitCode, stdout }).toEqual({
    exitCode: 1,
    stdout: `No definition of no_such_name found in ${named}; see what is indexed: dragoman index '${named}' --stats\n`,
  });
});

test('of a folder without anything to search it is said that there is none', async () => {
  const cwd = realpathSync(tempFolder());
  writeIn(cwd, 'logo.png', '\u0000');

  expect(await runDragoman(['search', 'anything'], { cwd })).toEqual({
    exitCode: 1,
    stdout: `${cwd} has no searchable files. To see what was excluded and why: dragoman index --stats\n`,
    stderr: '',
  });
});

test('what is in files and in their names does nothing to a terminal', async () => {
  const cwd = codeBase();
  writeIn(cwd, 'src/\u001B[2Jzebra.ts', 'export const zebra = 1; // \u001B]0;owned\u0007\r\n');

  const { stdout } = await runDragoman(['search', 'zebra', '--limit', '1', '--why'], { cwd });
  expect(stdout).toContain('src/␛[2Jzebra.ts:1-1');
  expect(stdout).toContain('  1  export const zebra = 1; // ␛]0;owned␇\n');
  expect(stdout).not.toContain('\u001B');
});
