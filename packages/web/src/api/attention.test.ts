import { expect, test } from 'vitest';
import { attentionOf } from './attention.ts';
import { hubSession } from './session.fixture.ts';

const fault = { code: 'interrupted', message: 'gone' };

test('what is unread wants something of who started the session or has opened it before', () => {
  const done = hubSession({ id: 'done', seq: 5, newsSeq: 5, readSeq: 0 });
  const broken = hubSession({ id: 'broken', seq: 5, newsSeq: 5, readSeq: 0, status: 'failed', lastError: fault });

  expect([done, broken].map((session) => attentionOf(session, 'usr_a'))).toEqual(['unread', 'failed']);
  expect([done, broken].map((session) => attentionOf(session, 'usr_b'))).toEqual(['quiet', 'quiet']);
  expect(attentionOf({ ...done, readSeq: 3 }, 'usr_b')).toBe('unread');
  expect(attentionOf({ ...broken, readSeq: 3 }, 'usr_b')).toBe('failed');
  expect(attentionOf({ ...broken, readSeq: 5 }, 'usr_a')).toBe('quiet');
});

test('what waits for an answer wants it of everyone, and what runs is shown to everyone', () => {
  const waiting = hubSession({ id: 'waiting', seq: 5, newsSeq: 5, readSeq: 0, status: 'waiting', waitingApprovals: 1 });
  const running = hubSession({ id: 'running', seq: 5, newsSeq: 5, readSeq: 0, status: 'running' });

  expect([waiting, running].map((session) => attentionOf(session, 'usr_b'))).toEqual(['waiting', 'running']);
});
