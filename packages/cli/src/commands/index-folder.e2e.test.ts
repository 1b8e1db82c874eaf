import { rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { runDragoman, startDragoman, startFakeProvider, tempFolder } from '@dragoman/testkit';
import { describe, expect, test } from 'vitest';
import { codeBase, INDEXED_FILES, writeIn } from '../code-base.fixture.ts';

const said = ({ exitCode, stdout, stderr }: { exitCode: number | null; stdout: string; stderr: string }) =>
  `${exitCode} ${(stdout + stderr).trim()}`;

test('the first time every file is indexed, the second time none is read, and then only what changed', async () => {
  const [root, home] = [codeBase(), tempFolder()];
  const index = async () => {
    const { exitCode, stdout, stderr } = await runDragoman(['index', '--json', '--stats'], { home, cwd: root });
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    return JSON.parse(stdout) as Record<string, unknown>;
  };

  expect(await index()).toMatchObject({
    root,
    files: INDEXED_FILES,
    indexed: INDEXED_FILES,
    leftOut: expect.arrayContaining([
      { reason: `${root}/.gitignore`, count: 1, example: 'dist' },
      { reason: 'Dragoman safety rules', count: 1, example: '.env' },
    ]),
    paths: { 'files emitted': expect.any(Number), 'total paths emitted': expect.any(Number) },
    counters: { 'files read': INDEXED_FILES, 'blobs uploaded': INDEXED_FILES },
    stored: { blobs: INDEXED_FILES, unindexed: 0 },
  });
  // What was written within the last two seconds is looked at once more, as its time may not tell a change.
  await expect.poll(index, { timeout: 60_000 }).toMatchObject({
    files: INDEXED_FILES,
    indexed: 0,
    bytes: 0,
    counters: { 'files read': 0, 'mtime cache hits': INDEXED_FILES, 'mtime cache misses': 0 },
  });
  writeIn(root, 'src/new.ts', 'export const fresh = true;\n');
  expect(await index()).toMatchObject({ files: INDEXED_FILES + 1, indexed: 1, counters: { 'files read': 1 } });
});

test('a person is told what was indexed and what to do next, and with --stats what was left out and why, and the metrics [SYNC-22, SYNC-23, SYNC-67]', async () => {
  const [root, home] = [codeBase(), tempFolder()];

  const first = await runDragoman(['index', root], { home });
  expect(first.stdout).toMatch(
    /^\S+: 4 files indexed \(4 new or changed, 0\.0 MB, \d+\.\d MB\/s; \d+\.\d s\)\nAsk: dragoman search --dir \S+ "how are errors handled"\n$/,
  );

  const second = await runDragoman(['index', root, '--stats'], { home });
  expect(second.stdout).toMatch(/^\S+: 4 files indexed \(no changes; \d+\.\d s\)\n\nexcluded because/);
  expect(second.stdout).toMatch(/\nDragoman safety rules +1 +\.env\n/);
  expect(second.stdout).toMatch(/\nPath metrics *\ndirectories emitted +\d+\nfiles emitted +\d+\n/);
  expect(second.stdout).toMatch(/\nreadDir +\d+ ms\nfilter +\d+ ms\nyield +\d+ ms\ntotal +\d+ ms\n\nFile metrics *\n/);
  expect(second.stdout).toMatch(/\nfiles read +0\n/);
  expect(second.stdout).toContain('\nStored in total: 4 blobs, 0.0 MB of text in 0.0 MB\n');
});

describe('--explain tells why a path is indexed or not, layer by layer', () => {
  const explained = async (path: string, { cwd, args = [] }: { cwd: string; args?: string[] }) => {
    const { exitCode, stdout } = await runDragoman(['index', ...args, '--explain', path], { cwd });
    expect(exitCode).toBe(0);
    return stdout.split('\n').map((line) => line.replaceAll(/ {2,}/g, ' | '));
  };

  test('one that git ignores, one that the safety rules keep back, and one that is indexed', async () => {
    const root = codeBase();

    expect(await explained('dist/retry.js', { cwd: root })).toEqual([
      `dist/retry.js: Ignored by ${root}/.gitignore:1 (dist/) (because of dist)`,
      'layer | verdict | reason',
      'default Augment rules | passes | No rule matches',
      'Dragoman safety rules | passes | No rule matches',
      `${root}/.gitignore | left out | dist/ in line 1`,
      'Dragoman defaults | passes | No rule matches',
      '',
    ]);
    expect((await explained('.env', { cwd: root }))[0]).toBe('.env: Ignored by Dragoman safety rules (*.env)');
    expect(await explained('retry.ts', { cwd: join(root, 'src'), args: [root] })).toContain(
      'content | passes | Text of 165 bytes',
    );
  });

  test('the path may be seen from where one is, from the folder that is named, or through a link', async () => {
    const [root, elsewhere] = [codeBase(), tempFolder()];
    symlinkSync(root, join(elsewhere, 'link'));

    for (const path of ['src/retry.ts', 'link/src/retry.ts'])
      expect((await explained(path, { cwd: elsewhere, args: [root] }))[0]).toBe('src/retry.ts: Accepted');
    expect((await explained('..', { cwd: root, args: ['.'] }))[0]).toBe('..: Outside the folder');
  });
});

test('only files with the extensions of the configuration are indexed, and another one is the reason why not [SYNC-34, SYNC-37]', async () => {
  const [root, home] = [codeBase(), tempFolder()];
  const index = async () => JSON.parse((await runDragoman(['index', root, '--json'], { home })).stdout) as unknown;
  expect(await index()).toMatchObject({ files: INDEXED_FILES });

  writeIn(home, 'dragoman.json', JSON.stringify({ retrieval: { extensions: ['.ts', '.md'] } }));

  expect(await index()).toMatchObject({
    files: 2,
    leftOut: expect.arrayContaining([expect.objectContaining({ reason: 'file extension', count: 2 })]),
  });
  const { stdout } = await runDragoman(['index', root, '--explain', 'src/login.py'], { home });
  expect(stdout).toMatch(/^src\/login\.py: Unsupported file extension \(\.py\)\n/);
});

test('a folder is forgotten with --remove, also when it is no longer there, and its space is free', async () => {
  const [root, equal, home] = [codeBase(), codeBase(), tempFolder()];
  const removed = async () => said(await runDragoman(['index', root, '--remove'], { home }));
  await runDragoman(['index', root], { home });
  rmSync(root, { recursive: true });

  expect(await removed()).toBe(`0 ${root} is no longer indexed.`);
  expect(await removed()).toBe(`1 ${root} was not indexed.`);
  const { stdout } = await runDragoman(['index', equal, '--json', '--stats'], { home });
  expect(JSON.parse(stdout)).toMatchObject({ indexed: INDEXED_FILES, stored: { blobs: INDEXED_FILES } });
});

describe('what cannot be indexed says why', () => {
  test('a folder that is not there, and the home folder where nobody named it', async () => {
    const root = codeBase();

    expect(said(await runDragoman(['index', join(root, 'nothing')]))).toBe(
      `2 dragoman: ${join(root, 'nothing')} is not a folder.`,
    );
    expect(said(await runDragoman(['index'], { cwd: root, env: { HOME: root } }))).toBe(
      `2 dragoman: This is ${root}, which is not a single project. Change to the project folder, or name it.`,
    );
  });

  test('a server that wants a token, and one that does not accept it', async () => {
    const root = codeBase();
    const fake = await startFakeProvider();
    fake.answer({ status: 401, body: '{"error":{"message":"who are you?"}}' });

    expect(said(await runDragoman(['index', root, '--server', fake.url], { env: { DRAGOMAN_TOKEN: '' } }))).toBe(
      '2 dragoman: The server requires a token: set DRAGOMAN_TOKEN or use --token.',
    );
    expect(said(await runDragoman(['index', root, '--server', fake.url, '--token', 'wrong']))).toBe(
      `1 dragoman: The token was not accepted; check it, or make a new one. (${fake.url}/find-missing answered 401: who are you?)`,
    );
  });
});

describe('Ctrl-C', () => {
  test('ends a command that follows changes well', async () => {
    const watching = startDragoman(['index', '--watch'], { cwd: codeBase() });
    await watching.untilLogged('Watching for changes. Press Ctrl-C to stop.\n');

    watching.process.kill('SIGINT');

    expect(await watching.finished).toMatchObject({
      exitCode: 0,
      stderr: 'Watching for changes. Press Ctrl-C to stop.\n',
    });
  });

  test('stops an index that is being built, and says that what there is of it stays', async () => {
    const fake = await startFakeProvider();
    const never = new Promise(() => {});
    fake.answer({ status: 404, body: '' }, { body: '{}' }, { body: [never] });
    const indexing = startDragoman(['index', '--server', fake.url, '--token', 't'], { cwd: codeBase() });
    expect((await fake.request(3)).path).toBe('/find-missing');

    indexing.process.kill('SIGINT');

    expect(await indexing.finished).toEqual({
      exitCode: 130,
      stdout: '',
      stderr: 'Stopped. The next run continues from here.\n',
    });
  });
});
