import { defineWords } from '../words/define-words.ts';

export const pictureWords = defineWords({
  en: {
    enlarge: (name: string) => `View larger: ${name}`,
    loading: 'Loading image…',
    notShown: 'This image can’t be shown.',
  },
  zh: {
    enlarge: (name) => `查看大图：${name}`,
    loading: '正在加载图片…',
    notShown: '无法显示此图片。',
  },
});
