import { defineWords } from '../words/define-words.ts';

export const diffWords = defineWords({
  en: {
    change: (path: string) => `Changes to ${path}`,
    added: (count: string) => (count === '1' ? '1 line added' : `${count} lines added`),
    removed: (count: string) => (count === '1' ? '1 line removed' : `${count} lines removed`),
    binary: 'Binary file not shown.',
    nothing: 'No changes.',
    unreadable: 'This diff couldn’t be parsed, so it’s shown as plain text.',
    unchanged: (count: string) => `${count} unchanged lines`,
    moreLines: (count: string) => `Show ${count} more lines`,
    unended: 'No newline at end of file',
    comment: (line: number) => `Comment on line ${line}`,
  },
  zh: {
    change: (path) => `${path} 的改动`,
    added: (count) => `新增 ${count} 行`,
    removed: (count) => `删除 ${count} 行`,
    binary: '二进制文件，不显示内容。',
    nothing: '没有改动的行。',
    unreadable: '无法解析差异，按原文显示。',
    unchanged: (count) => `${count} 行未改动`,
    moreLines: (count) => `再显示 ${count} 行`,
    unended: '文件末尾没有换行',
    comment: (line) => `评论第 ${line} 行`,
  },
});
