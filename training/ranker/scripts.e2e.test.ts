import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { tempFolder } from '@dragoman/testkit';
import { expect, test } from 'vitest';

/** Runs a script as the README says, and tells how it ended and what it said. */
function told(script: string, ...args: string[]): string {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['--conditions=@dragoman/source', join(import.meta.dirname, script), ...args],
    { encoding: 'utf8', timeout: 60_000 },
  );
  return `${status} ${stdout}${stderr}`;
}

test('without what it needs a script says how it is called', () => {
  expect(told('compare.ts', 'one.json')).toBe('2 compare.ts ONE OTHER, two files that fit.ts --scores wrote\n');
  expect(told('measure-latency.ts')).toBe('2 measure-latency.ts SEGMENT QUESTIONS.txt\n');
});

test('a file that is missing is told by its name', () => {
  const folder = tempFolder();
  const at = (name: string) => join(folder, name);
  expect(told('compare.ts', at('one.json'), at('other.json'))).toBe(`1 ${at('one.json')} is not there\n`);
  expect(told('measure-latency.ts', at('a.seg'), at('questions.txt'))).toBe(`1 ${at('questions.txt')} is not there\n`);
});

test('questions of your own are fitted, scored, compared and timed', () => {
  const folder = tempFolder();
  const at = (name: string) => join(folder, name);
  mkdirSync(at('data'));
  const files = ['refund', 'invoice', 'basket', 'login'];
  for (const trees of ['repos', 'crepos']) {
    mkdirSync(join(at('base'), trees, 'shop'), { recursive: true });
    for (const name of files)
      writeFileSync(
        join(at('base'), trees, 'shop', `${name}.ts`),
        `/** Makes a ${name}. */\nexport const ${name} = 1;\n`,
      );
  }
  for (const name of ['semble', 'commit']) {
    writeFileSync(join(at('data'), `${name}-repos.json`), '[{ "name": "shop" }]');
    writeFileSync(
      join(at('data'), `${name}.jsonl`),
      files
        .map((file) =>
          JSON.stringify({
            id: `shop#${file}`,
            repo: 'shop',
            category: 'semantic',
            query: `how is a ${file} made`,
            relevant: [{ path: `${file}.ts` }],
          }),
        )
        .join('\n'),
    );
  }
  const options = ['--folds=1', '--bags=1', '--trees=4', '--workers=1', '--scores', at('one.json')];
  expect(told('fit.ts', at('data'), at('base'), ...options)).toMatch(/^0 .*semble: ndcg [\d.]+ /s);
  expect(told('compare.ts', at('one.json'), at('one.json'))).toMatch(
    /^0 semble \(4 questions\): .+difference 0\.0000 ± 0\.0000; better 0, worse 0\n/,
  );
  writeFileSync(at('questions.txt'), 'how is a refund made\nlogin\n');
  expect(told('measure-latency.ts', join(at('base'), 'segments/repos-shop-.seg'), at('questions.txt'))).toMatch(
    /^0 cold find: p50 [\d.]+ ms/,
  );
});
