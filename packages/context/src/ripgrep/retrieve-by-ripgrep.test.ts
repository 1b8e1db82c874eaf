import { chmodSync, existsSync, mkdirSync, readFileSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { asOrdinaryUser, closedFolder, tempFolder } from '@dragoman/testkit';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { retrieveByRipgrep } from './retrieve-by-ripgrep.ts';

function workspace(files: Record<string, string>): string {
  const root = tempFolder();
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), content);
  }
  return root;
}

/** A program in the place of rg: a shell script. `$8` is the token. */
function fakeRipgrep(script: string): string {
  const path = join(tempFolder(), 'rg');
  writeFileSync(path, `#!/bin/sh\n${script}\n`);
  chmodSync(path, 0o755);
  return path;
}

/** The number of the process that writes it into this folder, once it did. */
function pidIn(root: string): Promise<number> {
  const path = join(root, 'pid');
  return vi.waitUntil(() => existsSync(path) && Number(readFileSync(path, 'utf8')), { timeout: 60_000 });
}

const ask = (query: string) => ({ information_request: query });

describe('the question', () => {
  const rgPath = '/bin/echo';
  const headOf = async (body: unknown) =>
    (await retrieveByRipgrep({ body, root: '/', rgPath })).split('\n').slice(0, 2).join('\n');

  test('BYOK-78 it is information_request, else query, each trimmed', async () => {
    expect(await headOf({ information_request: '  first \n', query: 'second' })).toBe(
      'codebase-retrieval (local rg)\nquery: first',
    );
    for (const other of ['', ' \t\n', null, 7, undefined])
      expect(await headOf({ information_request: other, query: ' second ' })).toBe(
        'codebase-retrieval (local rg)\nquery: second',
      );
  });

  test.each([[{}], [null], [undefined], ['text'], [[]], [{ information_request: '  ', query: '\n' }], [{ query: 7 }]])(
    'BYOK-79 %j asks nothing, and the answer says so',
    async (body) => {
      expect(await retrieveByRipgrep({ body, root: '/', rgPath })).toBe(
        'codebase-retrieval: missing information_request/query',
      );
    },
  );
});

test('a very long question is asked by its beginning', async () => {
  const answer = await retrieveByRipgrep({ body: ask('word '.repeat(10_000)), root: '/', rgPath: '/bin/echo' });

  expect(answer.split('\n')[1]).toBe(`query: ${'word '.repeat(4_000)}`);
});

describe('the answer of the real rg', () => {
  test('BYOK-87 BYOK-88 BYOK-89 it has a head, and a block of places or (no matches) for each token', async () => {
    const root = workspace({
      'src/main.ts': 'first\n  const tokenOne = "value";\n',
      'lib/other.py': 'tokenTwo = 1\nx = 2\ny = tokenTwo\n\n',
    });

    expect(await retrieveByRipgrep({ body: ask('tokenOne, tokenTwo or tokenThree?'), root })).toBe(
      `codebase-retrieval (local rg)
query: tokenOne, tokenTwo or tokenThree?
workspaceRoot: ${root}

# tokenOne
src/main.ts:2:  const tokenOne = "value";

# tokenTwo
lib/other.py:1:tokenTwo = 1
lib/other.py:3:y = tokenTwo

# tokenThree
(no matches)
`,
    );
  });

  test('BYOK-88 only the ./ in front of a path is taken away', async () => {
    const root = workspace({ 'a.sh': 'run ./tool\r./tool again\n' });

    expect(await retrieveByRipgrep({ body: { query: './' }, root })).toContain(
      '\n# ./\na.sh:1:run ./tool\r./tool again\n',
    );
  });

  test('BYOK-84 at most 40 lines of a file come back for a token, and every file has its own 40', async () => {
    const root = workspace({ 'a.txt': 'needle\n'.repeat(50), 'b.txt': 'needle\n'.repeat(41), 'c.txt': 'needle\n' });
    const lines = (await retrieveByRipgrep({ body: ask('needle'), root })).split('\n');

    expect(['a.txt:', 'b.txt:', 'c.txt:'].map((path) => lines.filter((line) => line.startsWith(path)).length)).toEqual([
      40, 40, 1,
    ]);
  });

  test.each(['--files', '-e', '(.*)+[', '$(id)', '* ~ "'])(
    'BYOK-83 BYOK-85 the query %j is no option and no pattern: it is looked for as it stands',
    async (query) => {
      const root = workspace({ 'found.txt': `a ${query} b\n`, 'other.txt': 'nothing of the kind\n' });

      expect(await retrieveByRipgrep({ body: { query }, root })).toContain(
        query === '--files' ? '\n# files\nfound.txt:1:a --files b\n' : `\n# ${query}\nfound.txt:1:a ${query} b\n`,
      );
    },
  );

  test('BYOK-83 a query without a token is looked for by its first 64 characters', async () => {
    const root = workspace({ 'notes.md': `# ${'这里解析配置'.repeat(20)}\n` });

    expect(await retrieveByRipgrep({ body: { query: '这里解析配置'.repeat(15) }, root })).toContain(
      `\n# ${'这里解析配置'.repeat(20).slice(0, 64)}\nnotes.md:1:# 这里`,
    );
  });

  test('a word that stands everywhere fills one megabyte at most, and the answer ends with a whole line', async () => {
    const line = `needle ${'x'.repeat(990)}`;
    const files = Object.fromEntries(Array.from({ length: 40 }, (_, n) => [`f${n}.txt`, `${line}\n`.repeat(40)]));
    const lines = (await retrieveByRipgrep({ body: ask('needle'), root: workspace(files) })).split('\n').slice(5);

    expect(lines.join('\n').length).toBeLessThan(1_000_100);
    expect(lines.slice(-2)).toEqual(['(more matches are left out)', '']);
    for (const match of lines.slice(0, -2)) expect(match).toMatch(/^f\d+\.txt:\d+:needle x{990}$/);
  });
});

