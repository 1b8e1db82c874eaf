import { defineWords } from '../words/define-words.ts';

/** What was done while the server was away. */
export const outboxWords = defineWords({
  en: {
    unsent: (count: number) => `${count} unsent`,
    waiting: 'Waiting for the server',
    waitingAbout: 'Will be sent when the server is back, even if you leave this page.',
    onlyHere: 'Will be sent when the server is back. It’s too large to save, so keep this tab open.',
    sending: 'Sending…',
    refused: 'Not sent',
    answerWaits: 'Your answer will be sent when the server is back.',
    takeBack: 'Undo',
    edit: 'Edit',
    again: 'Try again',
    discard: 'Discard',
    copy: 'Copy text',
    inList: 'Waiting to be sent',
  },
  zh: {
    unsent: (count: number) => `${count} 条尚未发送`,
    waiting: '等待服务器',
    waitingAbout: '服务器恢复后自动发送，离开此页面也会发送。',
    onlyHere: '服务器恢复后自动发送。内容过大无法保存，请不要关闭此标签页。',
    sending: '正在发送…',
    refused: '未发送',
    answerWaits: '服务器恢复后会发送你的回答。',
    takeBack: '撤销',
    edit: '编辑',
    again: '重试',
    discard: '丢弃',
    copy: '复制文字',
    inList: '等待发送',
  },
});
