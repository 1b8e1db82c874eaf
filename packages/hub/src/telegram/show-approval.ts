import {
  askedInText,
  type AskedPart,
  isChoice,
  knownCall,
  mayAnswer,
  optionName,
  savedRules,
  type ShownApproval,
  trimEndOf,
} from '@dragoman/protocol';
import type { Action } from '../channels/action.ts';
import type { Language, Post, Scene } from '../channels/channel.ts';
import type { Note } from '../channels/note.ts';
import { decisionText, optionLabel } from './decision-text.ts';
import { diffBlocks } from './diff-blocks.ts';
import { markdownBlocks } from './markdown-blocks.ts';
import { blocksLength, cleanText, codeSpan, oneLine, openText, plainSpan, shortened } from './rich-text.ts';
import { splitPosts } from './split-posts.ts';
import type { Block, Button, Span, TelegramBody } from './telegram-body.ts';
import { TELEGRAM_WORDS } from './telegram-words.ts';

/** Telegram takes no more of them. */
const MAX_BUTTONS = 100;
const LABEL_CHARS = 60;
/** Labels up to this length stand two in a row. */
const SHORT_LABEL = 16;

type Said = Pick<Post<TelegramBody>, 'body' | 'actions'>;

/** What a message has room for beside its head and its foot, and beside the words of who decided. */
const ASKED_UNITS = { open: 3300, decided: 2600 } as const;

/**
 * A question with its buttons while it waits, and who decided what once it is decided. Where a message has no room for all
 * that is asked, it begins to say it, and offers a no and the way to the session.
 */
export function showApproval(given: ShownApproval, { view, language, link }: Scene): Said {
  const words = TELEGRAM_WORDS[language];
  const approval = knownCall(given, view);
  const isQuestion = isChoice(approval);
  const isOpen = approval.decided === undefined;
  const became = becameOf(approval);
  const asks = isQuestion ? words.asksQuestion : words.asks;
  const asked = askedInText(approval);
  const about = [...asked.parts.flatMap(partBlocks), ...(isOpen ? choiceBlocks(approval, language) : [])];
  const isWhole = asked.isWhole && blocksLength(about) <= ASKED_UNITS[isOpen ? 'open' : 'decided'];
  const blocks: Block[] = [
    {
      type: 'text',
      spans: [
        { text: `${became === undefined ? (isQuestion ? '❓' : '🔐') : MARKS[became]} ` },
        { text: became === undefined ? asks : words.decided[became], bold: true },
      ],
    },
    ...(isWhole ? about : shortBlocks(approval, language)),
  ];
  if (isOpen && !isWhole) {
    const open: Span[] = link === undefined ? [] : [{ text: ' ' }, { text: words.open, url: link }];
    blocks.push({ type: 'text', spans: [{ text: words.notWhole, italic: true }, ...open] });
  }
  if (isOpen && approval.allowsText === true && (isWhole || !isQuestion))
    blocks.push({ type: 'text', spans: [{ text: words.answerInWords, italic: true }] });
  const decision = isOpen ? words.decided.withdrawn : decisionText(approval, language);
  if (decision !== words.decided.withdrawn) blocks.push({ type: 'text', spans: [plainSpan(decision, { bold: true })] });
  const session = plainSpan(oneLine(view.title, 120), link === undefined ? {} : { url: link });
  blocks.push({ type: 'text', gap: true, spans: [{ text: '💬 ' }, session] });
  const choices = isOpen ? choicesOf(approval, view.info.id, isWhole, language) : [];
  const buttons = inRows(choices.map(({ label, look }, action) => ({ label, ...look, action })));
  return { body: { type: 'text', blocks, buttons }, actions: choices.map(({ action }) => action) };
}

/** What is asked, whole. */
function partBlocks({ type, label, text, why }: AskedPart): Block[] {
  const name: Span[] = label === undefined ? [] : [plainSpan(`${label}:`)];
  const reason: Span[] = why === undefined ? [] : [plainSpan(`: ${why}`)];
  switch (type) {
    case 'reason':
      return [{ type: 'text', spans: [plainSpan(text)] }];
    case 'change':
      return [{ type: 'text', spans: [{ text: '📝 ' }, ...name] }, pre(text, 'diff')];
    case 'command':
      return [pre(text, 'bash')];
    default: {
      if (!/\n| {2}|\t/.test(text)) {
        const lead = type === 'subject' ? [{ text: '• ' }] : name.length === 0 ? [] : [...name, { text: ' ' }];
        return [{ type: 'text', spans: [...lead, codeSpan(text), ...reason] }];
      }
      const lines: Block[] = [...name, ...reason].length === 0 ? [] : [{ type: 'text', spans: [...name, ...reason] }];
      return [...lines, pre(text, '')];
    }
  }
}

function pre(text: string, language: string): Block {
  return { type: 'pre', text: trimEndOf(cleanText(text), '\n'), language };
}

/** What the buttons do, where that does not stand on them. */
function choiceBlocks(approval: ShownApproval, language: Language): Block[] {
  const rules = savedRules(approval);
  const saved: Block = {
    type: 'text',
    spans: [
      { text: `${TELEGRAM_WORDS[language].alwaysSaves}:`, italic: true },
      ...rules.flatMap((rule): Span[] => [{ text: ' ' }, codeSpan(rule)]),
    ],
  };
  const long = approval.options
    .map((option) => openText(optionName(option, language)))
    .filter((name) => name.length > LABEL_CHARS);
  return [
    ...long.map((name): Block => ({ type: 'text', spans: [plainSpan(name)] })),
    ...(rules.length > 0 ? [saved] : []),
  ];
}

/** The beginning of what is asked; there is no yes beside it. */
function shortBlocks({ title, reason = '', diffs = [] }: ShownApproval, language: Language): Block[] {
  const why = shortened(openText(reason.slice(0, 2000)).trim(), 600);
  return [
    { type: 'text', spans: [codeSpan(oneLine(title, 600))] },
    ...(why === '' ? [] : [{ type: 'text' as const, spans: [plainSpan(why)] }]),
    ...diffBlocks(diffs, language, 1500),
  ];
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
function choicesOf(approval: ShownApproval, sessionId: string, isWhole: boolean, language: Language): Choice[] {
  const words = TELEGRAM_WORDS[language];
  const { id: approvalId, options } = approval;
  const offered = options.filter((option) => mayAnswer(option, isWhole));
  const choices = offered.slice(0, MAX_BUTTONS - 2).map((option): Choice => {
    const name = optionLabel(option, language);
    return {
      label: name === '' ? oneLine(option.id, LABEL_CHARS) || '…' : name,
      action: { type: 'decide', sessionId, approvalId, optionId: option.id },
      ...lookOf(option.kind),
    };
  });
  const allow = offered.find(({ kind }) => kind.startsWith('allow'));
  if (allow !== undefined && savedRules(approval).length > 0)
    choices.push({
      label: words.always,
      action: { type: 'decide', sessionId, approvalId, optionId: allow.id, always: true },
    });
  if (!isChoice(approval) && !options.some(({ kind }) => kind.startsWith('reject')))
    choices.push({ label: words.deny, action: { type: 'reject', sessionId, approvalId }, look: { look: 'danger' } });
  return choices;
}

function lookOf(kind: ShownApproval['options'][number]['kind']): Pick<Choice, 'look'> {
  if (kind === 'allow_once') return { look: { look: 'primary' } };
  return kind.startsWith('reject') ? { look: { look: 'danger' } } : {};
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
