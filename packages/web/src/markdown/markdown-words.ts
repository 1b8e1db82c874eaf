import { defineWords } from '../words/define-words.ts';

export const markdownWords = defineWords({
  en: {
    image: 'Image',
    openFile: (path: string) => `Open ${path}`,
    done: 'Done',
    notDone: 'Not done',
    table: 'Table',
    alerts: { NOTE: 'Note', TIP: 'Tip', IMPORTANT: 'Important', WARNING: 'Warning', CAUTION: 'Caution' },
  },
  zh: {
    image: '图片',
    openFile: (path) => `打开 ${path}`,
    done: '已完成',
    notDone: '未完成',
    table: '表格',
    alerts: { NOTE: '说明', TIP: '提示', IMPORTANT: '重要', WARNING: '警告', CAUTION: '注意' },
  },
});
