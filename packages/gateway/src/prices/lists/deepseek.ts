import { LITELLM_TABLE, type PriceList } from '../price-list.ts';

export const DEEPSEEK_PRICES: PriceList = {
  provider: 'DeepSeek',
  addresses: ['https://api.deepseek.com/'],
  packages: ['@ai-sdk/deepseek'],
  parts: [
    {
      ...LITELLM_TABLE,
      models: {
        'deepseek-coder': { input: 0.14, output: 0.28 },
        'deepseek-r1': { input: 0.55, output: 2.19 },
        'deepseek-v3': { input: 0.27, output: 1.1, cacheRead: 0.07 },
        'deepseek-v3.2': { input: 0.28, output: 0.4 },
        'deepseek-v4-flash': { input: 0.14, output: 0.28, cacheRead: 0.0028 },
        'deepseek-v4-pro': { input: 0.435, output: 0.87, cacheRead: 0.003625 },
      },
    },
  ],
};
