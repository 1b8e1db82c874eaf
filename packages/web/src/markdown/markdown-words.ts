import { defineWords } from '../words/define-words.ts';

export const markdownWords = defineWords({
  en: {
    image: 'Image',
    openFile: (path: string) => `Open ${path}`,
    done: 'Done',
    notDone: 'Not done',
    table: 'Table',
    footnotes: 'Footnotes',
    footnote: (number: number) => `Footnote ${number}`,
    backToText: (number: number) => `Back to reference ${number}`,
    details: 'Details',
    places: 'Code references',
    lines: (start: number, end: number) => (start === end ? `line ${start}` : `lines ${start}–${end}`),
    morePlaces: (count: number) => `Show ${count} more`,
    alerts: { NOTE: 'Note', TIP: 'Tip', IMPORTANT: 'Important', WARNING: 'Warning', CAUTION: 'Caution' },
  },
  zh: {
    image: '图片',
    openFile: (path) => `打开 ${path}`,
    done: '已完成',
    notDone: '未完成',
    table: '表格',
    footnotes: '脚注',
    footnote: (number) => `脚注 ${number}`,
    backToText: (number) => `返回引用 ${number}`,
    details: '详情',
    places: '代码位置',
    lines: (start, end) => (start === end ? `第 ${start} 行` : `第 ${start}–${end} 行`),
    morePlaces: (count) => `再显示 ${count} 处`,
    alerts: { NOTE: '说明', TIP: '提示', IMPORTANT: '重要', WARNING: '警告', CAUTION: '注意' },
  },
});
