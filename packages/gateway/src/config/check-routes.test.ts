import { expect, test } from 'vitest';
import { z } from 'zod';
import { checkRoutes } from './check-routes.ts';
import { gatewayConfigShape } from './gateway-config.ts';

const schema = z.strictObject(gatewayConfigShape).check(checkRoutes);
const problems = (route: unknown) =>
  (schema.safeParse({ providers: { a: { type: 'openai-chat' } }, routes: { r: route } }).error?.issues ?? []).map(
    ({ path, message }) => [path.join('.'), message],
  );

test('a route weighs the targets it has, with the policy that asks for it', () => {
  expect(problems({ targets: ['a/x', 'a/y'], policy: 'weight', weights: { 'a/x': 3, 'a/y': 0 } })).toEqual([]);
  expect(problems({ targets: ['a/x'], policy: 'weight', weights: { 'a/z': 3 } })).toEqual([
    ['routes.r.weights.a/z', '"a/z" is not a target of this route'],
  ]);
  expect(problems({ targets: ['a/x'], weights: { 'a/x': 3 } })).toEqual([
    ['routes.r.weights', 'weights only work with the policy "weight"'],
  ]);
});

test('a route leads to a provider that is there', () => {
  expect(problems(['a/x', 'offline/offline', 'b/x'])).toEqual([['routes.r.2', 'there is no provider named "b"']]);
  expect(problems({ targets: ['b/x'] })).toEqual([['routes.r.targets.0', 'there is no provider named "b"']]);
});

test('a target that names no model is told once, as what it is', () => {
  for (const target of ['self', 'a', '', '/x', 'b/'])
    expect(problems([target, 'b/x'])).toEqual([
      ['routes.r.0', 'expected "provider/model"'],
      ['routes.r.1', 'there is no provider named "b"'],
    ]);
  expect(problems({ targets: ['self'] })).toEqual([['routes.r.targets.0', 'expected "provider/model"']]);
});
