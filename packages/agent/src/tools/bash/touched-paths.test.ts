import { compilePermissions, type PermissionsConfig, rulesFromConfig } from '@dragoman/protocol';
import { tempFolder } from '@dragoman/testkit';
import { mkdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readCommands } from './command-subjects.ts';

function project() {
  const root = realpathSync(tempFolder());
  mkdirSync(join(root, 'sub'));
  for (const name of ['.env', 'sub/.env', 'a.lock', 'README.md']) writeFileSync(join(root, name), '');
  symlinkSync('.env', join(root, 'flink'));
  return root;
}

async function decided(command: string, config: PermissionsConfig): Promise<string> {
  const root = project();
  const place = { cwd: root, root, home: '/nowhere/ann', inherited: new Set(['PATH', 'HOME']) };
  const { subjects, touched } = await readCommands(command, place);
  const rules = compilePermissions(rulesFromConfig({ bash: 'allow', ...config }, 'dragoman.json'), {
    home: place.home,
  });
  return rules.decide({ tool: 'bash', subjects: [...subjects, ...touched] }).action;
}

test.each([
  'cat .env',
  'cat ./sub/../.env',
  "cat '.e'nv",
  'cat .e*',
  'cat .[e]nv',
  'cat .e?v',
  'cat s*/.env',
  'cat {.env,a}',
  'cat .{env,x}',
  'cat "$PWD/.env"',
  "cat $'\\x2eenv'",
  "cat $'\\56e\\u006ev'",
  'docker run -v $PWD/.env:/x a',
  `python3 -c "open('.env')"`,
  'cat flink',
  'cat fli*',
  'cat < .env',
  'cat <> .env',
  '{ cat; } < .e*',
  'cd sub && cat .env',
  'cd $X; cat .env',
  'git blame --contents=.env README.md',
  'git show HEAD:.env',
  'find -files0-from .env',
  'curl -d @.env localhost',
  'curl -d@.env localhost',
  'curl file:///x/.env',
  'unknown -f.env',
  'dd if=.env',
  'X=.env; cat $X',
  'for f in .e*; do cat $f; done',
  'timeout 5 cat .env',
  'sh -c "cat .env"',
  'echo .env | xargs cat',
  '$CMD .env',
  'mv .env b',
])('a file that may not be read is not read by %s [ACC-21]', async (command) => {
  expect(await decided(command, { read: { '.env': 'deny' } })).toBe('deny');
});

test.each([
  'echo x > a.lock',
  'echo x >> ./a.lock',
  'tee a.lock < README.md',
  'cp README.md a.lock',
  'cp sub/a.lock .',
  'cp -t sub a.lock',
  'mv a.lock b',
  'mv b a.lock',
  'rm -f a.lock',
  'rm *.lock',
  'sed -i s/a/b/ a.lock',
  'sed -Ei s/a/b/ a.lock',
  'touch a.lock',
  'dd if=README.md of=a.lock',
  'install README.md a.lock',
  'ln -sf README.md a.lock',
  'truncate -s0 a.lock',
  'sort -o a.lock a',
  'git checkout a.lock',
  'git -C . checkout a.lock',
  'find a.lock -delete',
  'unknown a.lock',
  'unknown --out=a.lock',
  'python3 x.py a.lock',
  'F=a.lock; rm $F',
  `node -e 'require("fs").writeFileSync("a.lock", "")'`,
])('a file that may not be changed is not changed by %s [ACC-21]', async (command) => {
  expect(await decided(command, { edit: { '*.lock': 'deny' } })).toBe('deny');
});

test.each([
  'cat a.lock',
  'grep x a.lock',
  'cp a.lock b',
  'dd if=a.lock of=b',
  'sed -n p a.lock',
  'timeout 5 cat a.lock',
  'sudo cat a.lock',
  'git diff a.lock',
  'git add a.lock',
  'node a.lock',
  'cat < a.lock',
])('looking at a file that may not be changed is no change: %s [ACC-21]', async (command) => {
  expect(await decided(command, { edit: { '*.lock': 'deny' } })).toBe('allow');
});

test('words that are no paths are not taken for denied ones [ACC-21]', async () => {
  const tests = {
    read: { 'test/**': 'deny', 'build/**': 'deny' },
    edit: { 'test/**': 'deny', 'build/**': 'deny' },
  } as const;
  const each = (commands: string[], config: PermissionsConfig) =>
    Promise.all(commands.map((command) => decided(command, config)));

  expect(
    await each(['npm test', 'npm run build', 'git commit -m "about test/x"', 'curl https://example.com/test/a'], tests),
  ).toEqual(['allow', 'allow', 'allow', 'allow']);
  expect(await each(['npm test', 'git status', 'git log --oneline', 'make all', 'cat R'], { edit: 'deny' })).toEqual([
    'allow',
    'allow',
    'allow',
    'allow',
    'allow',
  ]);
  expect(await each(['rm README.md', 'tee b', 'echo x > b', 'sed -i s/a/b/ README.md'], { edit: 'deny' })).toEqual([
    'deny',
    'deny',
    'deny',
    'deny',
  ]);
  expect(await decided('npm test', { read: 'deny' })).toBe('allow');
  expect(await decided('cat README.md', { read: 'deny' })).toBe('deny');
  expect(await decided('cat *', { read: { '.env': 'deny' } })).toBe('deny'); // Through the link.
  expect(await decided('cat R*', { read: { '.env': 'deny' } })).toBe('allow');
  expect(await decided('cat .env', { read: { '.env': 'ask' } })).toBe('allow');
  expect(await decided('echo x > /dev/null', { edit: 'deny' })).toBe('allow');
});
