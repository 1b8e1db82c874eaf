import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { tempFolder } from '@dragoman/testkit';
import { expect, test } from 'vitest';
import { gitRepository } from '../../packages/context/src/index/commits/git-repository.fixture.ts';
import { CodeVectors } from '../../packages/context/src/index/vectors/code-vectors.ts';
import { readVectorFile } from '../../packages/context/src/index/vectors/vector-file.ts';
import { pythonRepository, typescriptRepository } from './small-repositories.fixture.ts';

const ROOT = join(import.meta.dirname, '../..');
const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { scripts: Record<string, string> };
const hasTorch = spawnSync('python3', ['-c', 'import numpy, torch']).status === 0;
const DIMENSIONS = 64;

/** Runs a step as `npm run` would. */
function run(step: string, ...args: string[]): { status: number | null; stdout: string; stderr: string } {
  const [program, ...before] = scripts[`vectors:${step}`]!.split(' ');
  const { status, stdout, stderr } = spawnSync(program === 'node' ? process.execPath : program!, [...before, ...args], {
    cwd: ROOT,
    encoding: 'utf8',
    timeout: 120_000,
  });
  return { status, stdout, stderr };
}

/** What training leaves, without having learnt anything: every word is a direction of its own. */
function writeUntrained(model: string, data: string): { status: number } {
  const words = readFileSync(join(data, 'words.txt'), 'utf8').split('\n');
  mkdirSync(model);
  writeFileSync(join(model, 'words.txt'), words.join('\n'));
  writeFileSync(join(model, 'scales.f32'), new Float32Array(words.length * 2).fill(0.01));
  let state = 1;
  const table = Int8Array.from(
    { length: words.length * DIMENSIONS },
    () => (state = Math.imul(state, 48_271) % 0x7fff_ffff) >> 16,
  );
  writeFileSync(join(model, 'table.i8'), table);
  return { status: 0 };
}

test("from two repositories of one's own to a file that the engine accepts: fetch, extract, encode, train, pack, evaluate", () => {
  const folder = tempFolder();
  const at = (name: string) => join(folder, name);
  const [typescript, python] = [typescriptRepository(), pythonRepository()];
  writeFileSync(at('list.tsv'), `${typescript}\n${python}\t\t\theld-out\n`);

  const fetched = run('fetch', at('mirrors'), at('list.tsv'));
  expect(fetched).toMatchObject({ status: 0, stderr: '' });
  expect(fetched.stdout).toContain(`2 of 2 repositories are in ${at('mirrors')}, 0 of them from before`);
  expect(run('fetch', at('mirrors'), at('list.tsv')).stdout).toBe(
    `2 of 2 repositories are in ${at('mirrors')}, 2 of them from before\n`,
  );

  const extracted = run('extract', at('mirrors'), at('pairs'), at('list.tsv'));
  expect(extracted).toMatchObject({ status: 0, stderr: '' });
  expect(extracted.stdout).toMatch(/: 112 pairs, MIT, [\d.]+ s$/m);
  expect(extracted.stdout).toContain('2 repositories, 11 source files\n');
  expect(readdirSync(at('pairs')).filter((file) => file.endsWith('.tsv'))).toHaveLength(2);
  // What the log tells of is not done again.
  expect(run('extract', at('mirrors'), at('pairs'), at('list.tsv')).stdout).toBe(
    extracted.stdout.slice(extracted.stdout.indexOf('2 repositories, ')),
  );

  const encoded = run('encode', at('pairs'), at('data'), at('list.tsv'));
  expect(encoded).toMatchObject({ status: 0, stderr: '' });
  expect(encoded.stdout).toContain('train: 1 repositories; ');
  expect(encoded.stdout).toContain('held: 1 repositories; ');

  const trained = hasTorch
    ? run('train', at('data'), at('model'), '1', `dim=${DIMENSIONS}`, 'epochs=4', 'seeds=2')
    : writeUntrained(at('model'), at('data'));
  expect(trained).toMatchObject({ status: 0 });

  const packed = run('pack', at('model'), at('vectors.bin'));
  expect(packed).toMatchObject({ status: 0, stderr: '' });
  const vectors = new CodeVectors(readVectorFile(readFileSync(at('vectors.bin'))));
  expect(vectors.dimensions).toBe(DIMENSIONS);
  expect(vectors.question('刷新 the token')).toBeDefined();
  expect(vectors.question('zzz')).toBeUndefined();

  const evaluated = run('evaluate', at('vectors.bin'), at('pairs'), at('list.tsv'));
  expect(evaluated).toMatchObject({ status: 0, stderr: '' });
  expect(evaluated.stdout).toMatch(/^repository +language +questions +among +BM25 +vectors$/m);
  expect(evaluated.stdout).toMatch(/^mean of 1 +English +40 +\d\.\d{3} +\d\.\d{3}$/m);
});

