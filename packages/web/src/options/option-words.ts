import { defineWords } from '../words/define-words.ts';

export const optionWords = defineWords({
  en: {
    none: 'No matches',
    count: (count: number) => `${count} ${count === 1 ? 'result' : 'results'}`,
  },
  zh: {
    none: '没有匹配项',
    count: (count: number) => `${count} 个结果`,
  },
});
