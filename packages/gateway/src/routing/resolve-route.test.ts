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
  expect(() => targets('gpt', {})).toThrow('There is no model named "gpt". Available models: offline/offline.');
});

test('a wrong name is answered with those that may have been meant, with and without their provider', () => {
  const closed: GatewayConfigInput = {
    providers: { claude: { type: 'anthropic-messages', models: ['opus', 'sonnet'] } },
  };
  const said = (asked: string) => () => targets(asked, closed);
  const all = 'Available models: offline/offline, claude/opus, claude/sonnet.';
  expect(said('sonet')).toThrow(`There is no model named "sonet". Did you mean claude/sonnet? ${all}`);
  expect(said('claude/sonet')).toThrow(`named "claude/sonet". Did you mean claude/sonnet? ${all}`);
  expect(said('cluade/opus')).toThrow(`named "cluade/opus". Did you mean claude/opus? ${all}`);
  expect(said('gemini')).toThrow(`There is no model named "gemini". ${all}`);
});

test('of hundreds of models a wrong name is answered with a few', () => {
  const models = Array.from({ length: 300 }, (_, number) => `model-${number}`);
  const said = () => targets('modle-150', { providers: { p: { type: 'openai-chat', models } } });
  expect(said).toThrow(/^There is no model named "modle-150"\. Did you mean p\/model-150 or /);
  expect(said).toThrow(/p\/model-18 and 281 more, which GET \/v1\/models lists\.$/);
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
