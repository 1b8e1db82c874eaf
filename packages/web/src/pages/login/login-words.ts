import { defineWords } from '../../words/define-words.ts';

export const loginWords = defineWords({
  en: {
    loggingIn: 'Logging in…',
    out: 'You are not logged in.',
    how: 'Make a login link in a terminal on the server, and open it here:',
    orAsk: 'If somebody else runs this server, ask them for a login link.',
    used: 'This login link was used already, or is too old.',
    other: (name: string) => `You are logged in as ${name}. This link logs you in as somebody else.`,
    stay: 'Stay logged in',
    change: 'Use the link',
  },
  zh: {
    loggingIn: '正在登录…',
    out: '你还没有登录。',
    how: '在服务器的终端里生成一个登录链接，并在这里打开：',
    orAsk: '如果服务器由别人管理，请向他索取登录链接。',
    used: '这个登录链接已经用过，或者已经过期。',
    other: (name) => `你已登录为 ${name}。这个链接会让你以另一个人的身份登录。`,
    stay: '保持当前登录',
    change: '使用链接',
  },
});
