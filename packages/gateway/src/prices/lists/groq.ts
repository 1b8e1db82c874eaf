import { LITELLM_TABLE, type PriceList } from '../price-list.ts';

export const GROQ_PRICES: PriceList = {
  provider: 'Groq',
  addresses: ['https://api.groq.com/'],
  packages: ['@ai-sdk/groq'],
  parts: [
    {
      ...LITELLM_TABLE,
      models: {
        'llama-3.1-8b-instant': { input: 0.05, output: 0.08 },
        'llama-3.3-70b-versatile': { input: 0.59, output: 0.79 },
        'meta-llama/llama-guard-4-12b': { input: 0.2, output: 0.2 },
        'openai/gpt-oss-120b': { input: 0.15, output: 0.6, cacheRead: 0.075 },
        'openai/gpt-oss-20b': { input: 0.075, output: 0.3, cacheRead: 0.0375 },
        'openai/gpt-oss-safeguard-20b': { input: 0.075, output: 0.3, cacheRead: 0.037 },
        'qwen/qwen3-32b': { input: 0.29, output: 0.59 },
      },
    },
  ],
};
