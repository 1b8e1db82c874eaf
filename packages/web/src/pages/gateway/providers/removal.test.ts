import { expect, test } from 'vitest';
import { removalOf, routesUsing, secretsOf } from './removal.ts';

const SETTINGS = {
  providers: {
    claude: {
      type: 'anthropic-messages',
      apiKey: ['{secret:providers.claude.apiKey}', '{secret:mine}'],
      headers: { 'x-team': '{secret:providers.claude.team}' },
    },
    claude2: { type: 'openai-chat' },
  },
  routes: {
    default: ['claude/opus', 'claude2/opus'],
    fast: { targets: ['claude2/haiku', 'claude/haiku'], temperature: 0.2 },
    only: ['claude/opus'],
    other: ['claude2/opus'],
    odd: 5,
  },
};

test('a provider that goes is taken out of every route, and a route that only led to it goes too', () => {
  expect(removalOf('claude', SETTINGS)).toEqual([
    { path: ['providers', 'claude'] },
    { path: ['routes', 'default'], value: ['claude2/opus'] },
    { path: ['routes', 'fast', 'targets'], value: ['claude2/haiku'] },
    { path: ['routes', 'only'] },
  ]);
  expect(removalOf('nobody', {})).toEqual([{ path: ['providers', 'nobody'] }]);
});

test('weights of targets that go are taken out too', () => {
  const weighed = { targets: ['claude/haiku', 'claude2/haiku'], policy: 'weight', weights: { 'claude/haiku': 3 } };

  expect(removalOf('claude', { routes: { fast: weighed } })).toEqual([
    { path: ['providers', 'claude'] },
    { path: ['routes', 'fast', 'targets'], value: ['claude2/haiku'] },
    { path: ['routes', 'fast', 'weights', 'claude/haiku'] },
  ]);
});

test('the secrets that the console made for a provider go with it; those with a name of their own stay', () => {
  expect(secretsOf('claude', SETTINGS)).toEqual(['providers.claude.apiKey', 'providers.claude.team']);
  expect(secretsOf('claude2', SETTINGS)).toEqual([]);
});

test('people are told what becomes of each route', () => {
  const routes = [
    { name: 'default', targets: ['claude/opus', 'claude2/opus'] },
    { name: 'only', targets: ['claude/opus'] },
    { name: 'other', targets: ['claude2/opus'] },
  ];
  expect(routesUsing('claude', routes)).toEqual([
    { route: 'default', left: 1 },
    { route: 'only', left: 0 },
  ]);
});
