import { LITELLM_TABLE, type PriceList } from '../price-list.ts';

export const MINIMAX_PRICES: PriceList = {
  provider: 'MiniMax',
  addresses: ['https://api.minimax.io/'],
  packages: [],
  parts: [
    {
      ...LITELLM_TABLE,
      models: {
        'minimax-m2': { input: 0.3, output: 1.2, cacheRead: 0.03, cacheWrite: 0.375 },
        'minimax-m2.1': { input: 0.3, output: 1.2, cacheRead: 0.03, cacheWrite: 0.375 },
        'minimax-m2.1-lightning': { input: 0.3, output: 2.4, cacheRead: 0.03, cacheWrite: 0.375 },
        'minimax-m2.5': { input: 0.3, output: 1.2, cacheRead: 0.03, cacheWrite: 0.375 },
        'minimax-m2.5-lightning': { input: 0.3, output: 2.4, cacheRead: 0.03, cacheWrite: 0.375 },
        'minimax-m3': {
          input: 0.3,
          output: 1.2,
          cacheRead: 0.06,
          tiers: [{ above: 512_000, input: 0.6, output: 2.4, cacheRead: 0.12 }],
        },
      },
    },
  ],
};
