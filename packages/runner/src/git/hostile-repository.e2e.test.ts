import { chmodSync, existsSync, mkdirSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { FileDesk } from '../files/file-desk.ts';
import { AllowedFolders } from '../folders/allowed-folders.ts';
import { testRepository } from './repository.fixture.ts';

/** A repository that was made to run a program of its own when somebody looks at it. */
function hostileRepository() {
  const repository = testRepository({ 'a.ts': 'one\n', 'pic.png': 'one\n', 'deep/a.ts': '' });
  const { root, git, write } = repository;
  const program = join(root, '..', 'evil.sh');
  const trace = join(root, '..', 'ran');
  writeFileSync(program, `#!/bin/sh\necho "$0 $*" >> '${trace}'\ncat\n`);
  chmodSync(program, 0o755);
  const set = (key: string, value: string) => git('config', key, value);
  for (const key of [
    'core.fsmonitor',
    'core.pager',
    'core.editor',
    'core.sshCommand',
    'core.askPass',
    'diff.external',
    'diff.evil.command',
    'diff.evil.textconv',
    'filter.evil.clean',
    'filter.evil.smudge',
    'filter.e=vil.process',
    'filter.e=vil.clean',
    'credential.helper',
    'gpg.program',
    'core.alternateRefsCommand',
    'uploadpack.packObjectsHook',
  ])
    set(key, program);
  set('filter.evil.required', 'true');
  set('core.hooksPath', join(root, 'hooks'));
  set('color.ui', 'always');
  set('diff.noprefix', 'true');
  set('status.relativePaths', 'true');
  set('extensions.partialClone', 'origin');
  set('remote.origin.url', `ext::${program}`);
  set('remote.origin.promisor', 'true');
  set('protocol.ext.allow', 'always');
  set('include.path', join(root, 'more-config'));
  write({
    'more-config': `[filter "included"]\n\tclean = ${program}\n`,
    '.gitattributes': '*.ts diff=evil filter=evil\n*.png filter=e=vil diff=evil\n*.txt filter=included\n',
  });
  mkdirSync(join(root, 'hooks'));
  for (const hook of [
    'post-index-change',
    'pre-commit',
    'post-checkout',
    'reference-transaction',
    'fsmonitor-watchman',
  ])
    symlinkSync(program, join(root, 'hooks', hook));
  write({ 'a.ts': 'two\n', 'pic.png': 'two\n', '--output=x': 'y\n', 'b.txt': 'z\n', 'deep/a.ts': 'two\n' });
  // Git looks again at a file whose time has changed.
  utimesSync(join(root, 'pic.png'), 1, 1);
  symlinkSync('/etc/passwd', join(root, 'passwd'));
  symlinkSync('/etc', join(root, 'etc'));
  symlinkSync('.git', join(root, 'mirror'));
  return { ...repository, trace };
}

test('a hostile repository gets nothing run by being looked at', async () => {
  const { root, environment, trace } = hostileRepository();
  const desk = new FileDesk({ folders: new AllowedFolders(() => [root]), worktrees: '/nowhere', environment });
  const session = { sessionId: 'ses_1', agent: 'a', folder: root };
  const look = (ask: object) => desk.answer({ session, ...ask });

  expect(await look({ method: 'list-file-changes' })).toMatchObject({
    branch: 'main',
    files: [
      { path: '--output=x', unstaged: 'added' },
      { path: '.gitattributes', unstaged: 'added' },
      { path: 'a.ts', unstaged: 'modified', added: 1, removed: 1 },
      { path: 'b.txt' },
      { path: 'deep/a.ts' },
      { path: 'etc', unstaged: 'added' },
      { path: 'hooks/fsmonitor-watchman' },
      { path: 'hooks/post-checkout' },
      { path: 'hooks/post-index-change' },
      { path: 'hooks/pre-commit' },
      { path: 'hooks/reference-transaction' },
      { path: 'mirror' },
      { path: 'more-config' },
      { path: 'passwd', unstaged: 'added' },
      { path: 'pic.png', unstaged: 'modified', added: 1, removed: 1 },
    ],
  });
  for (const path of ['a.ts', 'pic.png', 'deep/a.ts'])
    expect(await look({ method: 'read-diff', path, staged: false })).toMatchObject({
      unified: expect.stringContaining(`\n--- a/${path}\n+++ b/${path}\n@@ `) as string,
    });
  expect(await look({ method: 'read-diff', path: '--output=x', staged: false })).toMatchObject({
    unified: expect.stringContaining('+y\n') as string,
  });
  expect(await look({ method: 'read-diff', path: 'passwd', staged: false })).toMatchObject({
    unified: expect.stringMatching(/\+\/etc\/passwd\n\\ No newline/) as string,
  });
  expect(await look({ method: 'find-files', q: 'passwd', limit: 10 })).toEqual({ files: [] });
  expect(await look({ method: 'find-files', q: 'output', limit: 10 })).toEqual({ files: [{ path: '--output=x' }] });
  const listed = (await look({ method: 'list-files' })) as { entries: { name: string }[] };
  expect(listed.entries.map(({ name }) => name)).toEqual([
    'deep',
    'hooks',
    '--output=x',
    '.gitattributes',
    'a.ts',
    'b.txt',
    'more-config',
    'pic.png',
  ]);

  expect(existsSync(trace)).toBe(false);
  expect(existsSync(join(root, 'x'))).toBe(false);
});

test('a hostile repository gives nothing that lies outside of it or belongs to git', async () => {
  const { root, environment } = hostileRepository();
  const desk = new FileDesk({ folders: new AllowedFolders(() => [root]), worktrees: '/nowhere', environment });
  const session = { sessionId: 'ses_1', agent: 'a', folder: root };

  for (const path of [
    'passwd',
    'etc/passwd',
    '/etc/passwd',
    '../evil.sh',
    'deep/../../evil.sh',
    'mirror/config',
    '.git/config',
    '.GIT/config',
  ])
    await expect(desk.answer({ session, method: 'read-file', path })).rejects.toMatchObject({
      code: 'forbidden',
    });
  for (const path of ['etc', 'mirror', '.git', '..', '/'])
    await expect(desk.answer({ session, method: 'list-files', path })).rejects.toMatchObject({
      code: 'forbidden',
    });
  for (const path of ['etc/passwd', 'mirror/config'])
    expect(await desk.answer({ session, method: 'read-diff', path, staged: false })).toMatchObject({ unified: '' });
});

test('what a repository inside leads git to is not told, where git complains about it', async () => {
  const { root, environment, git, write } = testRepository({ 'a.ts': 'one\n' });
  git('init', '--quiet', 'inner');
  git('update-index', '--add', '--cacheinfo', `160000,${'1'.repeat(40)},inner`);
  write({ '.env': 'KEY=secret\n', 'inner/.git/HEAD': 'ref: refs/heads/none\n' });
  symlinkSync('../../.env', join(root, 'inner/.git/packed-refs'));
  const desk = new FileDesk({ folders: new AllowedFolders(() => [root]), worktrees: '/nowhere', environment });

  const session = { sessionId: 'ses_1', agent: 'a', folder: root };
  await expect(desk.answer({ session, method: 'list-file-changes' })).rejects.toMatchObject({
    message: 'fatal: unexpected line in inner/.git/packed-refs',
  });
});
