import {
  type Actor,
  type Approval,
  APPROVAL_WORDS,
  type ApprovalOption,
  type ApprovalReply,
  askedInText,
  type AskedPart,
  askedText,
  describeActor,
  isChoice,
  mayAnswer,
  plainlyShown,
  plainOutput,
  savedRules,
} from '@dragoman/protocol';
import type { Language } from './channel.ts';
import type { Note } from './note.ts';
import { fenced, plainLine } from './note-text.ts';

/** A question of a session that the chat does not show. */
export interface ElsewhereApproval {
  sessionId: string;
  sessionTitle: string;
  approval: Approval;
  decided: { reply: ApprovalReply; by: Actor } | undefined;
}

interface Words {
  asks(title: string, what: string): string;
  byReply: string;
  saves: string;
  decided(what: string, who: string): string;
  rejected: string;
  withdrawn: string;
  inTime: string;
  answered: string;
  failed(title: string): string;
  failedBecause(title: string, reason: string): string;
  finished(title: string): string;
  removed(title: string, who: string): string;
  ended: string;
  many(count: number): string;
  list: string;
  show: string;
  reject: string;
}

const WORDS: Record<Language, Words> = {
  en: {
    asks: (title, what) => `**${title}** asks: ${what}`,
    byReply: 'Reply to this message to answer in your own words.',
    saves: '“Always” saves the rule',
    decided: (what, who) => `${what}, by ${who}.`,
    rejected: 'Denied',
    withdrawn: 'No longer needed.',
    inTime: 'Denied: no answer in time.',
    answered: 'Answered',
    failed: (title) => `The last turn of **${title}** failed.`,
    failedBecause: (title, reason) => `The last turn of **${title}** failed: ${reason}`,
    finished: (title) => `**${title}** has finished.`,
    removed: (title, who) => `The session **${title}** was deleted by ${who}. Your next message starts a new one.`,
    ended: 'This is no longer shown here.',
    many: (count) =>
      `${count} questions are waiting, too many to ask here one by one. Answer them in the console, or list them with \`/approve\`.`,
    list: 'List them',
    show: 'Show this session',
    reject: 'Deny',
  },
  zh: {
    asks: (title, what) => `**${title}** 请求：${what}`,
    byReply: '回复这条消息即可用自己的话回答。',
    saves: '“始终允许”将保存规则',
    decided: (what, who) => `${what}（${who}）。`,
    rejected: '已拒绝',
    withdrawn: '智能体已不再询问。',
    inTime: '无人及时回答，已拒绝。',
    answered: '已回答',
    failed: (title) => `**${title}** 的最近一轮失败了。`,
    failedBecause: (title, reason) => `**${title}** 的最近一轮失败了：${reason}`,
    finished: (title) => `**${title}** 已完成。`,
    removed: (title, who) => `会话 **${title}** 已被 ${who} 删除。接下来写的内容会开始新的会话。`,
    ended: '此内容不再显示。',
    many: (count) => `有 ${count} 个问题等待回答，不再逐个在这里询问。请在控制台处理，或用 \`/批准\` 列出。`,
    list: '列出',
    show: '显示此会话',
    reject: '拒绝',
  },
};

type Button = NonNullable<Note['buttons']>[number][number];

const TITLE_CHARS = 80;
const WHAT_CHARS = 300;
const LABEL_CHARS = 40;
/** What a note of every channel has room for. */
const ASKED_CHARS = 2500;
/** As many answers as every platform has room for, beside the button that shows the session. */
const MOST_OPTIONS = 20;

/**
 * What a chat is told of a question that a session elsewhere asks, and what became of it. All that is asked stands in it;
 * where there is no room for that, there is a no, and the way to the session.
 */
export function approvalNotice(
  language: Language,
  { sessionId, sessionTitle, approval, decided }: ElsewhereApproval,
): Note {
  const words = WORDS[language];
  const isWhole = isToldWhole(approval);
  const lines = isWhole ? wholeLines(words, sessionTitle, approval) : shortLines(words, sessionTitle, approval);
  if (decided !== undefined)
    return { text: [...lines, describeDecision(words, approval.options, decided)].join('\n\n') };
  if (!isWhole) lines.push(APPROVAL_WORDS[language].notWhole);
  if (approval.allowsText === true && (isWhole || !isChoice(approval))) lines.push(words.byReply);
  const place = { sessionId, approvalId: approval.id };
  const offered = approval.options.filter((option) => mayAnswer(option, isWhole));
  const options: Button[] = offered.slice(0, MOST_OPTIONS).map((option) => ({
    label: shortLabel(option.name),
    action: { type: 'decide', ...place, optionId: option.id },
    ...lookOf(option),
  }));
  const yes = offered.find(({ kind }) => kind.startsWith('allow'));
  if (yes !== undefined && savedRules(approval).length > 0)
    options.push({
      label: APPROVAL_WORDS[language].always,
      action: { type: 'decide', ...place, optionId: yes.id, always: true },
    });
  if (options.length === 0) options.push({ label: words.reject, action: { type: 'reject', ...place }, look: 'danger' });
  const show: Button = { label: words.show, action: { type: 'command', text: `/switch ${sessionId}` } };
  return { text: lines.join('\n\n'), buttons: [...options.map((option) => [option]), [show]] };
}

