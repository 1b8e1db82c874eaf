import { expect, test } from 'vitest';
import { hubSession } from '../api/session.fixture.ts';
import { folderName, listRows } from './list-rows.ts';

const SESSIONS = [
  hubSession({ id: 'a', folder: '/code/shop' }),
  hubSession({ id: 'b', folder: '/code/mail' }),
  hubSession({ id: 'c', folder: '/code/shop' }),
  hubSession({ id: 'p', folder: '/code/mail', isPinned: true }),
];
const keys = (sessions: typeof SESSIONS, arrangement: 'folder' | 'time') =>
  listRows(sessions, arrangement).map((row) => (row.type === 'heading' ? `# ${row.key} ${row.count}` : row.key));

test('sessions of a folder stand together, the folder with the latest first, and pinned ones on top', () => {
  expect(keys(SESSIONS, 'folder')).toEqual([
    '# pinned 1',
    'p',
    '# in /code/shop 2',
    'a',
    'c',
    '# in /code/mail 1',
    'b',
  ]);
});

test('by time they are one list, with headings only where pinned ones have to be told apart', () => {
  expect(keys(SESSIONS, 'time')).toEqual(['# pinned 1', 'p', '# others 3', 'a', 'b', 'c']);
  expect(keys(SESSIONS.slice(0, 3), 'time')).toEqual(['a', 'b', 'c']);
  expect(keys([], 'folder')).toEqual([]);
});

test('a folder is known by the last part of its path', () => {
  expect(['/code/shop/', 'C:\\code\\shop', '/'].map(folderName)).toEqual(['shop', 'shop', '/']);
});
