import { expect, test } from 'vitest';
import type { StoredPost } from './post-rows.ts';
import { chooseNext, fingerprintOf, isWaiting, type WantedPost } from './wanted-post.ts';

/** A post that says its key; `there` is what the chat says by now. */
function wanted(key: string, there?: Partial<StoredPost> & { says?: string }, isFinal = false): WantedPost {
  const { says, ...given } = there ?? {};
  const row: StoredPost = {
    id: key,
    sessionId: 's',
    key,
    note: undefined,
    state: 'shown',
    actions: '[]',
    nonce: '',
    hint: null,
    isUncertain: false,
    receipt: { messageId: key, isLasting: true },
    fingerprint: says === undefined ? undefined : fingerprintOf({ says }),
    problem: undefined,
    ...given,
  };
  const post = { key, body: { says: key }, actions: [], isFinal };
  return { post, sessionId: 's', row: there === undefined ? undefined : row, replyTo: undefined };
}

const chosen = (list: readonly WantedPost[], newest = 'z') => {
  const choice = chooseNext(list, newest);
  return choice && [choice.wanted.post.key, choice.isLast];
};

test('what is not there yet comes first, in its order; then what changed', () => {
  const changed = wanted('a', { says: 'old' });
  const unsent = [wanted('b'), wanted('c')];

  expect(chosen([changed, ...unsent])).toEqual(['b', false]);
  expect(chosen([changed, unsent[1]!])).toEqual(['c', true]);
  expect(chosen([changed])).toEqual(['a', false]);
  expect(chosen([changed], 'a')).toEqual(['a', true]);
});

test('what is minor comes behind all that is not there yet, and behind all that changed', () => {
  const minor = { ...wanted('a', { receipt: undefined }), isMinor: true };
  const changedMinor = { ...wanted('c', { says: 'old', waitsSince: 1 }, true), isMinor: true };
  const changed = wanted('d', { says: 'old', waitsSince: 2 });

  expect(chosen([minor, wanted('b')])).toEqual(['b', false]);
  expect(chosen([minor, changed])).toEqual(['a', false]);
  expect(chosen([changedMinor, changed])).toEqual(['d', false]);
  expect(chosen([changedMinor])).toEqual(['c', false]);
});

test('of changes the final ones come first, then the one that waited longest', () => {
  const list = [
    wanted('a', { says: 'old', waitsSince: 3 }),
    wanted('b', { says: 'old', waitsSince: 1 }),
    wanted('c', { says: 'old', waitsSince: 9 }, true),
  ];

  expect(chosen(list)).toEqual(['c', false]);
  expect(chosen(list.slice(0, 2))).toEqual(['b', false]);
});

test('what is there for the moment is made to stay before something follows it, and asked for that once', () => {
  const draft = wanted('a', { says: 'a', receipt: { isLasting: false } });

  expect(chosen([draft])).toBeUndefined();
  expect(chosen([draft, wanted('b')])).toEqual(['a', false]);
  draft.row!.isPressed = true;
  expect(chosen([draft, wanted('b')])).toEqual(['b', true]);
});

test('nothing is done about what says what it should, was deleted for good, or was refused as it is', () => {
  expect(isWaiting(wanted('a', { says: 'a' }))).toBe(false);
  expect(isWaiting(wanted('a', { says: 'a' }, true))).toBe(true);
  expect(isWaiting(wanted('a', { says: 'a', state: 'done' }, true))).toBe(false);
  expect(isWaiting(wanted('a', { says: 'old', state: 'done', receipt: undefined }, true))).toBe(false);
  expect(isWaiting(wanted('a', { says: 'a', state: 'failed' }, true))).toBe(false);
  expect(isWaiting(wanted('a', { says: 'old', state: 'failed' }))).toBe(true);
});
