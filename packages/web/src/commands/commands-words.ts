import { defineWords } from '../words/define-words.ts';

/** The commands and the keys of every page. */
export const commandsWords = defineWords({
  en: {
    title: 'Commands',
    placeholder: 'Search sessions and commands',
    keysTitle: 'Keyboard shortcuts',
    everywhere: 'Global',
    keys: {
      commands: 'Search and commands',
      newSession: 'New session',
      fold: 'Collapse or expand the sidebar',
      help: 'Keyboard shortcuts',
    },
    groups: {
      recent: 'Recent',
      here: 'This session',
      go: 'Go to',
      sessions: 'Sessions',
      parts: 'Pages',
      look: 'Appearance',
    },
    part: (page: string, name: string) => `${page}: ${name}`,
    stop: 'Stop',
    allow: 'Allow once',
    reject: 'Deny',
    theme: (name: string) => `Theme: ${name}`,
    language: (name: string) => `Language: ${name}`,
  },
  zh: {
    title: '命令',
    placeholder: '搜索会话和命令',
    keysTitle: '键盘快捷键',
    everywhere: '全局',
    keys: {
      commands: '搜索和命令',
      newSession: '新会话',
      fold: '收起或展开侧边栏',
      help: '键盘快捷键',
    },
    groups: { recent: '最近使用', here: '当前会话', go: '前往', sessions: '会话', parts: '页面', look: '外观' },
    part: (page, name) => `${page}：${name}`,
    stop: '停止',
    allow: '允许一次',
    reject: '拒绝',
    theme: (name: string) => `主题：${name}`,
    language: (name: string) => `语言：${name}`,
  },
});