test('a step without what it needs says what to do', () => {
  const folder = tempFolder();
  const at = (name: string) => join(folder, name);
  writeFileSync(at('list.tsv'), `${at('nowhere')}\n`);
  mkdirSync(at('model'));
  writeFileSync(join(at('model'), 'words.txt'), 'cache\ntoken');
  writeFileSync(join(at('model'), 'table.i8'), new Int8Array(64));
  writeFileSync(join(at('model'), 'scales.f32'), new Float32Array(3));

  expect(run('fetch')).toMatchObject({ status: 2, stderr: 'npm run vectors:fetch -- FOLDER [LIST.tsv]\n' });
  const fetched = run('fetch', at('mirrors'), at('list.tsv'));
  expect(fetched.status).toBe(1);
  expect(fetched.stderr).toContain(`not fetched: ${at('nowhere')}. Run the command again, or take them off the list.`);
  const extracted = run('extract', at('mirrors'), at('pairs'), at('list.tsv'));
  expect(extracted.status).toBe(1);
  expect(extracted.stderr).toContain('run vectors:fetch first');
  expect(run('encode', at('pairs'), at('data'), at('list.tsv'))).toMatchObject({
    status: 2,
    stderr: `${at('pairs')} holds no pairs of a repository to train with; run vectors:extract first\n`,
  });
  expect(run('pack', at('model'), at('vectors.bin'))).toMatchObject({
    status: 2,
    stderr: `${at('model')}/scales.f32 has 12 bytes; 2 words need 16: words and scales are of two trainings\n`,
  });
});

test('what is missing or wrong is told in a sentence that names the file', () => {
  const folder = tempFolder();
  const at = (name: string) => join(folder, name);
  writeFileSync(at('wrong.tsv'), 'owner/name\tmain\n');
  writeFileSync(at('vectors.bin'), 'no vectors');
  const told = (step: string, ...args: string[]) => {
    const { status, stdout, stderr } = run(step, ...args);
    return `${status} ${stdout}${stderr}`;
  };
  const wrong = `1 ${at('wrong.tsv')}:1: "main" is no commit; expected its 40 hexadecimal digits, or nothing for the newest\n`;
  const missing = `1 ${at('list.tsv')} is not there\n`;

  for (const step of ['fetch', 'extract', 'encode']) {
    const before = step === 'fetch' ? [at('mirrors')] : [at('mirrors'), at('pairs')];
    expect(told(step, ...before, at('wrong.tsv'))).toBe(wrong);
    expect(told(step, ...before, at('list.tsv'))).toBe(missing);
  }
  expect(told('evaluate', at('none.bin'), at('pairs'))).toBe(`1 ${at('none.bin')} is not there\n`);
  expect(told('evaluate', at('vectors.bin'), at('pairs'))).toBe(
    `1 ${at('vectors.bin')}: this is not a file of word vectors\n`,
  );
  expect(told('pack', at('model'))).toBe(`1 ${at('model')}/words.txt is not there\n`);
});

test('where every repository is refused the extraction fails', () => {
  const folder = tempFolder();
  const at = (name: string) => join(folder, name);
  const { root, commit } = gitRepository();
  commit('one', { 'a.js': 'export const first = 1;\n' });
  writeFileSync(at('list.tsv'), `${root}\n`);
  expect(run('fetch', at('mirrors'), at('list.tsv'))).toMatchObject({ status: 0 });

  const extracted = run('extract', at('mirrors'), at('pairs'), at('list.tsv'));

  expect(extracted.stdout).toContain(`${root}: refused: `);
  expect(extracted).toMatchObject({
    status: 1,
    stderr: 'every repository was refused: there are no pairs to train with\n',
  });
});
