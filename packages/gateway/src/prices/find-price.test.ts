import { type ModelUsage, priceOfUsage } from '@dragoman/protocol';
import { describe, expect, test } from 'vitest';
import { testConfig, type GatewayConfigInput } from '../gateway.fixture.ts';
import { priceUsage } from '../metering/price-usage.ts';
import type { Target } from '../routing/target.ts';
import { findPrice, PRICE_LISTS } from './find-price.ts';

type ProviderInput = NonNullable<GatewayConfigInput['providers']>[string];

function target(provider: ProviderInput, model: string): Target {
  return { providerName: 'p', provider: testConfig({ providers: { p: provider } }).providers['p']!, model };
}

describe('the price of a model', () => {
  test('is known at the service that makes it, with the day it was found and where', () => {
    expect(findPrice(target({ type: 'anthropic-messages' }, 'claude-opus-4-5'))).toEqual({
      from: 'built-in',
      price: { input: 5, output: 25, cacheRead: 0.5, cacheWrite: 6.25 },
      asOf: '2026-08-08',
      source: 'https://github.com/BerriAI/litellm/blob/main/model_prices_and_context_window.json',
    });
  });

  test.each<[string, ProviderInput, string]>([
    ['the service of its type', { type: 'openai-responses' }, 'gpt-5'],
    ['the same, by its address', { type: 'openai-chat', baseUrl: 'https://api.openai.com/v1' }, 'gpt-5'],
    ['the same, with a slash', { type: 'openai-chat', baseUrl: 'https://API.openai.com:443/v1/' }, 'gpt-5'],
    ['an edition', { type: 'openai-chat' }, 'gpt-5-2025-08-07'],
    ['the latest', { type: 'gemini' }, 'models/gemini-2.5-pro'],
    [
      'another dialect of a service',
      { type: 'anthropic-messages', baseUrl: 'https://api.minimax.io/anthropic/v1' },
      'MiniMax-M2',
    ],
    ['a package of the AI SDK', { type: 'ai-sdk', package: '@ai-sdk/xai' }, 'grok-4.5'],
  ])('is known for %s', (_, provider, model) => {
    expect(findPrice(target(provider, model))).toMatchObject({ from: 'built-in' });
  });

  test.each<[string, ProviderInput, string]>([
    ['a router', { type: 'openai-chat', baseUrl: 'https://openrouter.ai/api/v1' }, 'openai/gpt-5'],
    ['a router that uses the plain name', { type: 'openai-chat', baseUrl: 'https://openrouter.ai/api/v1' }, 'gpt-5'],
    ['Azure', { type: 'openai-chat', baseUrl: 'https://me.openai.azure.com/openai/v1' }, 'gpt-5'],
    ['this machine', { type: 'openai-chat', baseUrl: 'http://127.0.0.1:8000/v1' }, 'gpt-5'],
    [
      'an address that only begins alike',
      { type: 'openai-chat', baseUrl: 'https://api.openai.com.example/v1' },
      'gpt-5',
    ],
    ['a region with prices of its own', { type: 'openai-chat', baseUrl: 'https://eu.api.openai.com/v1' }, 'gpt-5'],
    [
      'a plan that is paid by the month',
      { type: 'openai-chat', baseUrl: 'https://api.z.ai/api/coding/paas/v4' },
      'glm-5',
    ],
    ['ollama', { type: 'ollama' }, 'gpt-5'],
    [
      'a package with another address',
      { type: 'ai-sdk', package: '@ai-sdk/openai', options: { baseURL: 'http://x' } },
      'gpt-5',
    ],
    ['a model nobody knows', { type: 'openai-chat' }, 'gpt-99'],
    ['a name that every object has', { type: 'openai-chat' }, 'constructor'],
  ])('is not known for %s', (_, provider, model) => {
    expect(findPrice(target(provider, model))).toBeUndefined();
    expect(priceUsage({ inputTokens: 10, outputTokens: 1 }, target(provider, model))).toBeUndefined();
  });

  test('of a long prompt at a service that charges more for it is what it says, or is not known', () => {
    const cost = (model: string, usage: Partial<ModelUsage>) =>
      priceUsage({ inputTokens: 0, outputTokens: 0, ...usage }, target({ type: 'openai-responses' }, model))?.dollars;

    expect(cost('gpt-6-astra', { inputTokens: 200_000, cacheWriteTokens: 200_000 })).toBeCloseTo(2.5);
    expect(cost('gpt-6-astra', { inputTokens: 300_000, outputTokens: 1_000 })).toBeCloseTo(6.075);
    expect(cost('gpt-6.1-sol-2026-09-29', { inputTokens: 300_000, cacheReadTokens: 300_000 })).toBeCloseTo(0.06);
    expect(cost('gpt-6-sol', { inputTokens: 200_000 })).toBeCloseTo(0.4);
    expect(cost('gpt-6-sol', { inputTokens: 300_000 })).toBeUndefined();
  });

  test('is nothing for the offline model', () => {
    expect(findPrice(target({ type: 'offline' }, 'offline'))).toEqual({
      from: 'offline',
      price: { input: 0, output: 0 },
    });
  });

  test('is the configured one wherever there is one', () => {
    const prices = { 'gpt-5': { input: 7, output: 8 }, '*': { input: 1, output: 2 } };
    expect(findPrice(target({ type: 'openai-chat', prices }, 'gpt-5'))).toEqual({
      from: 'configured',
      price: prices['gpt-5'],
    });
    expect(findPrice(target({ type: 'openai-chat', prices }, 'o3'))).toEqual({
      from: 'configured',
      price: prices['*'],
    });
  });
});

