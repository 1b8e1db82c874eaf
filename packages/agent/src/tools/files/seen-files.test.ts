import { expect, test } from 'vitest';
import { fileVersion, SeenFiles } from './seen-files.ts';

const bytes = (text: string) => Buffer.from(text);

test('a file that was never seen has not changed, and is not known', () => {
  const seen = new SeenFiles();

  expect(seen.has('s', '/a')).toBe(false);
  expect(seen.hasChanged('s', '/a', { mtimeMs: 1, size: 1 })).toBe(false);
});

test('content decides where it is known: a touched file is the same, one of the same size and time is not', () => {
  const seen = new SeenFiles();
  seen.note('s', '/a', fileVersion({ mtimeMs: 1, size: 3 }, bytes('one')));

  expect(seen.hasChanged('s', '/a', fileVersion({ mtimeMs: 2, size: 3 }, bytes('one')))).toBe(false);
  expect(seen.hasChanged('s', '/a', fileVersion({ mtimeMs: 1, size: 3 }, bytes('two')))).toBe(true);
});

test('time and size decide where only a piece was read', () => {
  const seen = new SeenFiles();
  seen.note('s', '/a', fileVersion({ mtimeMs: 1, size: 3 }));

  expect(seen.hasChanged('s', '/a', fileVersion({ mtimeMs: 1, size: 3 }, bytes('one')))).toBe(false);
  expect(seen.hasChanged('s', '/a', fileVersion({ mtimeMs: 2, size: 3 }, bytes('one')))).toBe(true);
  expect(seen.hasChanged('s', '/a', fileVersion({ mtimeMs: 1, size: 4 }, bytes('ones')))).toBe(true);
});

test('each session knows what it saw itself, until it is over', () => {
  const seen = new SeenFiles();
  seen.note('s', '/a', { mtimeMs: 1, size: 1 });
  seen.note('s', '/b', { mtimeMs: 1, size: 1 });
  expect(seen.has('t', '/a')).toBe(false);

  seen.drop('s', '/a');
  expect([seen.has('s', '/a'), seen.has('s', '/b')]).toEqual([false, true]);

  seen.forget('s');
  expect(seen.has('s', '/b')).toBe(false);
});
