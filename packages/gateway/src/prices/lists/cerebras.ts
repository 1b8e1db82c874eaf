import { LITELLM_TABLE, type PriceList } from '../price-list.ts';

export const CEREBRAS_PRICES: PriceList = {
  provider: 'Cerebras',
  addresses: ['https://api.cerebras.ai/'],
  packages: ['@ai-sdk/cerebras'],
  parts: [
    {
      ...LITELLM_TABLE,
      models: {
        'gpt-oss-120b': { input: 0.35, output: 0.75 },
        'llama-3.3-70b': { input: 0.85, output: 1.2 },
        'llama3.1-70b': { input: 0.6, output: 0.6 },
        'llama3.1-8b': { input: 0.1, output: 0.1 },
        'qwen-3-32b': { input: 0.4, output: 0.8 },
        'zai-glm-4.6': { input: 2.25, output: 2.75 },
        'zai-glm-4.7': { input: 2.25, output: 2.75 },
      },
    },
  ],
};
