import type { ContentBlockOf, Row, RowOf, SessionPart } from '@dragoman/protocol';
import { awayText } from '../channels/away-words.ts';
import type { ChannelRenderer, Scene } from '../channels/channel.ts';
import { shareablePart } from '../channels/shareable-part.ts';
import { fileBody } from './show-attachment.ts';
import { oneLine } from './rich-text.ts';
import { showApproval, showNote } from './show-approval.ts';
import { faultBlocks, planBlocks, showRow } from './show-row.ts';
import { type Piece, type SplitPost, splitPosts } from './split-posts.ts';
import type { Block, FileBody, Span, TelegramBody } from './telegram-body.ts';
import { formatCount, formatDuration, TELEGRAM_WORDS } from './telegram-words.ts';

/** How a session is shown on Telegram. */
export const telegramRenderer: ChannelRenderer<TelegramBody> = {
  part(whole, scene) {
    const part = shareablePart(whole);
    // Calls stand close together.
    const pieces = part.rows.map((row, index) =>
      knownPiece(row, scene, isCall(row) && index > 0 && isCall(part.rows[index - 1]!)),
    );
    const posts = splitPosts(pieces, endingOf(part, scene));
    const files = filesOf(part, scene);
    return posts.flatMap((post, index) => postsOf(post, index, part.key, files));
  },
  approval: (approval, scene) => ({ key: `approval ${approval.id}`, ...showApproval(approval, scene) }),
  note: (note) => showNote(note),
  withdrawn: (language) => ({
    body: {
      type: 'text',
      blocks: [{ type: 'text', spans: [{ text: TELEGRAM_WORDS[language].takenBack, italic: true }] }],
      buttons: [],
    },
    actions: [],
  }),
};

/** Rows that did not change are the same objects, and so are their pieces. */
const known = new WeakMap<Row, { language: string; link: string | undefined; isClose: boolean; piece: Piece }>();

function knownPiece(row: Row, scene: Scene, isClose: boolean): Piece {
  const { language, link } = scene;
  const old = known.get(row);
  const isSame = old?.language === language && old.link === link && old.isClose === isClose;
  if (isSame && row.type !== 'prompt') return old.piece;
  const shown = showRow(row, scene);
  const piece = isClose ? { ...shown, blocks: leading(shown.blocks) } : shown;
  known.set(row, { language, link, isClose, piece });
  return piece;
}

function isCall({ type }: Row): boolean {
  return type === 'call' || type === 'calls';
}

type PartPost = ReturnType<ChannelRenderer<TelegramBody>['part']>[number];

function postsOf(
  { blocks, files: shown }: SplitPost,
  index: number,
  key: string,
  files: ReadonlyMap<string, FileBody>,
): PartPost[] {
  const text: PartPost = {
    key: index === 0 ? `part ${key}` : `part ${key} ${index + 1}`,
    body: knownBody(blocks),
    actions: [],
  };
  const sent = shown.flatMap((id): PartPost[] => {
    const body = files.get(id);
    return body === undefined ? [] : [{ key: `file ${id}`, body, actions: [] }];
  });
  return blocks.length === 0 ? sent : [text, ...sent];
}

/** A message that says the same is the same object, so that it need not be compared word by word. */
const bodies = new WeakMap<Block, { blocks: readonly Block[]; body: TelegramBody }>();

function knownBody(blocks: readonly Block[]): TelegramBody {
  const old = blocks[0] && bodies.get(blocks[0]);
  if (old?.blocks.length === blocks.length && old.blocks.every((block, index) => block === blocks[index]))
    return old.body;
  const body: TelegramBody = { type: 'text', blocks: leading(blocks), buttons: [] };
  if (blocks[0] !== undefined) bodies.set(blocks[0], { blocks, body });
  return body;
}

/** No empty line above the first block. */
function leading([first, ...others]: readonly Block[]): Block[] {
  if (first === undefined) return [];
  const { gap: _, ...rest } = first;
  return [rest, ...others];
}

