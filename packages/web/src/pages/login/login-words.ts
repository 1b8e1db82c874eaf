import { defineWords } from '../../words/define-words.ts';

export const loginWords = defineWords({
  en: {
    loggingIn: 'Logging in…',
    out: 'You’re not logged in.',
    how: 'Create a login link in a terminal on the server, then open it here:',
    orAsk: 'If someone else runs this server, ask them for a login link.',
    used: 'This login link has already been used or has expired.',
    other: (name: string) => `You’re logged in as ${name}. This link is for another account.`,
    stay: 'Stay logged in',
    change: 'Switch account',
  },
  zh: {
    loggingIn: '正在登录…',
    out: '你还没有登录。',
    how: '在服务器的终端里生成一个登录链接，并在这里打开：',
    orAsk: '如果服务器由别人管理，请向他索取登录链接。',
    used: '这个登录链接已经用过，或者已经过期。',
    other: (name) => `你已登录为 ${name}。这个链接属于另一个账号。`,
    stay: '保持当前登录',
    change: '切换账号',
  },
});
