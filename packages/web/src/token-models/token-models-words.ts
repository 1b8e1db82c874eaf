import { defineWords } from '../words/define-words.ts';

export const tokenModelsWords = defineWords({
  en: {
    models: 'Models',
    allModels: 'All models',
    modelsHint: 'Routes or provider/model, separated by commas. Use * as a wildcard. Leave empty to allow all.',
    someModels: (names: string) => `only ${names}`,
  },
  zh: {
    models: '模型',
    allModels: '所有模型',
    modelsHint: '路由或 provider/model，用逗号分隔，可用 * 作通配符。留空表示全部。',
    someModels: (names: string) => `仅限 ${names}`,
  },
});
