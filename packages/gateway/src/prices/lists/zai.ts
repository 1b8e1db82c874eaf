import { LITELLM_TABLE, type PriceList } from '../price-list.ts';

export const ZAI_PRICES: PriceList = {
  provider: 'Z.AI',
  addresses: ['https://api.z.ai/api/paas/'],
  packages: [],
  parts: [
    {
      ...LITELLM_TABLE,
      models: {
        'glm-4-32b-0414-128k': { input: 0.1, output: 0.1 },
        'glm-4.5': { input: 0.6, output: 2.2, cacheRead: 0.11 },
        'glm-4.5-air': { input: 0.2, output: 1.1, cacheRead: 0.03 },
        'glm-4.5-airx': { input: 1.1, output: 4.5 },
        'glm-4.5-x': { input: 2.2, output: 8.9 },
        'glm-4.5v': { input: 0.6, output: 1.8 },
        'glm-4.6': { input: 0.6, output: 2.2, cacheRead: 0.11 },
        'glm-4.7': { input: 0.6, output: 2.2, cacheRead: 0.11 },
        'glm-5': { input: 1, output: 3.2, cacheRead: 0.2 },
        'glm-5-code': { input: 1.2, output: 5, cacheRead: 0.3 },
        'glm-5.1': { input: 1.4, output: 4.4, cacheRead: 0.26 },
      },
    },
  ],
};
