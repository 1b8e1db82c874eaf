import fc from 'fast-check';
import { expect, test } from 'vitest';
import { changesOf, draftOf, mistakesOf, moved, targetMistake } from './route-draft.ts';

const FAST = { name: 'fast', targets: ['a/x', 'b/y'], temperature: 0.2, maxTokens: 900, redaction: false };

test('a route that was opened and saved as it is stays as it is', () => {
  const { name, ...value } = FAST;
  expect(changesOf(draftOf(FAST), name)).toEqual([{ path: ['routes', 'fast'], value }]);
  expect(changesOf(draftOf({ name: 'default', targets: ['a/x'] }), 'default')).toEqual([
    { path: ['routes', 'default'], value: ['a/x'] },
  ]);
});

test('how a route chooses is kept, and weights only of targets that it has', () => {
  const weighed = {
    name: 'fast',
    targets: ['a/x', 'b/y'],
    policy: 'weight' as const,
    weights: { 'a/x': 3, 'b/y': 0 },
    sticky: false,
  };
  const { name, ...value } = weighed;
  const draft = draftOf(weighed);
  expect(changesOf(draft, name)).toEqual([{ path: ['routes', 'fast'], value }]);
  expect(changesOf({ ...draft, targets: ['a/x'] }, name)).toMatchObject([{ value: { weights: { 'a/x': 3 } } }]);
  expect(changesOf({ ...draft, policy: 'order', isSticky: true }, name)).toMatchObject([{ value: ['a/x', 'b/y'] }]);
  expect(mistakesOf({ ...draft, weights: { 'a/x': 'many' } }, [])).toEqual({ weights: 'weights' });
});

test('a route with another name leaves the old one, in the same change', () => {
  const draft = { ...draftOf(), name: ' quick ', targets: ['a/x'] };
  expect(changesOf(draft, 'fast')).toEqual([
    { path: ['routes', 'fast'] },
    { path: ['routes', 'quick'], value: ['a/x'] },
  ]);
  expect(changesOf(draft, undefined)).toEqual([{ path: ['routes', 'quick'], value: ['a/x'] }]);
});

test('what cannot be saved is said beside its field', () => {
  expect(mistakesOf({ ...draftOf(), temperature: '3', maxTokens: '1.5' }, [])).toEqual({
    name: 'nameMissing',
    targets: 'noTargets',
    temperature: 'temperature',
    maxTokens: 'maxTokens',
  });
  expect(mistakesOf({ ...draftOf(FAST), temperature: 'warm' }, ['fast'])).toEqual({
    name: 'nameTaken',
    temperature: 'temperature',
  });
  expect(mistakesOf({ ...draftOf(FAST), temperature: '0', maxTokens: '' }, ['default'])).toEqual({});
});

test('a target is a provider that is there, and a model, once', () => {
  const among = { targets: ['a/x'], providers: ['a', 'b'] };
  expect(['', 'a', 'a/', '/x', 'a/x', 'c/x', 'b/deep/seek'].map((target) => targetMistake(target, among))).toEqual([
    'targetForm',
    'targetForm',
    'targetForm',
    'targetForm',
    'targetTaken',
    'targetProvider',
    undefined,
  ]);
});

test('moving an item keeps all others in their order', () => {
  const places = fc
    .uniqueArray(fc.string(), { minLength: 1 })
    .chain((items) => fc.tuple(fc.constant(items), fc.nat(items.length - 1), fc.nat(items.length - 1)));
  fc.assert(
    fc.property(places, ([items, from, to]) => {
      const after = moved(items, from, to);
      const others = (list: readonly string[]) => list.filter((item) => item !== items[from]);
      expect(after).toHaveLength(items.length);
      expect(after[to]).toBe(items[from]);
      expect(others(after)).toEqual(others(items));
    }),
  );
  expect(moved(['a', 'b', 'c'], 2, 0)).toEqual(['c', 'a', 'b']);
});

test('a place that is not there changes nothing', () => {
  const items = ['a', 'b'];
  for (const [from, to] of [
    [-1, 0],
    [0, -1],
    [2, 0],
    [0, 2],
    [1, 1],
  ] as const)
    expect(moved(items, from, to)).toBe(items);
});
