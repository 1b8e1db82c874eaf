import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { HUB_CALLS } from '@dragoman/protocol/schemas';
import { expect, onTestFinished, test } from 'vitest';
import { AllowedFolders } from '../folders/allowed-folders.ts';
import { testRepository } from '../git/repository.fixture.ts';
import { SessionWorktrees } from '../worktree/session-worktrees.ts';
import { FileDesk } from './file-desk.ts';

const ID = 'ses_01hf7yat007777777777abcdef';

function openDesk() {
  const repository = testRepository({ 'a.ts': 'one\n' });
  const { root, environment } = repository;
  const worktrees = join(root, '..', 'worktrees');
  const desk = new FileDesk({ folders: new AllowedFolders(() => [root]), worktrees, environment });
  onTestFinished(() => desk.close());
  const session = { sessionId: ID, agent: 'a', folder: root };
  return { ...repository, worktrees, desk, session, ask: (ask: object) => desk.answer({ session, ...ask }) };
}

test('changes are staged, discarded and committed one after the other, in the order they were asked for', async () => {
  const { ask, write, git } = openDesk();
  write({ 'a.ts': 'two\n', 'b.ts': '', 'c.ts': '' });

  const [staged, discarded, committed] = await Promise.all([
    ask({ method: 'stage-files', paths: ['a.ts', 'b.ts'], isStaged: true }),
    ask({ method: 'discard-changes', paths: ['c.ts'] }),
    ask({ method: 'commit-changes', message: 'Two', author: 'ada' }),
  ]);
  expect(HUB_CALLS.stageFiles.answer.strict().parse(staged)).toMatchObject({
    files: [{ path: 'a.ts', staged: 'modified' }, { path: 'b.ts', staged: 'added' }, { path: 'c.ts' }],
  });
  expect(
    HUB_CALLS.discardChanges.answer
      .strict()
      .parse(discarded)
      .files.map(({ path }) => path),
  ).toEqual(['a.ts', 'b.ts']);
  expect(HUB_CALLS.commitChanges.answer.strict().parse(committed)).toEqual({
    commit: git('rev-parse', 'HEAD').trim(),
    changes: { isRepository: true, branch: 'main', files: [], isCut: false },
  });
});

test('a session in a worktree is answered from there; before it is made nothing can be changed', async () => {
  const { root, session, desk, write, worktrees } = openDesk();
  const spec = { ...session, worktree: true };
  write({ 'a.ts': 'two\n' });
  expect(await desk.answer({ method: 'read-file', session: spec, path: 'a.ts' })).toMatchObject({ text: 'two\n' });
  await expect(desk.answer({ method: 'stage-files', session: spec, paths: ['a.ts'], isStaged: true })).rejects.toThrow(
    'the worktree of this session is created with its first prompt',
  );

  const { cwd, branch } = await new SessionWorktrees(worktrees).open(spec);
  const inside = { ...spec, cwd };
  expect(await desk.answer({ method: 'read-file', session: inside, path: 'a.ts' })).toMatchObject({ text: 'one\n' });
  expect(await desk.answer({ method: 'list-file-changes', session: inside })).toMatchObject({ branch, files: [] });

  for (const [wrong, code] of [
    [{ ...inside, cwd: '/etc' }, 'forbidden'],
    [{ ...inside, cwd: root }, 'forbidden'],
    [{ ...inside, sessionId: '..' }, 'bad-request'],
    [{ ...inside, cwd: join(worktrees, ID, 'gone') }, 'not-found'],
    [{ ...inside, folder: '/etc' }, 'forbidden'],
    [{ ...session, cwd: '/etc' }, 'forbidden'],
    [{ ...session, folder: '/etc' }, 'forbidden'],
  ] as const)
    await expect(desk.answer({ method: 'list-files', session: wrong })).rejects.toMatchObject({
      code,
    });
  mkdirSync(join(worktrees, 'ses_2'));
  symlinkSync('/etc', join(worktrees, 'ses_2', 'app'));
  const linked = { ...spec, sessionId: 'ses_2', cwd: join(worktrees, 'ses_2', 'app') };
  await expect(desk.answer({ method: 'list-files', session: linked })).rejects.toMatchObject({ code: 'forbidden' });
});

test('what it is not asked for in its own words, and what needs a repository where there is none, is said so', async () => {
  const { desk, session, ask, root } = openDesk();
  for (const wrong of [undefined, {}, { method: 'list-agents' }, { method: 'read-file', path: 'a.ts' }])
    await expect(desk.answer(wrong)).rejects.toThrow('the runner does not support this; update it');
  await expect(ask({ method: 'format-disk' })).rejects.toMatchObject({ code: 'bad-request' });

  const plain = new FileDesk({ folders: new AllowedFolders(() => []), worktrees: '/nowhere' });
  const elsewhere = { ...session, folder: join(root, '..') };
  expect(await plain.answer({ method: 'list-file-changes', session: elsewhere })).toEqual({
    isRepository: false,
    files: [],
    isCut: false,
  });
  for (const method of ['commit-changes', 'read-diff'])
    await expect(
      plain.answer({ method, session: elsewhere, path: 'a', staged: false, message: 'x', author: 'ada' }),
    ).rejects.toThrow(/is not a Git repository; run "git init" there first$/);
  plain.close();
  await expect(plain.answer({ method: 'list-files', session: elsewhere })).rejects.toMatchObject({ code: 'cancelled' });
});
