import { type Call, callKind, type ContentBlockOf, type Row, type RowOf, type ShownMessage } from '@dragoman/protocol';
import type { Language, Scene } from '../channels/channel.ts';
import { actorText, decisionText } from './decision-text.ts';
import { diffBlocks } from './diff-blocks.ts';
import { showAttachment } from './show-attachment.ts';
import { markdownBlocks, MAX_MARKDOWN_CHARS } from './markdown-blocks.ts';
import { cleanText, oneLine, plainSpan, shortened } from './rich-text.ts';
import { showCall, showCalls, showResult } from './show-call.ts';
import type { Piece } from './split-posts.ts';
import type { Block, Span } from './telegram-body.ts';
import { formatDuration, TELEGRAM_WORDS } from './telegram-words.ts';

const PROMPT_CHARS = 800;
const THOUGHT_CHARS = 1500;
const NOTICE_CHARS = 800;
const PLAN_ENTRIES = 30;

/** A row of a session as it stands in a message. What says how things are in the end (plan, end of the turn) is not in here. */
export function showRow(row: Row, scene: Scene): Piece {
  const { language } = scene;
  switch (row.type) {
    case 'prompt':
      return whole(promptBlocks(row.message, scene));
    case 'text':
      return { blocks: textBlocks(row.shown, scene) };
    case 'thinking':
      return { ...whole(thinkingBlocks(row, language)), stays: row.shown.block.thinking.trim() === '' };
    case 'call':
      return { ...whole(showCall(row.call, language)), stays: isShort(row.call), files: filesOfCall(row.call) };
    case 'calls':
      return { ...whole(showCalls(row.calls, language)), stays: true };
    case 'result':
      return whole(showResult(row.shown.block, row.shown.isOpen, language));
    case 'approval':
      return whole(approvalBlocks(row, language));
    case 'attachment':
      return { ...whole(showAttachment(row.shown.block, language)), files: [row.shown.id] };
    case 'notice':
      return whole(noticeBlocks(row.shown.block));
    case 'error':
      return whole(faultBlocks(row.shown.block, language));
    default: // Plan and end stand below everything.
      return whole([]);
  }
}

function whole(blocks: Block[]): Piece {
  const [first, ...others] = blocks;
  return { blocks: first === undefined ? [] : [{ ...first, gap: true }, ...others], isWhole: true };
}

/** Calls that look at things become one line later, so they stay together. */
function isShort({ children, approvals, use }: Call): boolean {
  const kind = callKind(use.block);
  return children.length === 0 && approvals.length === 0 && (kind === 'read' || kind === 'search');
}

function filesOfCall({ result }: Call): string[] {
  return (result?.block.attachments ?? []).map((_, index) => `${result!.id} ${index}`);
}

/** What was asked elsewhere: who, and what. What was written in this chat stands there already. */
function promptBlocks(message: ShownMessage, { language, ownPrompts }: Scene): Block[] {
  if (ownPrompts.has(message.id)) return [];
  const words = TELEGRAM_WORDS[language];
  const name = message.by === undefined ? words.someone : actorText(message.by, words);
  const text = message.blocks.flatMap(({ block }) => (block.type === 'text' ? [block.text] : [])).join('\n\n');
  const files = message.blocks.flatMap(({ block }) =>
    block.type === 'image' ? [words.image] : block.type === 'file' ? [oneLine(block.name, 100)] : [],
  );
  const said = shortened(cleanText(text.slice(0, PROMPT_CHARS * 2)).trim(), PROMPT_CHARS);
  const spans: Span[] = [
    plainSpan(`${name}:`, { bold: true }),
    ...(said === '' ? [] : [plainSpan(` ${said}`)]),
    ...files.slice(0, 10).map((file) => plainSpan(`\n📎 ${file}`)),
  ];
  return [{ type: 'quote', spans }];
}

/** To read Markdown takes time, and a turn is shown again with every word: what did not change is the same object. */
const known = new WeakMap<object, { text: string; blocks: readonly Block[] }>();

function knownBlocks(shown: RowOf<'text'>['shown']): readonly Block[] {
  const { text } = shown.block;
  const before = known.get(shown.block);
  if (before?.text === text) return before.blocks;
  const blocks = markdownBlocks(text.trim());
  known.set(shown.block, { text, blocks });
  return blocks;
}

function textBlocks(shown: RowOf<'text'>['shown'], scene: Scene): Block[] {
  const { text } = shown.block;
  const [first, ...others] = knownBlocks(shown);
  const blocks: Block[] = first === undefined ? [] : [{ ...first, gap: true }, ...others];
  return text.trim().length <= MAX_MARKDOWN_CHARS ? blocks : [...blocks, cutNote(text.length, scene)];
}