test('every price of the lists is a number of dollars that somebody could pay', () => {
  for (const { parts } of PRICE_LISTS)
    for (const { asOf, source, models } of parts) {
      expect(asOf).toMatch(/^2026-\d\d-\d\d$/);
      expect(source).toMatch(/^https:\/\//);
      for (const [name, { tiers = [], upTo: _upTo, ...price }] of Object.entries(models)) {
        expect(name).toBe(name.toLowerCase());
        for (const { above: _above, ...prices } of [price, ...tiers].map((one) => ({ above: 0, ...one })))
          for (const dollars of Object.values(prices))
            expect(dollars).toSatisfy((it: number) => it >= 0 && it <= 1_000);
      }
    }
});

describe('the cost of a call', () => {
  const price = {
    input: 2,
    output: 10,
    cacheRead: 0.2,
    tiers: [
      { above: 200_000, input: 4, output: 15 },
      { above: 500_000, input: 8, output: 30, cacheRead: 1, cacheWrite: 9 },
    ],
  };
  const cost = (usage: Partial<ModelUsage>, upTo?: number) =>
    priceOfUsage({ inputTokens: 0, outputTokens: 0, ...usage }, { ...price, upTo });

  test('counts tokens that were read from a cache and written to it at their own prices', () => {
    expect(
      cost({ inputTokens: 100_000, cacheReadTokens: 50_000, cacheWriteTokens: 10_000, outputTokens: 1_000 }),
    ).toBeCloseTo(0.12);
  });

  test('is that of the tier which the whole prompt reaches', () => {
    expect(cost({ inputTokens: 200_000 })).toBeCloseTo(0.4);
    expect(cost({ inputTokens: 200_001 })).toBeCloseTo(0.8);
    expect(cost({ inputTokens: 600_000, cacheReadTokens: 600_000, outputTokens: 100 })).toBeCloseTo(0.603);
  });

  test('is not known beyond what the price holds for', () => {
    expect(cost({ inputTokens: 100 }, 100)).toBeCloseTo(0.0002);
    expect(cost({ inputTokens: 101 }, 100)).toBeUndefined();
  });
});
