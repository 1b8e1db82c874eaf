import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { commitChanges } from './commit-changes.ts';
import { discardChanges } from './discard-changes.ts';
import { readChanges } from './read-changes.ts';
import { testRepository, type TestRepository } from './repository.fixture.ts';
import { stageFiles } from './stage-files.ts';

/** Each changed file with its two kinds, in short. */
async function inShort({ open }: TestRepository): Promise<string[]> {
  const { files } = await readChanges(await open());
  return files.map(({ path, staged = '-', unstaged = '-' }) => `${path}: ${staged} ${unstaged}`);
}

describe('staging', () => {
  test('changes, new files, deletions and renames go into the next commit and out of it again', async () => {
    const repository = testRepository({ 'a.ts': 'one\n', 'gone.ts': 'x\n', 'old.ts': 'a\nb\nc\nd\n', 'same.ts': '' });
    const { root, git, write, open } = repository;
    git('mv', 'old.ts', 'new.ts');
    write({ 'a.ts': 'two\n', '--output=x': 'y\n', '*.ts': 'z\n' });
    rmSync(join(root, 'gone.ts'));
    const all = ['*.ts', '--output=x', 'a.ts', 'gone.ts', 'new.ts'];

    await stageFiles(await open(), ['*.ts', 'gone.ts'], true);
    expect(await inShort(repository)).toEqual([
      '*.ts: added -',
      '--output=x: - added',
      'a.ts: - modified',
      'gone.ts: deleted -',
      'new.ts: renamed -',
    ]);
    await stageFiles(await open(), all, true);
    await stageFiles(await open(), all, true);
    expect(await inShort(repository)).toEqual([
      '*.ts: added -',
      '--output=x: added -',
      'a.ts: modified -',
      'gone.ts: deleted -',
      'new.ts: renamed -',
    ]);
    await stageFiles(await open(), all, false);
    expect(await inShort(repository)).toEqual([
      '*.ts: - added',
      '--output=x: - added',
      'a.ts: - modified',
      'gone.ts: - deleted',
      'new.ts: - added',
      'old.ts: - deleted',
    ]);
  });

  test('only files that have changed are named, by whatever way into the folder', async () => {
    const { write, open } = testRepository({ 'src/a.ts': 'one\n', 'same.ts': '' });
    write({ 'src/a.ts': 'two\n', 'top.ts': '' });

    await expect(stageFiles(await open(), ['src'], true)).rejects.toThrow(
      'src is a folder; name the files that are meant',
    );
    await expect(stageFiles(await open(), ['same.ts'], true)).rejects.toMatchObject({ code: 'not-found' });
    await expect(stageFiles(await open('src'), ['../top.ts'], true)).rejects.toMatchObject({ code: 'forbidden' });
    await expect(stageFiles(await open(), ['.git/config'], true)).rejects.toMatchObject({ code: 'forbidden' });
  });

  test('works before the first commit, and while another git holds the index it is said so', async () => {
    const repository = testRepository();
    repository.write({ 'a.ts': '' });
    await stageFiles(await repository.open(), ['a.ts'], true);
    expect(await inShort(repository)).toEqual(['a.ts: added -']);
    await stageFiles(await repository.open(), ['a.ts'], false);
    expect(await inShort(repository)).toEqual(['a.ts: - added']);

    writeFileSync(join(repository.root, '.git', 'index.lock'), '');
    await expect(stageFiles(await repository.open(), ['a.ts'], true)).rejects.toMatchObject({
      code: 'conflict',
      isRetryable: true,
    });
  });
});

