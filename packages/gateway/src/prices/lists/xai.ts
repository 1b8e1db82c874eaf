import { LITELLM_TABLE, type PriceList } from '../price-list.ts';

export const XAI_PRICES: PriceList = {
  provider: 'xAI',
  addresses: ['https://api.x.ai/'],
  packages: ['@ai-sdk/xai'],
  parts: [
    {
      ...LITELLM_TABLE,
      models: {
        'grok-3': { input: 3, output: 15, cacheRead: 0.75 },
        'grok-3-beta': { input: 3, output: 15, cacheRead: 0.75 },
        'grok-3-fast-beta': { input: 5, output: 25, cacheRead: 1.25 },
        'grok-3-fast-latest': { input: 5, output: 25, cacheRead: 1.25 },
        'grok-3-mini': { input: 0.3, output: 0.5, cacheRead: 0.075 },
        'grok-3-mini-beta': { input: 0.3, output: 0.5, cacheRead: 0.075 },
        'grok-3-mini-fast': { input: 0.6, output: 4, cacheRead: 0.15 },
        'grok-3-mini-fast-beta': { input: 0.6, output: 4, cacheRead: 0.15 },
        'grok-4': { input: 3, output: 15 },
        'grok-4-0709': { input: 3, output: 15, tiers: [{ above: 128_000, input: 6, output: 30 }] },
        'grok-4-1-fast': {
          input: 0.2,
          output: 0.5,
          cacheRead: 0.05,
          tiers: [{ above: 128_000, input: 0.4, output: 1 }],
        },
        'grok-4-1-fast-non-reasoning': {
          input: 0.2,
          output: 0.5,
          cacheRead: 0.05,
          tiers: [{ above: 128_000, input: 0.4, output: 1 }],
        },
        'grok-4-1-fast-reasoning': {
          input: 0.2,
          output: 0.5,
          cacheRead: 0.05,
          tiers: [{ above: 128_000, input: 0.4, output: 1 }],
        },
        'grok-4-fast-non-reasoning': {
          input: 0.2,
          output: 0.5,
          cacheRead: 0.05,
          tiers: [{ above: 128_000, input: 0.4, output: 1 }],
        },
        'grok-4-fast-reasoning': {
          input: 0.2,
          output: 0.5,
          cacheRead: 0.05,
          tiers: [{ above: 128_000, input: 0.4, output: 1 }],
        },
        'grok-4-latest': { input: 3, output: 15, tiers: [{ above: 128_000, input: 6, output: 30 }] },
        'grok-4.20-beta-0309-non-reasoning': { input: 2, output: 6, cacheRead: 0.2 },
        'grok-4.20-beta-0309-reasoning': { input: 2, output: 6, cacheRead: 0.2 },
        'grok-4.20-multi-agent-beta-0309': { input: 2, output: 6, cacheRead: 0.2 },
        'grok-4.3': {
          input: 1.25,
          output: 2.5,
          cacheRead: 0.2,
          tiers: [{ above: 200_000, input: 2.5, output: 5, cacheRead: 0.4 }],
        },
        'grok-4.5': {
          input: 2,
          output: 6,
          cacheRead: 0.5,
          tiers: [{ above: 200_000, input: 4, output: 12, cacheRead: 1 }],
        },
        'grok-code-fast': { input: 0.2, output: 1.5, cacheRead: 0.02 },
        'grok-code-fast-1': { input: 0.2, output: 1.5, cacheRead: 0.02 },
        'grok-code-fast-1-0825': { input: 0.2, output: 1.5, cacheRead: 0.02 },
      },
    },
  ],
};
