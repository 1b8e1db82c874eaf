import { defineWords } from '../../../words/define-words.ts';
import { detailInChinese } from '../server-phrases.ts';

export const searchWords = defineWords({
  en: {
    question: 'Question about the code',
    hint: 'How are retries limited?',
    ask: 'Ask',
    before: 'Asked before',
    forget: 'Forget these questions',
    noneTitle: 'No place answers that',
    none: 'Try other words: what the code does, or a name that is in it.',
    startTitle: 'Ask in plain words, or with a name',
    start: (embeddingModel: string | undefined) =>
      `The best places come first, each with what spoke for it. ${
        embeddingModel === undefined
          ? 'Nothing leaves this server.'
          : `Questions and indexed code are sent to ${embeddingModel}, the configured embedding model.`
      }`,
    working: 'Files are still being indexed; the answer waits for them.',
    found: (places: number, files: string, time: string) =>
      `${places === 1 ? '1 place' : `${places} places`} in ${files} files, ${time}`,
    places: 'Places that answer, the best first',
    lines: (start: number, end: number) => (start === end ? `line ${start}` : `lines ${start}–${end}`),
    open: (path: string) => `Open ${path}`,
    score: 'How well it fits, beside the best one',
    why: 'Why it is here',
    whyOf: (path: string) => `Why it is here: ${path}`,
    against: 'speaks against it',
    showAll: (lines: string) => `Show all ${lines} lines`,
    reasons: {
      'words-in-text': 'Words in the text',
      'words-in-path': 'Words in the path',
      'names-defined': 'Words in names defined here',
      'symbol-defined': 'Definition of the name asked for',
      'whole-phrase': 'Words that make one name together',
      'used-by-others': 'Use by other files',
      'files-around': 'Files around it',
      'kind-of-file': 'Kind of file',
      'size-and-depth': 'Size and depth',
      meaning: 'Meaning',
    },
    detail: (_reason: string, text: string) => text,
    cutFile: 'Only the beginning of this file is shown; it is very long.',
    around: (from: string, to: string) => `Lines ${from} to ${to} are shown.`,
  },
  zh: {
    question: '关于代码的问题',
    hint: '重试次数是怎么限制的？',
    ask: '提问',
    before: '之前问过',
    forget: '忘掉这些问题',
    noneTitle: '没有能回答的位置',
    none: '换一些词试试：代码做什么，或其中出现的名称。',
    startTitle: '用平常的话提问，或输入一个名称',
    start: (embeddingModel: string | undefined) =>
      `最合适的位置排在最前，每个都说明理由。${
        embeddingModel === undefined
          ? '内容不会离开这台服务器。'
          : `问题和已索引的代码会发送给所配置的嵌入模型 ${embeddingModel}。`
      }`,
    working: '文件还在建立索引，回答会等它完成。',
    found: (places: number, files: string, time: string) => `${files} 个文件中的 ${places} 个位置，用时 ${time}`,
    places: '能回答问题的位置，最合适的在最前',
    lines: (start: number, end: number) => (start === end ? `第 ${start} 行` : `第 ${start}–${end} 行`),
    open: (path: string) => `打开 ${path}`,
    score: '与最合适的相比有多合适',
    why: '为什么在这里',
    whyOf: (path: string) => `为什么在这里：${path}`,
    against: '不利因素',
    showAll: (lines: string) => `显示全部 ${lines} 行`,
    reasons: {
      'words-in-text': '正文中的词',
      'words-in-path': '路径中的词',
      'names-defined': '这里定义的名称中的词',
      'symbol-defined': '所问名称的定义',
      'whole-phrase': '合成一个名称的词',
      'used-by-others': '被其他文件使用',
      'files-around': '周围的文件',
      'kind-of-file': '文件类型',
      'size-and-depth': '大小和层级',
      meaning: '含义相近',
    },
    detail: detailInChinese,
    cutFile: '文件很长，这里只显示开头。',
    around: (from: string, to: string) => `显示第 ${from} 到 ${to} 行。`,
  },
});
