import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { HUB_CALLS } from '@dragoman/protocol/schemas';
import { expect, test } from 'vitest';
import { FileFinder } from './find-files.ts';
import { folderWith } from './folder-with.fixture.ts';
import { listFiles } from './list-files.ts';
import { readSessionFile } from './read-file.ts';

const environment = { PATH: process.env['PATH'] };

test('a folder is listed with folders first and names in their order; what is no file, and links that lead out, are left out', async () => {
  const root = folderWith({
    'file10.ts': 'ab',
    'file9.ts': '',
    '.env': 'KEY=1',
    'src/a.ts': '',
    '.git/config': '',
    'say "hi"\n.ts': '',
    '.hidden/x': '',
  });
  symlinkSync('src', join(root, 'way'));
  symlinkSync('file10.ts', join(root, 'link.ts'));
  symlinkSync('/etc', join(root, 'out'));
  symlinkSync('nowhere', join(root, 'dead'));
  symlinkSync('.git', join(root, 'mirror'));
  execFileSync('mkfifo', [join(root, 'pipe')]);

  const listing = await listFiles(root, '');
  expect(listing).toEqual({
    path: '',
    entries: [
      { name: '.hidden', path: '.hidden', kind: 'folder' },
      { name: 'src', path: 'src', kind: 'folder' },
      { name: 'way', path: 'way', kind: 'folder' },
      { name: '.env', path: '.env', kind: 'file', size: 5 },
      { name: 'file9.ts', path: 'file9.ts', kind: 'file', size: 0 },
      { name: 'file10.ts', path: 'file10.ts', kind: 'file', size: 2 },
      { name: 'link.ts', path: 'link.ts', kind: 'file', size: 2 },
      { name: 'say "hi"\n.ts', path: 'say "hi"\n.ts', kind: 'file', size: 0 },
    ],
    isCut: false,
  });
  expect(HUB_CALLS.listFiles.answer.strict().parse(listing)).toEqual(listing);
  expect((await listFiles(root, './way/')).entries).toEqual([
    { name: 'a.ts', path: 'way/a.ts', kind: 'file', size: 0 },
  ]);
  await expect(listFiles(root, 'file9.ts')).rejects.toMatchObject({ code: 'not-found' });
});

test('of a folder with very many files the first are listed', async () => {
  const root = folderWith(Object.fromEntries(Array.from({ length: 2_100 }, (_, index) => [`${index}`, ''])));
  mkdirSync(join(root, 'z'));

  const { entries, isCut } = await listFiles(root, '');
  expect([entries.length, isCut]).toEqual([2_000, true]);
  expect(entries.slice(0, 3).map(({ name }) => name)).toEqual(['z', '0', '1']);
});

test('a name that is not UTF-8 is listed as well as it can be, and reading it says why not (needs a file system that takes such names)', async ({
  skip,
}) => {
  const root = folderWith({});
  try {
    writeFileSync(Buffer.concat([Buffer.from(`${root}/caf`), Buffer.from([0xe9])]), 'x');
  } catch {
    skip('this file system takes only UTF-8');
  }

  expect((await listFiles(root, '')).entries).toEqual([{ name: 'caf\u{fffd}', path: 'caf\u{fffd}', kind: 'file' }]);
  await expect(readSessionFile(root, 'caf\u{fffd}')).rejects.toThrow(
    'caf\u{fffd} has a name that is not written in UTF-8, so it can only be opened on the machine itself',
  );
});