describe('what must not be shown', () => {
  test('files that the safety rules leave out are not shown, and without others there are no matches', async () => {
    const root = workspace({
      'certs/server.pem': 'needle one\n',
      id_rsa: 'needle two\n',
      'deploy/prod.env': 'needle three\nlonely four\n',
      'x:1:/id_dsa': 'needle five\n',
      'image.p12': 'needle\0six\n',
      'src/main.ts': 'see prod.env:3: needle seven\n',
    });

    expect((await retrieveByRipgrep({ body: ask('needle lonely'), root })).split('\n').slice(4)).toEqual([
      '# needle',
      'src/main.ts:1:see prod.env:3: needle seven',
      '',
      '# lonely',
      '(no matches)',
      '',
    ]);
  });

  test('nor are they where rg is told to look into hidden files', async () => {
    const rgPath = fakeRipgrep('echo "./.env:1:$8=1"; echo "./.ssh/config:2:$8"; echo "./.env.example:3:$8"');

    expect(await retrieveByRipgrep({ body: ask('abc'), root: workspace({}), rgPath })).toContain(
      '\n# abc\n.env.example:3:abc\n',
    );
  });

  test('secrets are masked as the file they stand in asks for', async () => {
    const root = workspace({
      'a.py': 'needle_password = "tr0ub4dor"\n',
      'b.yaml': 'needle_password: tr0ub4dor\n',
      'c.ts': 'needle_password: tr0ub4dor\n',
    });

    expect((await retrieveByRipgrep({ body: ask('needle_password'), root })).split('\n').slice(5).toSorted()).toEqual([
      '',
      'a.py:1:needle_password = "[PASSWORD_REDACTED]"',
      'b.yaml:1:needle_password: [PASSWORD_REDACTED]',
      'c.ts:1:needle_password: tr0ub4dor',
    ]);
  });

  test('a line of a private key in code is masked without the lines around it', async () => {
    const line = `needle${'aB3x/Y7+'.repeat(7)}`;
    const root = workspace({ 'a.ts': `const KEY = \n  "${line}\\n" +\n  "b";\n` });

    expect(await retrieveByRipgrep({ body: ask('needleaB3x'), root })).toContain(
      'a.ts:2:  "[PRIVATE_KEY_REDACTED]\\n" +',
    );
  });
});

