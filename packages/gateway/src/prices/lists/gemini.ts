import { LITELLM_TABLE, type PriceList } from '../price-list.ts';

export const GEMINI_PRICES: PriceList = {
  provider: 'Google Gemini',
  addresses: ['https://generativelanguage.googleapis.com/'],
  packages: ['@ai-sdk/google'],
  parts: [
    {
      ...LITELLM_TABLE,
      models: {
        'gemini-2.0-flash': { input: 0.1, output: 0.4, cacheRead: 0.025 },
        'gemini-2.0-flash-001': { input: 0.1, output: 0.4, cacheRead: 0.025 },
        'gemini-2.0-flash-lite': { input: 0.075, output: 0.3, cacheRead: 0.01875 },
        'gemini-2.0-flash-lite-001': { input: 0.075, output: 0.3, cacheRead: 0.01875 },
        'gemini-2.5-flash': { input: 0.3, output: 2.5, cacheRead: 0.03 },
        'gemini-2.5-flash-lite': { input: 0.1, output: 0.4, cacheRead: 0.01 },
        'gemini-2.5-pro': {
          input: 1.25,
          output: 10,
          cacheRead: 0.125,
          tiers: [{ above: 200_000, input: 2.5, output: 15, cacheRead: 0.25 }],
        },
        'gemini-3-flash-preview': { input: 0.5, output: 3, cacheRead: 0.05 },
        'gemini-3-pro-preview': {
          input: 2,
          output: 12,
          cacheRead: 0.2,
          tiers: [{ above: 200_000, input: 4, output: 18, cacheRead: 0.4 }],
        },
        'gemini-3.1-flash-lite': { input: 0.25, output: 1.5, cacheRead: 0.025 },
        'gemini-3.1-flash-lite-preview': { input: 0.25, output: 1.5, cacheRead: 0.025 },
        'gemini-3.1-pro-preview': {
          input: 2,
          output: 12,
          cacheRead: 0.2,
          tiers: [{ above: 200_000, input: 4, output: 18, cacheRead: 0.4 }],
        },
        'gemini-3.1-pro-preview-customtools': {
          input: 2,
          output: 12,
          cacheRead: 0.2,
          tiers: [{ above: 200_000, input: 4, output: 18, cacheRead: 0.4 }],
        },
        'gemini-3.5-flash': { input: 1.5, output: 9, cacheRead: 0.15 },
        'gemini-3.5-flash-lite': { input: 0.3, output: 2.5, cacheRead: 0.03 },
        'gemini-3.6-flash': { input: 1.5, output: 7.5, cacheRead: 0.15 },
        'gemini-embedding-001': { input: 0.15, output: 0 },
        'gemini-embedding-2': { input: 0.2, output: 0 },
        'gemini-embedding-2-preview': { input: 0.2, output: 0 },
        'gemini-flash-latest': { input: 0.3, output: 2.5, cacheRead: 0.075 },
        'gemini-flash-lite-latest': { input: 0.1, output: 0.4, cacheRead: 0.025 },
        'gemini-omni-flash-preview': { input: 1.5, output: 9 },
        'gemini-pro-latest': {
          input: 1.25,
          output: 10,
          cacheRead: 0.125,
          tiers: [{ above: 200_000, input: 2.5, output: 15, cacheRead: 0.25 }],
        },
      },
    },
  ],
};
