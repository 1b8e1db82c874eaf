import { expect, test } from 'vitest';
import { findSymbol } from './find-symbol.ts';
import { liveFiles } from './live.fixture.ts';

const FILES = {
  'src/session.ts': 'export class Session {\n  open() {\n    return 1;\n  }\n}\n',
  'src/session.test.ts': 'class Session {}\n',
  'src/door.ts': 'export class Door {\n  open() {\n    return 2;\n  }\n}\n',
  'src/names.ts': 'export const SESSION = 1;\n',
};
const places = (name: string, hidden: string[] = []) =>
  findSymbol(liveFiles([FILES], hidden), name, 10).map(({ path, start, symbol }) => `${path}:${start} ${symbol}`);

test('the main definition of a name comes first, tests and other spellings after it', () => {
  expect(places('Session')).toEqual([
    'src/session.ts:1 Session',
    'src/session.test.ts:1 Session',
    'src/names.ts:1 SESSION',
  ]);
});

test.each(['Door.open', 'Door::open', 'Door#open', 'Door->open()'])('%s is the one of that container', (name) => {
  expect(places(name)).toEqual(['src/door.ts:2 open']);
});

test('files outside the view have no symbols', () => {
  expect(places('Session', ['src/session.ts', 'src/names.ts'])).toEqual(['src/session.test.ts:1 Session']);
});

test('a name that nothing defines, and no name, find nothing', () => {
  expect(places('Missing')).toEqual([]);
  expect(places('')).toEqual([]);
});
