import {
  APPROVAL_WORDS,
  type ApprovalWords,
  type CallStatus,
  SESSION_WORDS,
  type SessionWords,
} from '@dragoman/protocol';
import type { Language } from '../channels/channel.ts';

/** What Telegram is told in words of ours, in each language. */
interface TelegramWords extends SessionWords, ApprovalWords {
  working: string;
  thinking: string;
  thoughtFor(time: string): string;
  thought: string;
  plan(done: number, all: number): string;
  status: Record<CallStatus, string>;
  denied: string;
  newEmptyFile: string;
  earlierCalls(count: number): string;
  cut(chars: string): string;
  inConsole: string;
  fix: string;
  notSent(name: string, megabytes: string): string;
  noSuchFile(name: string): string;
  /** What heads a question once it is decided. */
  decided: Record<'allowed' | 'answered' | 'denied' | 'withdrawn', string>;
  alwaysSaves: string;
  answerInWords: string;
  answered: string;
  rejected: string;
  takenBack: string;
}

/** Everything that is said on Telegram, but for setting it up. */
export const TELEGRAM_WORDS: Record<Language, TelegramWords> = {
  en: {
    ...SESSION_WORDS.en,
    ...APPROVAL_WORDS.en,
    working: 'Working…',
    thinking: 'Thinking…',
    thoughtFor: (time) => `Thought for ${time}`,
    thought: 'Thought',
    plan: (done, all) => `Plan: ${done} of ${all} done`,
    status: {
      Running: 'running',
      Waiting: 'waiting for an answer',
      Success: 'done',
      Error: 'failed',
      Interrupted: 'interrupted',
    },
    denied: 'denied',
    newEmptyFile: 'new, empty file',
    earlierCalls: (count) => (count === 1 ? '1 earlier call' : `${count} earlier calls`),
    cut: (chars) => `Truncated: ${chars} characters in total.`,
    inConsole: 'Open in the console',
    fix: 'How to fix it:',
    notSent: (name, megabytes) => `${name} is ${megabytes} MB; Telegram allows at most 50 MB.`,
    noSuchFile: (name) => `${name} could not be sent.`,
    decided: { allowed: 'Allowed', answered: 'Answered', denied: 'Denied', withdrawn: 'No longer needed' },
    alwaysSaves: '“Always” saves the rule',
    answerInWords: 'Reply to this message to answer in your own words.',
    answered: 'Answer',
    rejected: 'Denied',
    takenBack: 'This was removed from the session.',
  },
  zh: {
    ...SESSION_WORDS.zh,
    ...APPROVAL_WORDS.zh,
    working: '工作中…',
    thinking: '思考中…',
    thoughtFor: (time) => `思考了 ${time}`,
    thought: '思考',
    plan: (done, all) => `计划：已完成 ${done}/${all}`,
    status: { Running: '运行中', Waiting: '等待回答', Success: '完成', Error: '失败', Interrupted: '已中断' },
    denied: '已拒绝',
    newEmptyFile: '新建的空文件',
    earlierCalls: (count) => `之前还有 ${count} 次调用`,
    cut: (chars) => `内容已截断，共 ${chars} 个字符。`,
    inConsole: '在控制台中打开',
    fix: '解决办法：',
    notSent: (name, megabytes) => `${name} 有 ${megabytes} MB；Telegram 最多接受 50 MB。`,
    noSuchFile: (name) => `无法发送 ${name}。`,
    decided: { allowed: '已允许', answered: '已回答', denied: '已拒绝', withdrawn: '不再需要回答' },
    alwaysSaves: '“始终”将保存规则',
    answerInWords: '回复这条消息，即可用自己的话回答。',
    answered: '回答',
    rejected: '已拒绝',
    takenBack: '此内容已从会话中移除。',
  },
};

/** The words of a language. */
export type Words = TelegramWords;

const UNITS: Record<Language, { s: string; min: string; h: string }> = {
  en: { s: ' s', min: ' min', h: ' h' },
  zh: { s: ' 秒', min: ' 分', h: ' 小时' },
};

/** A duration in a few characters; nothing for what took no time to speak of. */
export function formatDuration(ms: number, language: Language): string {
  const { s, min, h } = UNITS[language];
  if (ms < 100) return '';
  if (ms < 9950) return `${(ms / 1000).toFixed(1).replace(/\.0$/, '')}${s}`;
  const seconds = Math.round(ms / 1000);
  if (seconds < 60) return `${seconds}${s}`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return seconds % 60 === 0 ? `${minutes}${min}` : `${minutes}${min} ${seconds % 60}${s}`;
  return minutes % 60 === 0 ? `${minutes / 60}${h}` : `${Math.floor(minutes / 60)}${h} ${minutes % 60}${min}`;
}

/** A count in a few characters: `1.2k`. */
export function formatCount(count: number): string {
  if (count < 1000) return String(count);
  const [unit, size] = count < 999_500 ? (['k', 1000] as const) : (['M', 1_000_000] as const);
  const value = count / size;
  return `${value < 9.95 ? value.toFixed(1).replace(/\.0$/, '') : Math.round(value)}${unit}`;
}
