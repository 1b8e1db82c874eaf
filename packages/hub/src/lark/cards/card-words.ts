import {
  APPROVAL_WORDS,
  type ApprovalWords,
  type CallStatus,
  SESSION_WORDS,
  type SessionWords,
} from '@dragoman/protocol';
import type { Language } from '../../channels/channel.ts';

/** Everything that cards say of their own. */
export interface CardWords extends SessionWords, ApprovalWords {
  language: Language;
  working: string;
  thinking: string;
  thought: string;
  plan(done: number, all: number): string;
  status: Record<CallStatus | 'Denied', string>;
  input: string;
  output: string;
  noOutput: string;
  interruptedHelp: string;
  moreCalls(count: number): string;
  leftOut(characters: string): string;
  textLeftOut: string;
  items(count: number): string;
  file: string;
  prompt(name: string): string;
  fix: string;
  error: string;
  open: string;
  withdrawnPost: string;
  alwaysSaves: string;
  answer: string;
  answerHint: string;
  sendAnswer: string;
  waiting: string;
  allowed: string;
  answered: string;
  denied: string;
  decidedBy(decision: string, by: string): string;
  inSession(title: string): string;
  units: { hour: string; minute: string; second: string };
}

/** The words of cards by language. */
export const WORDS: Record<Language, CardWords> = {
  en: {
    language: 'en',
    ...SESSION_WORDS.en,
    ...APPROVAL_WORDS.en,
    working: 'Working…',
    thinking: 'Thinking',
    thought: 'Thinking',
    plan: (done, all) => `Plan · ${done} of ${all} done`,
    status: {
      Running: 'Running',
      Waiting: 'Waiting for an answer',
      Success: 'Success',
      Error: 'Error',
      Interrupted: 'Interrupted',
      Denied: 'Denied',
    },
    input: 'Input',
    output: 'Output',
    noOutput: 'No output',
    interruptedHelp: 'No result came before the turn ended.',
    moreCalls: (count) => (count === 1 ? '… and 1 more call' : `… and ${count} more calls`),
    leftOut: (characters) => `… ${characters} characters omitted …`,
    textLeftOut: 'The rest is in the console.',
    items: (count) => (count === 1 ? '1 item' : `${count} items`),
    file: 'File',
    prompt: (name) => name,
    fix: 'How to fix it',
    error: 'Error',
    open: 'Open in the console',
    withdrawnPost: 'This was removed from the session.',
    alwaysSaves: '“Always” saves the rule',
    answer: 'Answer',
    answerHint: 'Answer in your own words',
    sendAnswer: 'Send answer',
    waiting: 'Waiting for an answer',
    allowed: 'Allowed',
    answered: 'Answered',
    denied: 'Denied',
    decidedBy: (decision, by) => `${decision} · ${by}`,
    inSession: (title) => `Session: ${title}`,
    units: { hour: 'h', minute: 'min', second: 's' },
  },
  zh: {
    language: 'zh',
    ...SESSION_WORDS.zh,
    ...APPROVAL_WORDS.zh,
    working: '工作中…',
    thinking: '思考中',
    thought: '思考',
    plan: (done, all) => `计划 · 已完成 ${done}/${all}`,
    status: {
      Running: '运行中',
      Waiting: '等待回答',
      Success: '成功',
      Error: '错误',
      Interrupted: '已中断',
      Denied: '已拒绝',
    },
    input: '输入',
    output: '输出',
    noOutput: '没有输出',
    interruptedHelp: '本轮结束前没有返回结果。',
    moreCalls: (count) => `… 还有 ${count} 次调用`,
    leftOut: (characters) => `… 省略了 ${characters} 个字符 …`,
    textLeftOut: '其余内容请在控制台查看。',
    items: (count) => `${count} 项`,
    file: '文件',
    prompt: (name) => name,
    fix: '解决办法',
    error: '错误',
    open: '在控制台打开',
    withdrawnPost: '此内容已从会话中移除。',
    alwaysSaves: '“始终允许”将保存规则',
    answer: '回答',
    answerHint: '用自己的话回答',
    sendAnswer: '发送回答',
    waiting: '等待回答',
    allowed: '已允许',
    answered: '已回答',
    denied: '已拒绝',
    decidedBy: (decision, by) => `${decision} · ${by}`,
    inSession: (title) => `会话：${title}`,
    units: { hour: '小时', minute: '分', second: '秒' },
  },
};

/** How long something took: `0.4 s`, `12 s`, `3 min 5 s`. */
export function duration(ms: number, { units }: CardWords): string {
  const seconds = Math.max(0, ms) / 1000;
  if (seconds < 10) return `${(Math.round(seconds * 10) / 10).toString()} ${units.second}`;
  const whole = Math.round(seconds);
  if (whole < 60) return `${whole} ${units.second}`;
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60];
  if (hours === 0) return `${minutes} ${units.minute} ${whole % 60} ${units.second}`;
  return `${hours} ${units.hour} ${minutes} ${units.minute}`;
}

/** A number as people read it: `980`, `12.3K`, `1.2M`. */
export function shortNumber(value: number): string {
  if (value < 1000) return String(Math.round(value));
  const [size, unit] = value < 1_000_000 ? [1000, 'K'] : [1_000_000, 'M'];
  return `${Math.round((value / size) * 10) / 10}${unit}`;
}