describe('discarding', () => {
  test('a file becomes what is staged of it, a deleted one is back, and a new one is gone', async () => {
    const repository = testRepository({ 'a.ts': 'one\n', 'gone.ts': 'x\n', 'b.ts': 'one\n' });
    const { root, git, write, open } = repository;
    write({ 'a.ts': 'staged\n' });
    git('add', 'a.ts');
    write({
      'a.ts': 'not staged\n',
      'b.ts': 'two\n',
      'new/file.ts': '',
      'new/other.ts': '',
      'announced.ts': 'all new\n',
    });
    git('add', '--intent-to-add', 'announced.ts');
    rmSync(join(root, 'gone.ts'));

    await discardChanges(await open(), ['a.ts', 'gone.ts', 'new/file.ts', 'announced.ts']);
    expect(await inShort(repository)).toEqual(['a.ts: modified -', 'b.ts: - modified', 'new/other.ts: - added']);
    expect(readFileSync(join(root, 'a.ts'), 'utf8')).toBe('staged\n');
    expect(existsSync(join(root, 'announced.ts'))).toBe(false);

    rmSync(join(root, 'gone.ts'));
    write({ 'moved.ts': 'x\n' });
    git('add', '--intent-to-add', 'moved.ts');
    await discardChanges(await open(), ['moved.ts']);
    expect([existsSync(join(root, 'moved.ts')), existsSync(join(root, 'gone.ts'))]).toEqual([false, true]);
  });

  test('nothing is touched where one of the files is not meant to be discarded', async () => {
    const repository = testRepository({ 'a.ts': 'one\n', conf: 'x\n' });
    const { root, git, write, open } = repository;
    write({ 'a.ts': 'two\n', 'b.ts': '' });
    git('add', 'b.ts');
    rmSync(join(root, 'conf'));
    write({ 'conf/precious.ts': 'all my work\n' });
    const before = await inShort(repository);

    await expect(discardChanges(await open(), ['a.ts', 'b.ts'])).rejects.toThrow(
      'all changes in b.ts are staged; unstage them first',
    );
    await expect(discardChanges(await open(), ['a.ts', 'conf'])).rejects.toThrow(
      'conf is now a folder and was not deleted',
    );
    await expect(discardChanges(await open(), ['a.ts', 'nowhere.ts'])).rejects.toMatchObject({ code: 'not-found' });
    expect(await inShort(repository)).toEqual(before);
  });

  test('of a link only the link goes, and what is ignored or below a link stays', async () => {
    const { root, write, open } = testRepository({ '.gitignore': 'ignored/\n' });
    write({ '../outside/kept.ts': 'x\n', 'ignored/kept.ts': 'x\n' });
    symlinkSync(join(root, '..', 'outside', 'kept.ts'), join(root, 'link'));
    symlinkSync(join(root, '..', 'outside'), join(root, 'way'));

    await discardChanges(await open(), ['link']);
    await expect(discardChanges(await open(), ['way/kept.ts'])).rejects.toMatchObject({ code: 'not-found' });
    await expect(discardChanges(await open(), ['ignored/kept.ts'])).rejects.toMatchObject({ code: 'not-found' });
    expect(existsSync(join(root, 'link'))).toBe(false);
    expect(existsSync(join(root, '..', 'outside', 'kept.ts'))).toBe(true);
  });
});

describe('a filter of the repository', () => {
  function filtered(isRequired: boolean, { isOld = false } = {}) {
    const repository = testRepository({ '.gitattributes': '*.ts filter=x\n', 'a.ts': 'one\n' });
    const { root, git, write } = repository;
    // Git then sees by the time that a file changed, and does not read it.
    if (isOld) utimesSync(join(root, 'a.ts'), 1e9, 1e9);
    git('update-index', '--refresh');
    const mark = join(root, '..', 'mark');
    for (const step of ['clean', 'smudge']) git('config', `filter.x.${step}`, `touch '${mark}'; cat`);
    git('config', 'filter.x.required', String(isRequired));
    write({ 'a.ts': 'two\n' });
    return { repository, mark };
  }

  test('does not run when a file is staged, taken out or discarded', async () => {
    const { repository, mark } = filtered(false);
    const { root, open } = repository;

    await stageFiles(await open(), ['a.ts'], true);
    expect(await inShort(repository)).toEqual(['a.ts: modified -']);
    await stageFiles(await open(), ['a.ts'], false);
    await discardChanges(await open(), ['a.ts']);

    expect(readFileSync(join(root, 'a.ts'), 'utf8')).toBe('one\n');
    expect(existsSync(mark)).toBe(false);
  });

  test('that a file must not go without is heeded where another file than .gitattributes says so', async () => {
    const { repository } = filtered(true);
    const { root, git, write, open } = repository;
    git('rm', '--quiet', '--cached', '.gitattributes');
    renameSync(join(root, '.gitattributes'), join(root, '..', 'attributes'));
    git('config', 'core.attributesFile', join(root, '..', 'attributes'));
    write({ 'b.ts': 'secret\n' });

    await expect(stageFiles(await open(), ['b.ts'], true)).rejects.toMatchObject({ code: 'conflict' });
  });

  test.each([true, false])(
    'that must run keeps a file from being stored or written without it (old: %s)',
    async (isOld) => {
      const { repository, mark } = filtered(true, { isOld });
      const refused =
        'a.ts needs the filter "x", which the repository sets and Dragoman does not run; use git on the machine itself';

      await expect(stageFiles(await repository.open(), ['a.ts'], true)).rejects.toThrow(refused);
      await expect(discardChanges(await repository.open(), ['a.ts'])).rejects.toThrow(refused);

      expect(readFileSync(join(repository.root, 'a.ts'), 'utf8')).toBe('two\n');
      expect(existsSync(mark)).toBe(false);
    },
  );
});