describe('running rg', () => {
  test('BYOK-84 BYOK-85 it gets exactly these arguments, in the root, with its input closed', async () => {
    const root = workspace({});
    const rgPath = fakeRipgrep('read line; echo "input ended: $?"; echo "$#: $*"; pwd -P');

    expect(await retrieveByRipgrep({ body: ask('find_me'), root, rgPath })).toContain(
      `\n# find_me\ninput ended: 1\n9: -n --no-heading --color=never -F --max-count 40 -- find_me .\n${realpathSync(root)}\n`,
    );
  });

  test('BYOK-82 only the first five of the eight tokens are searched, one after the other', async () => {
    const root = workspace({});
    const rgPath = fakeRipgrep('echo "begin $8" >> log; echo hit; echo "end $8" >> log');
    const answer = await retrieveByRipgrep({ body: ask('aaa bbb ccc ddd eee fff ggg hhh iii'), root, rgPath });

    expect(answer.split('\n').filter((line) => line.startsWith('# '))).toEqual([
      '# aaa',
      '# bbb',
      '# ccc',
      '# ddd',
      '# eee',
    ]);
    expect(readFileSync(join(root, 'log'), 'utf8')).toBe(
      ['aaa', 'bbb', 'ccc', 'ddd', 'eee'].map((token) => `begin ${token}\nend ${token}\n`).join(''),
    );
  });

  test('BYOK-86 after 120,000 ms it is killed with a signal it cannot refuse, and the next token is searched', async () => {
    const root = workspace({});
    const rgPath = fakeRipgrep(`[ "$8" = slow ] || { echo "./a.ts:1:$8"; exit; }
trap '' TERM INT HUP
echo ./a.ts:1:early
echo $$ > pid
while :; do sleep 1; done`);
    const limits: number[] = [];
    const expire = new AbortController();
    const answer = retrieveByRipgrep({
      body: ask('slow then fast'),
      root,
      rgPath,
      timeLimit: (ms) => (limits.push(ms) === 1 ? expire.signal : new AbortController().signal),
    });
    const pid = await pidIn(root);
    expire.abort();

    expect((await answer).split('\n').slice(4)).toEqual([
      '# slow',
      '(rg failed)',
      '',
      '# then',
      'a.ts:1:then',
      '',
      '# fast',
      'a.ts:1:fast',
      '',
    ]);
    expect(limits).toEqual([120_000, 120_000, 120_000]);
    expect(() => process.kill(pid, 0)).toThrow('ESRCH');
  });

  test('BYOK-89 exit code 1 means that there are no matches', async () => {
    const rgPath = fakeRipgrep('exit 1');

    expect(await retrieveByRipgrep({ body: ask('abc'), root: workspace({}), rgPath })).toContain(
      '\n# abc\n(no matches)\n',
    );
  });

  test('BYOK-90 where it is not installed, every block says what to install', async () => {
    const root = workspace({});

    expect(await retrieveByRipgrep({ body: ask('abc def'), root, rgPath: join(root, 'no-such-rg') })).toBe(
      `codebase-retrieval (local rg)\nquery: abc def\nworkspaceRoot: ${root}\n
# abc\nrg 不可用：请安装 ripgrep（rg）\n\n# def\nrg 不可用：请安装 ripgrep（rg）\n`,
    );
  });

  test('BYOK-90 and so it does where a folder of the PATH may not be entered', async () => {
    vi.stubEnv('PATH', `${closedFolder()}:/usr/bin`);
    onTestFinished(() => void vi.unstubAllEnvs());

    expect(
      await asOrdinaryUser(() => retrieveByRipgrep({ body: ask('abc'), root: '/', rgPath: 'no-such-rg' })),
    ).toContain('# abc\nrg 不可用：请安装 ripgrep（rg）');
  });

  test('BYOK-91 any other failure is said in its block, and the remaining tokens are still searched', async () => {
    const rgPath = fakeRipgrep(`case "$8" in
bad) echo ./half.ts:1:bad; exit 2;;
shot) kill -9 $$;;
*) echo "./a.ts:1:$8";;
esac`);

    expect(
      (await retrieveByRipgrep({ body: ask('bad good shot fine'), root: workspace({}), rgPath })).split('\n').slice(4),
    ).toEqual([
      '# bad',
      '(rg failed)',
      '',
      '# good',
      'a.ts:1:good',
      '',
      '# shot',
      '(rg failed)',
      '',
      '# fine',
      'a.ts:1:fine',
      '',
    ]);
  });

  test('BYOK-91 a root that is not there, a file that is no program, and a query with a NUL are failures of rg', async () => {
    const root = workspace({ 'rg.txt': 'no program' });

    expect(await retrieveByRipgrep({ body: ask('abc'), root: join(root, 'gone') })).toContain('\n# abc\n(rg failed)\n');
    expect(await retrieveByRipgrep({ body: ask('abc'), root, rgPath: join(root, 'rg.txt') })).toContain(
      '\n# abc\n(rg failed)\n',
    );
    expect(await retrieveByRipgrep({ body: ask('。\0。'), root })).toContain('\n# 。\0。\n(rg failed)\n');
  });

  test.runIf(process.platform === 'linux')('BYOK-91 an ignore file without an end is a failure of rg', async () => {
    const root = workspace({ 'a.txt': 'abc' });
    symlinkSync('/dev/zero', join(root, '.ignore'));

    expect(await retrieveByRipgrep({ body: ask('abc'), root })).toContain('\n# abc\n(rg failed)\n');
  });

  test('when it is called off, rg ends and nothing more is searched', async () => {
    const root = workspace({});
    const rgPath = fakeRipgrep('echo $$ > pid; while :; do sleep 1; done');
    const stop = new AbortController();
    const answer = retrieveByRipgrep({ body: ask('one two'), root, rgPath, signal: stop.signal });
    const pid = await pidIn(root);
    stop.abort();

    await expect(answer).rejects.toMatchObject({ code: 'cancelled', message: 'The search was cancelled.' });
    expect(() => process.kill(pid, 0)).toThrow('ESRCH');
    await expect(
      retrieveByRipgrep({ body: ask('one'), root, rgPath, signal: AbortSignal.abort() }),
    ).rejects.toMatchObject({ code: 'cancelled' });
  });
});
