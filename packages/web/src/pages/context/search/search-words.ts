import { defineWords } from '../../../words/define-words.ts';
import { detailInChinese } from '../server-phrases.ts';

export const searchWords = defineWords({
  en: {
    question: 'Question about the code',
    hint: 'How are retries limited?',
    ask: 'Ask',
    before: 'Recent questions',
    forget: 'Clear recent questions',
    noneTitle: 'No results',
    none: 'Try other words, such as what the code does or a name it contains.',
    startTitle: 'Ask in plain language, or search for a name',
    start: (embeddingModel: string | undefined) =>
      `The best matches come first, each with the reasons it was found. ${
        embeddingModel === undefined
          ? 'Nothing leaves this server.'
          : `Questions and indexed code are sent to ${embeddingModel}, the configured embedding model.`
      }`,
    working: 'Still indexing files. Results will appear when it’s done.',
    found: (places: number, files: string, time: string) =>
      `${places === 1 ? '1 result' : `${places} results`} in ${files} files, ${time}`,
    places: 'Results, best first',
    lines: (start: number, end: number) => (start === end ? `line ${start}` : `lines ${start}–${end}`),
    open: (path: string) => `Open ${path}`,
    score: 'Relevance compared with the best result',
    why: 'Why this result',
    whyOf: (path: string) => `Why this result: ${path}`,
    against: 'counts against it',
    showAll: (lines: string) => `Show all ${lines} lines`,
    reasons: {
      'words-in-text': 'Words in the text',
      'words-in-path': 'Words in the path',
      'names-defined': 'Words in definitions',
      'symbol-defined': 'Definition of the name',
      'whole-phrase': 'Words that form a name',
      'used-by-others': 'Used by other files',
      'files-around': 'Nearby files',
      'kind-of-file': 'File type',
      'size-and-depth': 'Size and depth',
      meaning: 'Meaning',
    },
    detail: (_reason: string, text: string) => text,
    cutFile: 'This file is very long. Only the start is shown.',
    around: (from: string, to: string) => `Showing lines ${from} to ${to}.`,
  },
  zh: {
    question: '关于代码的问题',
    hint: '重试次数是怎么限制的？',
    ask: '提问',
    before: '最近的问题',
    forget: '清除最近的问题',
    noneTitle: '没有结果',
    none: '换一些词试试：代码做什么，或其中出现的名称。',
    startTitle: '用自然语言提问，或输入一个名称',
    start: (embeddingModel: string | undefined) =>
      `最匹配的结果排在最前，并说明理由。${
        embeddingModel === undefined
          ? '内容不会离开这台服务器。'
          : `问题和已索引的代码会发送给所配置的嵌入模型 ${embeddingModel}。`
      }`,
    working: '仍在建立索引，完成后显示结果。',
    found: (places: number, files: string, time: string) => `${files} 个文件中的 ${places} 个结果，用时 ${time}`,
    places: '结果，最匹配的在最前',
    lines: (start: number, end: number) => (start === end ? `第 ${start} 行` : `第 ${start}–${end} 行`),
    open: (path: string) => `打开 ${path}`,
    score: '与最佳结果相比的相关度',
    why: '为什么是它',
    whyOf: (path: string) => `为什么是它：${path}`,
    against: '不利因素',
    showAll: (lines: string) => `显示全部 ${lines} 行`,
    reasons: {
      'words-in-text': '正文中的词',
      'words-in-path': '路径中的词',
      'names-defined': '定义中的词',
      'symbol-defined': '所问名称的定义',
      'whole-phrase': '组成名称的词',
      'used-by-others': '被其他文件使用',
      'files-around': '附近的文件',
      'kind-of-file': '文件类型',
      'size-and-depth': '大小和层级',
      meaning: '含义相近',
    },
    detail: detailInChinese,
    cutFile: '文件很长，这里只显示开头。',
    around: (from: string, to: string) => `显示第 ${from} 到 ${to} 行。`,
  },
});