test('a file is read as text, one that is no text only by its size, and a very large one by its beginning', async () => {
  const root = folderWith({
    'a.ts': '\u{feff}grüße\r\n',
    'latin.txt': Buffer.from([0x63, 0xe9]),
    'logo.png': Buffer.from([1, 0, 2]),
    empty: '',
    'wide.txt': `${'x'.repeat(1024 * 1024 - 1)}ü`,
    'huge.log': 'the beginning\n'.repeat(100_000),
  });
  truncateSync(join(root, 'huge.log'), 2 * 1024 ** 3);

  const whole = await readSessionFile(root, 'a.ts');
  expect(whole).toEqual({ path: 'a.ts', size: 12, text: '\u{feff}grüße\r\n', isCut: false });
  expect(HUB_CALLS.readFile.answer.strict().parse(whole)).toEqual(whole);
  expect(await readSessionFile(root, 'empty')).toEqual({ path: 'empty', size: 0, text: '', isCut: false });
  expect(await readSessionFile(root, 'latin.txt')).toMatchObject({ size: 2, text: 'c\u{fffd}' });
  expect(await readSessionFile(root, 'logo.png')).toEqual({ path: 'logo.png', size: 3, isCut: false });
  expect(await readSessionFile(root, 'wide.txt')).toEqual({
    path: 'wide.txt',
    size: 1024 * 1024 + 1,
    text: 'x'.repeat(1024 * 1024 - 1),
    isCut: true,
  });
  const huge = await readSessionFile(root, 'huge.log');
  expect([huge.size, huge.text?.length, huge.isCut]).toEqual([2 * 1024 ** 3, 1024 * 1024, true]);
});

test('the keys of a server, of agents and of services are not shown, whichever folder the session is in', async () => {
  const home = folderWith({
    'dragoman.json': '{}',
    'secrets.json': '{}',
    'server.lock': '{}',
    '.augment/session.json': '{}',
    '.codex/auth.json': '{}',
    '.claude/.credentials.json': '{}',
    '.ssh/config': 'Host a',
    'SECRETS.yaml': 'a: b',
    'src/secrets.ts': 'code',
  });
  const shown = (root: string, path: string) =>
    readSessionFile(root, path).then(
      ({ text }) => text,
      (error: Error) => error.message,
    );

  for (const path of ['dragoman.json', 'secrets.json', 'server.lock', 'SECRETS.yaml', '.codex/auth.json'])
    expect(await shown(home, path)).toContain('may contain secrets, so it is not shown');
  for (const [folder, path] of [
    ['.augment', 'session.json'],
    ['.claude', '.credentials.json'],
    ['.ssh', 'config'],
  ])
    expect(await shown(join(home, folder!), path!)).toContain('may contain secrets');
  expect(await shown(home, 'src/secrets.ts')).toBe('code');
});

test('secrets, folders, pipes and devices are not read, and it is said why', async () => {
  const root = folderWith({ 'config/.env': 'KEY=1', id_rsa: 'x', 'src/a.ts': '' });
  symlinkSync('config/.env', join(root, 'notes.txt'));
  execFileSync('mkfifo', [join(root, 'pipe')]);

  for (const path of ['config/.env', 'id_rsa', 'notes.txt'])
    await expect(readSessionFile(root, path)).rejects.toThrow('may contain secrets');
  await expect(readSessionFile(root, 'src')).rejects.toThrow('src is a folder');
  await expect(readSessionFile(root, 'pipe')).rejects.toThrow(
    'pipe is not a plain file but a pipe, a socket or a device, and is not read',
  );
  await expect(readSessionFile('/dev', 'null')).rejects.toThrow('null is not a plain file');
  await expect(readSessionFile(root, 'nowhere.ts')).rejects.toMatchObject({
    code: 'not-found',
    message: 'nowhere.ts does not exist',
  });
});

test.skipIf(process.getuid?.() === 0)('a file that the runner may not read is told as that (not as root)', async () => {
  const root = folderWith({ 'a.ts': '' });
  chmodSync(join(root, 'a.ts'), 0);
  await expect(readSessionFile(root, 'a.ts')).rejects.toThrow("the runner's user may not read a.ts");
});

test('without git, files are found by walking, and what others put there is left out', async () => {
  const root = folderWith({
    'src/hub/hub-client.ts': '',
    'src/other.ts': '',
    'node_modules/hub-client/index.js': '',
    '.git/hub-client': '',
  });
  symlinkSync('/etc', join(root, 'etc'));
  const finder = new FileFinder();

  const found = await finder.find({ folder: root, environment }, 'hubcl', 10);
  expect(found).toEqual({ files: [{ path: 'src/hub/hub-client.ts' }] });
  expect(HUB_CALLS.findFiles.answer.strict().parse(found)).toEqual(found);
  expect(await finder.find({ folder: root, environment }, '', 1)).toEqual({ files: [{ path: 'src/other.ts' }] });
  finder.close();
});
