import { expect, test } from 'vitest';
import { listSessions } from './list-sessions.ts';

const stored = Array.from({ length: 120 }, (_, index) => ({
  id: `ses_${String(999 - index)}`,
  root: '/p',
  cwd: index % 2 === 0 ? '/p' : '/p/web',
  title: `Session ${index}`,
  parentID: undefined,
  createdAt: 0,
  updatedAt: 1_000_000 - Math.floor(index / 3), // Some at the same moment.
}));

test('sessions come in pages, each of them once, also when one moves to the top meanwhile', () => {
  const seen: string[] = [];
  let [sessions, cursor] = [stored, undefined as string | undefined];
  do {
    const page = listSessions(sessions, cursor === undefined ? {} : { cursor });
    seen.push(...page.sessions.map(({ sessionId }) => sessionId));
    cursor = page.nextCursor ?? undefined;
    const moved = { ...sessions[10]!, updatedAt: 2_000_000 };
    sessions = [moved, ...sessions.filter(({ id }) => id !== moved.id)];
  } while (cursor !== undefined);

  expect(seen).toEqual(stored.map(({ id }) => id));
});

test('those of one folder are listed when it is named', () => {
  const page = listSessions(stored.slice(0, 4), { cwd: '/p/web', cursor: null });

  expect(page).toEqual({
    sessions: [
      { sessionId: 'ses_998', cwd: '/p/web', title: 'Session 1', updatedAt: '1970-01-01T00:16:40.000Z' },
      { sessionId: 'ses_996', cwd: '/p/web', title: 'Session 3', updatedAt: '1970-01-01T00:16:39.999Z' },
    ],
  });
});