/** Whether a note has room for all that is asked. */
export function isToldWhole(approval: Approval): boolean {
  const { parts, isWhole } = askedInText(approval);
  const names = approval.options.map(({ name }) => name);
  return isWhole && [askedText(parts), ...names, ...savedRules(approval)].join('\n').length <= ASKED_CHARS;
}

/** All that would be done, where that is a line of so many characters. */
export function askedLine(approval: Approval, most: number): string | undefined {
  const { parts, isWhole } = askedInText(approval);
  const text = askedText(parts, { hasAsides: false, between: ' · ' });
  return isWhole && text.length <= most && !/\n|\t| {2}/.test(text) ? text : undefined;
}

function wholeLines(words: Words, sessionTitle: string, approval: Approval): string[] {
  const { parts } = askedInText(approval);
  const title = parts.find((part) => part.type === 'title' && isLine(part));
  const reason = parts.find((part) => part.type === 'reason' && isLine(part));
  const code = askedText(parts.filter((part) => part !== title && part !== reason));
  const long = approval.options.map(({ name }) => plainlyShown(name)).filter((name) => name.length > LABEL_CHARS);
  const rules = savedRules(approval);
  return [
    words.asks(plainLine(sessionTitle, TITLE_CHARS), plainLine(title?.text ?? '', ASKED_CHARS)).trimEnd(),
    ...(code === '' ? [] : [fenced(code, ASKED_CHARS)]),
    ...(reason === undefined ? [] : [plainLine(reason.text, ASKED_CHARS)]),
    ...long.map((name) => plainLine(name, ASKED_CHARS)),
    ...(rules.length === 0 ? [] : [`${words.saves}: ${rules.map((rule) => plainLine(rule, ASKED_CHARS)).join(', ')}`]),
  ];
}

/** The beginning of what is asked; there is no yes beside it. */
function shortLines(words: Words, sessionTitle: string, { title, reason = '' }: Approval): string[] {
  const what = plainLine(plainlyShown(title), WHAT_CHARS);
  const why = plainLine(plainlyShown(reason), WHAT_CHARS);
  return [words.asks(plainLine(sessionTitle, TITLE_CHARS), what), ...(why === '' ? [] : [why])];
}

function isLine({ text }: AskedPart): boolean {
  return !/\n| {2}|\t/.test(text);
}

/** What is left of a message about a session, where that may not be shown any more. */
export function endedNotice(language: Language): Note {
  return { text: WORDS[language].ended };
}

/** What a chat is told where more questions wait than are asked in it one by one. */
export function manyNotice(language: Language, count: number): Note {
  const words = WORDS[language];
  return {
    text: words.many(count),
    buttons: [[{ label: words.list, action: { type: 'command', text: '/approve' } }]],
  };
}

/** What a chat is told of the end of a turn in a session that it does not show. */
export function endNotice(
  language: Language,
  { kind, reason }: { kind: 'failed' | 'finished'; reason?: string | undefined },
  session: { id: string; title: string },
): Note {
  const words = WORDS[language];
  const title = plainLine(session.title, TITLE_CHARS);
  const why = plainLine(plainOutput(reason ?? ''), WHAT_CHARS);
  return {
    text: kind === 'failed' && why !== '' ? words.failedBecause(title, why) : words[kind](title),
    buttons: [[{ label: words.show, action: { type: 'command', text: `/switch ${session.id}` } }]],
  };
}

/** What a chat is told of the session that it showed, once that is deleted. */
export function removedNotice(language: Language, title: string, byName: string): Note {
  return { text: WORDS[language].removed(plainLine(title, TITLE_CHARS), plainLine(byName)) };
}

function describeDecision(
  words: Words,
  options: readonly ApprovalOption[],
  { reply, by }: NonNullable<ElsewhereApproval['decided']>,
): string {
  if (by.type === 'time-limit') return words.inTime;
  if (reply.type === 'cancelled') return words.withdrawn;
  const who = plainLine(describeActor(by));
  if (reply.type === 'rejected') return words.decided(words.rejected, who);
  const option = options.find(({ id }) => id === reply.optionId);
  return words.decided(option === undefined ? words.answered : plainLine(option.name), who);
}

function lookOf({ kind }: ApprovalOption): { look?: 'primary' | 'danger' } {
  if (kind === 'allow_once') return { look: 'primary' };
  return kind.startsWith('reject') ? { look: 'danger' } : {};
}

function shortLabel(name: string): string {
  const line = plainlyShown(name).replaceAll(/\s+/gu, ' ').trim();
  return line.length <= LABEL_CHARS ? line : `${line.slice(0, LABEL_CHARS - 1).toWellFormed()}…`;
}