/** Images and files of a part, by what `showRow` calls them. */
function filesOf({ rows }: SessionPart, { link, language }: Scene): Map<string, FileBody> {
  const files = new Map<string, FileBody>();
  const note = (id: string, block: ContentBlockOf<'image' | 'file'>) => {
    const body = fileBody(block, link, language);
    if (body !== undefined) files.set(id, body);
  };
  for (const row of rows) {
    if (row.type === 'attachment') note(row.shown.id, row.shown.block);
    if (row.type !== 'call') continue;
    const { result } = row.call;
    for (const [index, block] of (result?.block.attachments ?? []).entries()) note(`${result!.id} ${index}`, block);
  }
  return files;
}

/**
 * What stands below everything: the plan as it is now, and that the turn runs or how it ended.
 *
 * A plan moves on all the time; were it among the rows, everything after it would move with it.
 */
function endingOf({ rows, turn }: SessionPart, scene: Scene): Block[] {
  const plan = rows.find((row) => row.type === 'plan');
  const end = rows.find((row) => row.type === 'turn-end');
  const isRunning = turn !== undefined && turn.finishedAt === undefined;
  return [
    ...(plan === undefined ? [] : planBlocks(plan.shown.block, scene.language)),
    ...(end === undefined ? [] : endBlocks(end, scene)),
    ...(isRunning ? [workingBlock(scene)] : []),
  ];
}

function workingBlock({ language, away }: Scene): Block {
  if (away !== undefined) {
    const text = awayText({ ...away, machine: oneLine(away.machine, 60) }, language, { isRunning: true });
    return { type: 'text', gap: true, spans: [{ text: `⚠️ ${text}` }] };
  }
  return { type: 'text', gap: true, spans: [{ text: `⏳ ${TELEGRAM_WORDS[language].working}`, italic: true }] };
}

function endBlocks({ turn, usage }: RowOf<'turn-end'>, { language, link }: Scene): Block[] {
  const words = TELEGRAM_WORDS[language];
  const { reason = 'done', error } = turn;
  const took = formatDuration((turn.finishedAt ?? turn.startedAt) - turn.startedAt, language);
  const facts = [
    took,
    usage.input_tokens === undefined ? '' : words.tokensIn(formatCount(usage.input_tokens)),
    (usage.cache_read_tokens ?? 0) > 0 ? words.tokensCached(formatCount(usage.cache_read_tokens ?? 0)) : '',
    usage.output_tokens === undefined ? '' : words.tokensOut(formatCount(usage.output_tokens)),
    (usage.cost_usd ?? 0) > 0 ? `$${(usage.cost_usd ?? 0).toFixed((usage.cost_usd ?? 0) < 1 ? 4 : 2)}` : '',
  ].filter((fact) => fact !== '');
  const title = words.turnEnd[reason] ?? reason;
  const isFault = reason === 'failed' || error !== undefined;
  const help = error?.fix === undefined ? words.turnHelp[reason] : undefined;
  const mark = reason === 'done' ? '✓' : reason === 'cancelled' ? '⏹' : '⚠️';
  const spans: Span[] = [
    { text: [isFault ? '' : `${mark} ${title}`, ...facts].filter((text) => text !== '').join(' · '), italic: true },
  ];
  if (link !== undefined) spans.push({ text: ' · ' }, { text: words.inConsole, url: link });
  const blocks: Block[] = isFault ? faultBlocks(error ?? {}, language, title) : [];
  blocks.push({ type: 'text', spans: isFault && facts.length === 0 ? spans.slice(2) : spans });
  if (help !== undefined) blocks.push({ type: 'text', spans: [{ text: help }] });
  const [first, ...others] = blocks.filter((block) => block.type === 'pre' || block.spans.length > 0);
  return first === undefined ? [] : [{ ...first, gap: true }, ...others];
}
