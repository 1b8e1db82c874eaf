import { defineWords } from '../words/define-words.ts';

export const tokenModelsWords = defineWords({
  en: {
    models: 'Models',
    allModels: 'All models',
    modelsHint: 'Routes and provider/model, apart by commas; * stands for the rest of a name. Empty: all.',
    someModels: (names: string) => `only ${names}`,
  },
  zh: {
    models: '模型',
    allModels: '所有模型',
    modelsHint: '路由或 provider/model，用逗号分隔；* 代表名称的其余部分。留空表示全部。',
    someModels: (names: string) => `仅限 ${names}`,
  },
});
