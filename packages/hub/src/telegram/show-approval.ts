import type { ShownApproval } from '@dragoman/protocol';
import type { Action } from '../channels/action.ts';
import type { Language, Post, Scene } from '../channels/channel.ts';
import type { Note } from '../channels/note.ts';
import { decisionText, optionLabel } from './decision-text.ts';
import { diffBlocks } from './diff-blocks.ts';
import { markdownBlocks } from './markdown-blocks.ts';
import { codeSpan, oneLine, openText, plainSpan, shortened } from './rich-text.ts';
import { splitPosts } from './split-posts.ts';
import type { Block, Button, Span, TelegramBody } from './telegram-body.ts';
import { TELEGRAM_WORDS } from './telegram-words.ts';

/** Telegram takes no more of them. */
const MAX_BUTTONS = 100;
const LABEL_CHARS = 60;
/** Labels up to this length stand two in a row. */
const SHORT_LABEL = 16;

type Said = Pick<Post<TelegramBody>, 'body' | 'actions'>;

/** A question with its buttons while it waits, and who decided what once it is decided. */
export function showApproval(approval: ShownApproval, { view, language, link }: Scene): Said {
  const words = TELEGRAM_WORDS[language];
  const isQuestion = isChoice(approval);
  const isOpen = approval.decided === undefined;
  const title = oneLine(approval.title, 600);
  const became = becameOf(approval);
  const asks = isQuestion ? words.asksQuestion : words.asks;
  const head: Span[] = [
    { text: `${became === undefined ? (isQuestion ? '❓' : '🔐') : MARKS[became]} ` },
    { text: became === undefined ? asks : words.decided[became], bold: true },
    { text: '\n' },
    isQuestion ? plainSpan(title) : codeSpan(title),
  ];
  const blocks: Block[] = [{ type: 'text', spans: head }];
  const reason = shortened(openText((approval.reason ?? '').slice(0, 2000)).trim(), 600);
  if (reason !== '') blocks.push({ type: 'text', spans: [plainSpan(reason)] });
  blocks.push(...diffBlocks(approval.diffs ?? [], language, 1500));
  if (isOpen) {
    const rules = alwaysOf(approval);
    if (rules.length > 0) blocks.push(rulesBlock(rules, words.alwaysSaves));
    if (approval.allowsText === true)
      blocks.push({ type: 'text', spans: [{ text: words.answerInWords, italic: true }] });
  } else {
    const decision = decisionText(approval, language);
    if (decision !== words.decided.withdrawn)
      blocks.push({ type: 'text', spans: [plainSpan(decision, { bold: true })] });
  }
  const session = plainSpan(oneLine(view.title, 120), link === undefined ? {} : { url: link });
  blocks.push({ type: 'text', gap: true, spans: [{ text: '💬 ' }, session] });
  const choices = isOpen ? choicesOf(approval, view.info.id, isQuestion, language) : [];
  return {
    body: {
      type: 'text',
      blocks,
      buttons: inRows(choices.map(({ label, look }, action) => ({ label, ...look, action }))),
    },
    actions: choices.map(({ action }) => action),
  };
}

/** Something to answer, and not a yes or a no. */
function isChoice({ options, allowsText }: ShownApproval): boolean {
  return options.length === 0 ? allowsText === true : options.every(({ kind }) => kind === 'answer');
}

const MARKS = { allowed: '✅', answered: '✅', denied: '🚫', withdrawn: '⏹' } as const;

/** What became of a question; undefined while it waits. */
function becameOf({ decided, options }: ShownApproval): keyof typeof MARKS | undefined {
  if (decided === undefined) return undefined;
  const { reply } = decided;
  if (reply.type === 'cancelled') return 'withdrawn';
  if (reply.type === 'rejected') return 'denied';
  const kind = options.find(({ id }) => id === reply.optionId)?.kind ?? 'answer';
  if (kind.startsWith('reject')) return 'denied';
  return kind === 'answer' ? 'answered' : 'allowed';
}

interface Choice {
  label: string;
  action: Action;
  look?: { look: 'primary' | 'danger' };
}

/** The agent's own options in its order; "always" where a rule can be saved; a no where the agent offers none. */
function choicesOf(approval: ShownApproval, sessionId: string, isQuestion: boolean, language: Language): Choice[] {
  const words = TELEGRAM_WORDS[language];
  const { id: approvalId, options } = approval;
  const choices = options.slice(0, MAX_BUTTONS - 2).map((option): Choice => {
    const name = optionLabel(option, language);
    return {
      label: name === '' ? oneLine(option.id, LABEL_CHARS) || '…' : name,
      action: { type: 'decide', sessionId, approvalId, optionId: option.id },
      ...lookOf(option.kind),
    };
  });
  const allow = options.find(({ kind }) => kind.startsWith('allow'));
  if (allow !== undefined && alwaysOf(approval).length > 0)
    choices.push({
      label: words.always,
      action: { type: 'decide', sessionId, approvalId, optionId: allow.id, always: true },
    });
  if (!isQuestion && !options.some(({ kind }) => kind.startsWith('reject')))
    choices.push({ label: words.deny, action: { type: 'reject', sessionId, approvalId }, look: { look: 'danger' } });
  return choices;
}

function lookOf(kind: ShownApproval['options'][number]['kind']): Pick<Choice, 'look'> {
  if (kind === 'allow_once') return { look: { look: 'primary' } };
  return kind.startsWith('reject') ? { look: { look: 'danger' } } : {};
}

/** Only where a rule can be saved here; what the agent itself remembers is among its options. */
function alwaysOf({ always = [], question, options }: ShownApproval): readonly { tool: string; pattern: string }[] {
  return question === undefined || !options.some(({ kind }) => kind.startsWith('allow')) ? [] : always;
}

function rulesBlock(rules: readonly { tool: string; pattern: string }[], lead: string): Block {
  const names = rules
    .slice(0, 5)
    .flatMap(({ tool, pattern }): Span[] => [{ text: ' ' }, codeSpan(oneLine(`${tool} ${pattern}`, 120))]);
  return { type: 'text', spans: [{ text: `${lead}:`, italic: true }, ...names] };
}

/** What the program itself says. */
export function showNote(note: Note): Said {
  const actions: Action[] = [];
  const rows = (note.buttons ?? []).map((row) =>
    row.slice(0, 8).map(({ label, action, look }): Button => {
      actions.push(action);
      return {
        label: oneLine(label, LABEL_CHARS) || '…',
        ...(look !== undefined && { look }),
        action: actions.length - 1,
      };
    }),
  );
  // One message, whatever it says: the first one that is full is the note.
  const [post, ...others] = splitPosts([{ blocks: markdownBlocks(note.text) }], []);
  if (others.length > 0) post?.blocks.push({ type: 'text', spans: [{ text: '…' }] });
  return {
    body: { type: 'text', blocks: post?.blocks ?? [], buttons: rows.filter(({ length }) => length > 0) },
    actions,
  };
}

/** Short ones two in a row, long ones on a row of their own. */
function inRows(buttons: readonly Button[]): Button[][] {
  const rows: Button[][] = [];
  for (const button of buttons) {
    const label = oneLine(button.label, LABEL_CHARS);
    const last = rows.at(-1);
    const isShort = label.length <= SHORT_LABEL && last?.length === 1 && last[0]!.label.length <= SHORT_LABEL;
    if (isShort) last.push({ ...button, label });
    else rows.push([{ ...button, label }]);
  }
  return rows;
}
