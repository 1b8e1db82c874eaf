import type { MachineAway } from '@dragoman/protocol';
import type { Language } from './channel.ts';

interface AwayWords {
  offline(machine: string, when: string | undefined): string;
  /** Stands behind a machine that went offline. */
  at(moment: string): string;
  removed(machine: string): string;
  stopOrMove: string;
  move: string;
  between: string;
}

const WORDS: Record<Language, AwayWords> = {
  en: {
    offline: (machine, when) => (when === undefined ? `${machine} is offline.` : `${machine} went offline ${when}.`),
    at: (moment) => `at ${moment}`,
    removed: (machine) => `${machine} was removed.`,
    stopOrMove: 'Send /stop to end the turn, or /move to continue on another machine.',
    move: 'Send /move to continue on another machine.',
    between: ' ',
  },
  zh: {
    offline: (machine, when) => (when === undefined ? `${machine} 已离线。` : `${machine} 于${when}离线。`),
    at: (moment) => ` ${moment} `,
    removed: (machine) => `${machine} 已被移除。`,
    stopOrMove: '发送 /停止 结束本轮，或发送 /移动 换一台机器继续。',
    move: '发送 /移动 换一台机器继续。',
    between: '',
  },
};

/** How a machine that is away is told of. */
export interface AwayTold {
  /** A turn runs on it, and can be stopped. */
  isRunning: boolean;
  /** How long ago it went, in words, where that is read now; nothing where it went just now. What stays to be read says the moment. */
  read?: { ago: string | undefined };
  /** What follows from it. */
  effect?: string;
}

/** That a machine is away, since when, and what can be done about it. */
export function awayText(
  { machine, since, state }: MachineAway,
  language: Language,
  { isRunning, read, effect }: AwayTold,
): string {
  const words = WORDS[language];
  const when = read === undefined ? words.at(momentOf(since)) : read.ago;
  const told = state === 'forgotten' ? words.removed(machine) : words.offline(machine, when);
  return [told, ...(effect === undefined ? [] : [effect]), isRunning ? words.stopOrMove : words.move].join(
    words.between,
  );
}

function momentOf(since: number): string {
  return `${new Date(since).toISOString().replace('T', ' ').slice(0, 16)} UTC`;
}
