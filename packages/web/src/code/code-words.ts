import { defineWords } from '../words/define-words.ts';

export const codeWords = defineWords({
  en: {
    code: (language: string) => `Code, ${language}`,
    plainCode: 'Code',
    copyCode: 'Copy code',
    showMore: (left: string) => `Show more (${left} left)`,
    cutBefore: (left: string) => `${left} above not shown`,
    moreLines: (count: string) => `Show ${count} more lines`,
  },
  zh: {
    code: (language) => `代码，${language}`,
    plainCode: '代码',
    copyCode: '复制代码',
    showMore: (left) => `显示更多（还有 ${left}）`,
    cutBefore: (left) => `前面还有 ${left} 未显示`,
    moreLines: (count) => `再显示 ${count} 行`,
  },
});