describe('committing', () => {
  const log = ({ git }: TestRepository) => git('log', '-1', '--format=%an <%ae> | %cn <%ce> | %B').trim();

  test('what is staged is committed in the name of the person, with the address that git is set up with', async () => {
    const repository = testRepository({ 'a.ts': 'one\n', 'b.ts': 'one\n' });
    const { git, write, open } = repository;
    git('config', 'user.name', 'Machine');
    git('config', 'user.email', 'desk@example.com');
    write({ 'a.ts': 'two\n', 'b.ts': 'two\n' });
    git('add', 'a.ts');

    const commit = await commitChanges(await open(), 'Two\n\n# not a remark', 'ada');
    expect(git('rev-parse', 'HEAD').trim()).toBe(commit);
    expect(log(repository)).toBe('ada <desk@example.com> | Machine <desk@example.com> | Two\n\n# not a remark');
    expect(await inShort(repository)).toEqual(['b.ts: - modified']);
  });

  test('where git knows nobody, the person has an address of their own, whatever they are called', async () => {
    for (const [name, told] of [
      ['Ada L', 'Ada L <Ada-L@dragoman.local>'],
      ['阿达', '阿达 <someone@dragoman.local>'],
      ['<x>\n', 'x <x@dragoman.local>'],
      ['-.', 'dragoman <dragoman@dragoman.local>'],
    ] as const) {
      const repository = testRepository();
      repository.write({ 'a.ts': '' });
      repository.git('add', '.');
      await commitChanges(await repository.open(), 'first', name);
      expect(log(repository)).toBe(`${told} | ${told} | first`);
    }
  });

  test('hooks run, and what one of them refuses is the error', async () => {
    const repository = testRepository({ 'a.ts': 'one\n' });
    const { root, git, write, open } = repository;
    const hook = join(root, '.git', 'hooks', 'pre-commit');
    mkdirSync(join(root, '.git', 'hooks'), { recursive: true });
    writeFileSync(hook, '#!/bin/sh\necho "env: $DRAGOMAN_TOKEN"\necho "a.ts: too short" >&2\nexit 1\n');
    chmodSync(hook, 0o755);
    write({ 'a.ts': 'two\n' });
    git('add', '.');

    repository.environment['DRAGOMAN_TOKEN'] = 'secret';
    await expect(commitChanges(await open(), 'Two', 'ada')).rejects.toMatchObject({
      code: 'conflict',
      message: 'nothing was committed; git says: env: \na.ts: too short',
    });
    writeFileSync(hook, '#!/bin/sh\ntouch ran\nsleep 3 &\n');
    await commitChanges(await open(), 'Two', 'ada');
    expect(existsSync(join(root, 'ran'))).toBe(true);
  });

  test('nothing staged, a conflict, or files beyond the folder are refused', async () => {
    const { git, write, open } = testRepository({ 'a.ts': 'one\n', 'src/b.ts': 'one\n' });
    await expect(commitChanges(await open(), 'x', 'ada')).rejects.toThrow('nothing is staged; stage a file first');
    write({ 'a.ts': 'two\n', 'src/b.ts': 'two\n' });
    git('add', '.');
    await expect(commitChanges(await open('src'), 'x', 'ada')).rejects.toThrow(
      'a file is staged outside of the folder of the session, such as a.ts; commit on the machine itself',
    );

    git('commit', '--quiet', '-m', 'ours');
    git('checkout', '--quiet', '-b', 'other', 'HEAD~1');
    write({ 'a.ts': 'theirs\n' });
    git('commit', '--quiet', '-am', 'theirs');
    expect(() => git('merge', 'main')).toThrow('merge main');
    await expect(commitChanges(await open(), 'x', 'ada')).rejects.toThrow(
      'a.ts has a conflict; resolve it and stage it',
    );
    await expect(discardChanges(await open(), ['a.ts'])).rejects.toThrow('a.ts has a conflict');
    write({ 'a.ts': 'settled\n' });
    await stageFiles(await open(), ['a.ts'], true);
    await commitChanges(await open(), 'merged', 'ada');
    expect((await readChanges(await open())).files).toEqual([]);
  });
});
