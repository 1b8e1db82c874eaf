import { expect, test } from 'vitest';
import { type GatewayConfigInput, testConfig } from '../gateway.fixture.ts';
import { listModelNames, resolveRoute } from './resolve-route.ts';
import { targetName } from './target.ts';

const CONFIG: GatewayConfigInput = {
  providers: {
    claude: { type: 'anthropic-messages', models: ['sonnet', 'opus'] },
    local: { type: 'openai-chat', models: ['*'] },
  },
  routes: {
    default: ['claude/sonnet', 'local/qwen'],
    fast: { targets: ['local/small'], temperature: 0.2, maxTokens: 9, redaction: false },
  },
};
const targets = (asked: string, config: GatewayConfigInput = CONFIG) =>
  resolveRoute(asked, testConfig(config)).targets.map(targetName);

test('no name is the default route, and a route is found by its name', () => {
  expect(targets('')).toEqual(['claude/sonnet', 'local/qwen']);
  expect(resolveRoute('fast', testConfig(CONFIG))).toMatchObject({
    name: 'fast',
    temperature: 0.2,
    maxTokens: 9,
    isRedacted: false,
  });
});

test('a provider and a model, a model that a provider lists, and any name where a provider takes any', () => {
  expect(targets('claude/opus')).toEqual(['claude/opus']);
  expect(targets('opus')).toEqual(['claude/opus']);
  expect(targets('local/org/model')).toEqual(['local/org/model']);
  expect(targets('never-heard-of')).toEqual(['local/never-heard-of']);
});

test('the route * comes before a provider that takes any name', () => {
  expect(targets('never-heard-of', { ...CONFIG, routes: { '*': ['claude/opus'] } })).toEqual(['claude/opus']);
  expect(targets('', { ...CONFIG, routes: {} })).toEqual(['claude/sonnet']);
});

test('without providers there is the offline model, and a wrong name says what there is', () => {
  expect(targets('', {})).toEqual(['offline/offline']);
  expect(() => targets('gpt', {})).toThrow('There is no model named "gpt" here. Ask for one of: offline/offline.');
});

test('the names a client can choose from are routes, then models', () => {
  expect(listModelNames(testConfig(CONFIG))).toEqual([
    'default',
    'fast',
    'offline/offline',
    'claude/sonnet',
    'claude/opus',
  ]);
});