/** Said where something was too long to be shown. */
function cutNote(chars: number, { language, link }: Scene): Block {
  const words = TELEGRAM_WORDS[language];
  const spans: Span[] = [{ text: `✂ ${words.cut(chars.toLocaleString('en-US'))}`, italic: true }];
  if (link !== undefined) spans.push({ text: ' ' }, { text: words.inConsole, url: link });
  return { type: 'text', gap: true, spans };
}

function thinkingBlocks({ shown }: RowOf<'thinking'>, language: Language): Block[] {
  const words = TELEGRAM_WORDS[language];
  const { thinking } = shown.block;
  const took = shown.endedAt === undefined ? '' : formatDuration(shown.endedAt - shown.startedAt, language);
  const title = shown.isOpen ? words.thinking : took === '' ? words.thought : words.thoughtFor(took);
  const text = shortened(
    cleanText(thinking.slice(0, THOUGHT_CHARS * 2))
      .trim()
      .replaceAll(/\n{2,}/g, '\n'),
    THOUGHT_CHARS,
  );
  const spans: Span[] = [{ text: `💭 ${title}`, bold: true }];
  if (text !== '') spans.push(plainSpan(`\n${text}`));
  return [{ type: 'folded', spans }];
}

/** A question that is not about a call; the buttons are in a message of its own. */
function approvalBlocks({ shown: { block }, approval }: RowOf<'approval'>, language: Language): Block[] {
  const decision = approval === undefined ? oneLine(block.decision ?? '', 300) : decisionText(approval, language);
  const isOpen = approval === undefined ? block.decision === undefined : approval.decided === undefined;
  return [
    {
      type: 'text',
      spans: [
        { text: isOpen ? '⏸ ' : '🔐 ' },
        plainSpan(oneLine(block.title, 300), { bold: true }),
        ...(decision === '' ? [] : [plainSpan(` · ${decision}`)]),
      ],
    },
    ...diffBlocks(isOpen && approval === undefined ? (block.diffs ?? []) : [], language),
  ];
}

function noticeBlocks({ text, level }: ContentBlockOf<'notice'>): Block[] {
  const said = shortened(cleanText(text.slice(0, NOTICE_CHARS * 2)).trim(), NOTICE_CHARS);
  return [{ type: 'text', spans: [{ text: level === 'warning' ? '⚠️ ' : 'ℹ️ ' }, plainSpan(said, { italic: true })] }];
}

/** Something that went wrong: what, and what helps. */
export function faultBlocks(
  fault: { message?: string | undefined; fix?: string | undefined },
  language: Language,
  title?: string,
): Block[] {
  const message = shortened(cleanText((fault.message ?? '').slice(0, NOTICE_CHARS * 2)).trim(), NOTICE_CHARS);
  const fix = shortened(cleanText((fault.fix ?? '').slice(0, NOTICE_CHARS * 2)).trim(), NOTICE_CHARS);
  const head: Span[] = title === undefined ? [] : [{ text: title, bold: true }];
  if (title !== undefined && message !== '') head.push({ text: '\n' });
  const spans: Span[] = [{ text: '❌ ' }, ...head, ...(message === '' ? [] : [plainSpan(message)])];
  if (fix !== '' && !message.includes(fix))
    spans.push({ text: '\n' }, { text: TELEGRAM_WORDS[language].fix, bold: true }, plainSpan(` ${fix}`));
  return [{ type: 'text', spans }];
}

const PLAN_MARKS: Record<ContentBlockOf<'plan'>['entries'][number]['status'], string> = {
  pending: '☐',
  in_progress: '◐',
  completed: '☑',
  cancelled: '☒',
};

/** A plan as it is now. */
export function planBlocks({ entries }: ContentBlockOf<'plan'>, language: Language): Block[] {
  const done = entries.filter(({ status }) => status === 'completed').length;
  const lines = entries.slice(0, PLAN_ENTRIES).map(({ content, status }): Span[] => {
    const text = plainSpan(
      oneLine(content, 100),
      status === 'cancelled' ? { strike: true } : status === 'in_progress' ? { bold: true } : {},
    );
    return [{ text: `\n${PLAN_MARKS[status]} ` }, text];
  });
  const more = entries.length > PLAN_ENTRIES ? [{ text: `\n… +${entries.length - PLAN_ENTRIES}` }] : [];
  const title = { text: `📋 ${TELEGRAM_WORDS[language].plan(done, entries.length)}`, bold: true as const };
  return [{ type: 'text', gap: true, spans: [title, ...lines.flat(), ...more] }];
}
