import { LITELLM_TABLE, type PriceList } from '../price-list.ts';

export const MOONSHOT_PRICES: PriceList = {
  provider: 'Moonshot AI',
  addresses: ['https://api.moonshot.ai/'],
  packages: [],
  parts: [
    {
      ...LITELLM_TABLE,
      models: {
        'kimi-k2-0711-preview': { input: 0.6, output: 2.5, cacheRead: 0.15 },
        'kimi-k2-0905-preview': { input: 0.6, output: 2.5, cacheRead: 0.15 },
        'kimi-k2-thinking': { input: 0.6, output: 2.5, cacheRead: 0.15 },
        'kimi-k2-thinking-turbo': { input: 1.15, output: 8, cacheRead: 0.15 },
        'kimi-k2.5': { input: 0.6, output: 3, cacheRead: 0.1 },
        'kimi-k2.6': { input: 0.95, output: 4, cacheRead: 0.16 },
        'moonshot-v1-auto': { input: 2, output: 5 },
      },
    },
  ],
};
