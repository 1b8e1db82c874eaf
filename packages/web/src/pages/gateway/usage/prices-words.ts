import { defineWords } from '../../../words/define-words.ts';

export const pricesWords = defineWords({
  en: {
    title: (count: number) => (count === 1 ? '1 model has no price' : `${count} models have no price`),
    about: 'Select a model to set its price. Earlier requests stay unpriced.',
    aboutForOthers: 'An admin can set prices here.',
    more: (count: number) => `and ${count} more`,
    setFor: (model: string) => `Set price for ${model}`,
    dialogTitle: (model: string) => `Price of ${model}`,
    dialogAbout: 'US dollars per million tokens. New requests use this price; earlier ones stay unpriced.',
    fields: { input: 'Input', cacheRead: 'Cached input (optional)', output: 'Output' },
    cacheReadHint: 'Leave empty if it costs the same as input.',
    mistakes: { wanted: 'Enter a price. Use 0 if it’s free.', wrong: 'Enter a number from 0 to 10,000, such as 2.50.' },
    saved: (model: string) => `Price saved. It applies to new requests to ${model}.`,
  },
  zh: {
    title: (count: number) => `${count} 个模型没有价格`,
    about: '选择模型以设置价格。之前的请求仍没有价格。',
    aboutForOthers: '管理员可以在这里设置价格。',
    more: (count: number) => `还有 ${count} 个`,
    setFor: (model: string) => `设置 ${model} 的价格`,
    dialogTitle: (model: string) => `${model} 的价格`,
    dialogAbout: '单位为每百万 token 的美元价格。新请求按此计价，之前的请求仍没有价格。',
    fields: { input: '输入', cacheRead: '缓存输入（可选）', output: '输出' },
    cacheReadHint: '与输入价格相同时可留空。',
    mistakes: { wanted: '请填写价格，免费则填 0。', wrong: '请填写 0 到 10,000 之间的数字，例如 2.50。' },
    saved: (model: string) => `价格已保存，${model} 的新请求将按此计价。`,
  },
});
