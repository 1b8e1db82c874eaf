import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { tempFolder } from '@dragoman/testkit';
import { describe, expect, test } from 'vitest';
import { inFolder, makeFolder, MovedFileError, openReal } from './open-real.ts';
import { listProjectFolder, readProjectFile } from './read-project-file.ts';

/** A project, and files beside it. */
function world(files: Readonly<Record<string, string>>) {
  const base = tempFolder();
  const at = (name: string) => join(base, name);
  for (const [name, text] of Object.entries({ 'app/.keep': '', ...files })) {
    mkdirSync(dirname(at(name)), { recursive: true });
    writeFileSync(at(name), text);
  }
  const read = (name: string, maxBytes = 1000) =>
    readProjectFile(at(name), { project: at('app'), maxBytes })?.bytes.toString();
  return { at, read };
}

test('a file of the project is read, also through a link in the project', () => {
  const { at, read } = world({ 'app/docs/a.md': 'text' });
  symlinkSync('docs/a.md', at('app/b.md'));
  symlinkSync('docs', at('app/more'));

  expect(read('app/docs/a.md')).toBe('text');
  expect(read('app/b.md')).toBe('text');
  expect(read('app/more/a.md')).toBe('text');
});

test('where there is no file there is nothing, also at the end of a link', () => {
  const { at, read } = world({ 'app/file': '' });
  symlinkSync('nowhere', at('app/dangling'));

  expect(read('app/none')).toBeUndefined();
  expect(read('app/file/below')).toBeUndefined();
  expect(read('app/dangling')).toBeUndefined();
});

test.each([
  ['a file outside', (at: (name: string) => string) => symlinkSync(at('out.md'), at('app/x.md'))],
  ['a file outside, relative', (at: (name: string) => string) => symlinkSync('../out.md', at('app/x.md'))],
  [
    'a link that leads on',
    (at: (name: string) => string) => {
      symlinkSync('../out.md', at('app/y'));
      symlinkSync('y', at('app/x.md'));
    },
  ],
])('a link to %s is not followed', (_, link) => {
  const { at, read } = world({ 'out.md': 'secret' });
  link(at);

  expect(() => read('app/x.md')).toThrow('it is a link that points outside the project, so it is not read');
});

test('a folder that is a link out of the project is not followed', () => {
  const { at, read } = world({ 'out/a.md': 'secret' });
  symlinkSync('../out', at('app/agents'));

  expect(() => read('app/agents/a.md')).toThrow('it is a link that points outside the project, so it is not read');
  expect(() => listProjectFolder(at('app/agents'), at('app'))).toThrow('it is a link that points outside the project');
});

test('a folder beside the project whose name begins alike is outside', () => {
  const { at, read } = world({ 'app-secret/a.md': 'secret' });
  symlinkSync('../app-secret/a.md', at('app/x.md'));

  expect(() => read('app/x.md')).toThrow('it is a link that points outside the project, so it is not read');
});

test.each(['.env', '.env.local', 'config/secrets.json', '.ssh/id_rsa', '.NPMRC', 'server.pem', '.aws/credentials'])(
  'a link to %s in the project is not followed, nor is that file read under its own name',
  (name) => {
    const { at, read } = world({ [`app/${name}`]: 'KEY=1' });
    symlinkSync(name, at('app/AGENTS.md'));

    expect(() => read('app/AGENTS.md')).toThrow('it is a file meant for secrets, so it is not read');
    expect(() => read(`app/${name}`)).toThrow('it is a file meant for secrets, so it is not read');
  },
);

test('a link into .git is not followed, and what git keeps there can be read as such', () => {
  const { at, read } = world({ 'app/.git/config': 'url = https://me:password@host' });
  symlinkSync('.git/config', at('app/AGENTS.md'));

  expect(() => read('app/AGENTS.md')).toThrow('it is a link into .git, so it is not read');
  expect(read('app/.git/config')).toContain('url');
});

test('a project whose own path is a link, or that lies below a folder with a secret name, is read', () => {
  const { at } = world({ '.ssh/app/a.md': 'text' });
  symlinkSync('.ssh/app', at('linked'));

  expect(readProjectFile(at('linked/a.md'), { project: at('linked'), maxBytes: 10 })?.bytes.toString()).toBe('text');
});

test("links of a person's own files are followed", () => {
  const { at } = world({ 'elsewhere/.env': 'mine' });
  symlinkSync('elsewhere/.env', at('own.md'));

  expect(readProjectFile(at('own.md'), { project: undefined, maxBytes: 10 })?.bytes.toString()).toBe('mine');
});

test('a file that is too large is refused, or read to the limit', () => {
  const { at, read } = world({ 'app/a': 'x'.repeat(9), 'app/b': 'x'.repeat(11) });

  expect(read('app/a', 9)).toBe('x'.repeat(9));
  expect(() => read('app/b', 9)).toThrow('it is 11 bytes; the limit is 9');
  const cut = readProjectFile(at('app/b'), { project: at('app'), maxBytes: 9, isBeginningEnough: true });
  expect([cut?.bytes.toString(), cut?.stats.size]).toEqual(['x'.repeat(9), 11]);
});

describe.skipIf(process.platform === 'win32')('what is no file', () => {
  test('does not keep us waiting', () => {
    const { at, read } = world({});
    execFileSync('mkfifo', [at('app/pipe')]);

    expect(() => read('app/pipe')).toThrow('it is not a file');
    expect(() => read('app')).toThrow('it is not a file');
  });

  test('such as a device is refused for a person as well', () => {
    expect(() => readProjectFile('/dev/zero', { project: undefined, maxBytes: 10 })).toThrow('it is not a file');
  });
});

test('the names in a folder come in order, and a folder that is not there has none', () => {
  const { at } = world({ 'app/b': '', 'app/a': '' });

  expect(listProjectFolder(at('app'), at('app'))).toEqual(['.keep', 'a', 'b']);
  expect(listProjectFolder(at('app/none'), at('app'))).toBeUndefined();
});

describe('a real path', () => {
  test('that got a link in it since is not opened', () => {
    const { at } = world({ 'app/src/a': 'inside', 'out/a': 'outside' });
    const real = at('app/src/a');
    renameSync(at('app/src'), at('app/old'));
    symlinkSync(at('out'), at('app/src'));

    expect(() => openReal(real)).toThrow(MovedFileError);
    expect(() => inFolder(at('app/src'), () => {})).toThrow(/ELOOP|ENOTDIR|was replaced/);
    expect(() => makeFolder(at('app/src/new/deep'))).toThrow(/ELOOP|ENOTDIR|was replaced/);
  });

  test.runIf(process.platform === 'linux')('of a folder stands for that folder until the work is done', () => {
    const { at } = world({ 'app/src/a': '', 'out/b': '' });

    inFolder(at('app/src'), (place) => {
      renameSync(at('app/src'), at('app/old'));
      symlinkSync(at('out'), at('app/src'));
      writeFileSync(join(place, 'new'), 'text');
    });

    expect(readFileSync(at('app/old/new'), 'utf8')).toBe('text');
    rmSync(at('app/src'));
  });

  test('is made with the folders above it, and the first that was made is told', () => {
    const { at } = world({});

    expect(makeFolder(at('app/x/y/z'))).toBe(at('app/x'));
    expect(makeFolder(at('app/x/y/z'))).toBeUndefined();
  });
});
