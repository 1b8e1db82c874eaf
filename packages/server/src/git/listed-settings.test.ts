import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ownSettings } from './listed-settings.ts';

const OURS = 'command\0command line:\0safe.barerepository\nexplicit\0';

test('of a listing the settings of the repository remain, with the files that they stand in', () => {
  const listing =
    'system\0file:/etc/gitconfig\0filter.lfs.clean\ngit-lfs clean -- %f\0' +
    'global\0file:/home/ada/.gitconfig\0user.name\nAda\0' +
    'local\0file:.git/config\0core.bare\nfalse\0' +
    'local\0file:/srv/app/more\0filter.a.b=c.clean\none\ntwo\0' +
    'worktree\0file:.git/config.worktree\0diff.x.binary\0';

  expect(ownSettings(listing + OURS)).toEqual([
    { file: '.git/config', key: 'core.bare', value: 'false' },
    { file: '/srv/app/more', key: 'filter.a.b=c.clean', value: 'one\ntwo' },
    { file: '.git/config.worktree', key: 'diff.x.binary', value: '' },
  ]);
  expect(ownSettings(OURS)).toEqual([]);
  for (const old of ['', listing]) expect(() => ownSettings(old)).toThrow('git is older than 2.31');
});

test('whatever values a repository sets, each is told as its own and hides no other', () => {
  const text = fc.string({ unit: 'binary' }).map((value) => value.replaceAll('\0', ''));
  const setting = fc.record({
    scope: fc.constantFrom('system', 'global', 'local', 'worktree'),
    file: text,
    key: text.map((name) => `filter.${name.replaceAll('\n', '')}.clean`),
    value: text,
  });
  fc.assert(
    fc.property(fc.array(setting), (settings) => {
      const listing = settings.map(({ scope, file, key, value }) => `${scope}\0file:${file}\0${key}\n${value}\0`);
      const own = settings.filter(({ scope }) => scope === 'local' || scope === 'worktree');

      expect(ownSettings(listing.join('') + OURS)).toEqual(own.map(({ file, key, value }) => ({ file, key, value })));
    }),
  );
});
