import { defineWords } from '../../../words/define-words.ts';

export const appearanceWords = defineWords({
  en: {
    title: 'Appearance',
    about: 'These choices belong to this browser.',
    language: 'Language',
    languageAbout: 'Of the console. Agents answer in the language they are asked in.',
    theme: 'Theme',
    themeAbout: 'Light, dark, or as the machine has it.',
  },
  zh: {
    title: '外观',
    about: '这些选择只对当前浏览器有效。',
    language: '语言',
    languageAbout: '控制台的语言。智能体会用提问的语言回答。',
    theme: '主题',
    themeAbout: '浅色、深色，或跟随系统。',
  },
});
