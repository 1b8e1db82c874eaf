import { defineWords } from '../../../words/define-words.ts';

export const appearanceWords = defineWords({
  en: {
    title: 'Appearance',
    about: 'These settings apply to this browser only.',
    language: 'Language',
    languageAbout: 'Language of the console. Agents answer in the language you write in.',
    theme: 'Theme',
    themeAbout: 'Light, dark, or match the system.',
  },
  zh: {
    title: '外观',
    about: '这些设置只对当前浏览器有效。',
    language: '语言',
    languageAbout: '控制台的语言。智能体会用你提问的语言回答。',
    theme: '主题',
    themeAbout: '浅色、深色，或跟随系统。',
  },
});
