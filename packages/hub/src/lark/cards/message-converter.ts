import type { Call, ContentBlockOf, Row, RowOf, SessionPart, ShownBlock, ShownMessage } from '@dragoman/protocol';
import { attachmentElements, attachmentLine } from './attachment-elements.ts';
import { outputText } from './call-output.ts';
import { callPanel, groupPanel, markdown, panel, small } from './call-panel.ts';
import { statusOf } from './call-title.ts';
import type { CardElement } from './card-json.ts';
import { costOf } from './card-limits.ts';
import { type CardWords, duration } from './card-words.ts';
import { cleanLine, cleanProse } from './clean-text.ts';
import { actorName, decisionText } from './decision-text.ts';
import type { Detail } from './detail.ts';
import { type DrawnText, drawnText } from './drawn-text.ts';
import { elementId } from './element-id.ts';
import { errorElements } from './error-elements.ts';
import { escapeMarkdown } from './escape-markdown.ts';
import { labelled, larkMarkdown } from './markdown.ts';
import { planElements } from './plan-elements.ts';
import { footerElements } from './turn-footer.ts';
import { withinWords } from './within-words.ts';

/** A piece of an answer on its way into a card. */
export type Unit = { isOpen: boolean } & (
  | { type: 'text'; key: string; text: string; drawn: DrawnText }
  /** What stays in one card. Its cost does not depend on how it turns out, so that nothing behind it moves. */
  | { type: 'solid'; cost: number; count: number; render(detail: Detail): CardElement[] }
);

/** What a row is converted with. */
export interface Converting {
  words: CardWords;
  link: string | undefined;
  ownPrompts: ReadonlyMap<string, string>;
}

/** The room that each call has in a card, in bytes and elements. */
const CALL = { cost: 1100, count: 6 };
/** Each call more in a group, and how many of them a panel holds. */
const GROUPED = { cost: 170, most: 30 };
const MOST_TEXT = 120_000;
const MOST_THINKING = 3500;
const MOST_PROMPT = 1500;

/**
 * The rows of an answer as pieces of cards. It knows rows and blocks and no agent.
 *
 * A plan that moved on is shown once, where it is now; the room it had before stays empty in the reckoning, because what
 * came after it would change cards otherwise.
 */
export function convertRows({ rows, messages }: Pick<SessionPart, 'rows' | 'messages'>, how: Converting): Unit[] {
  const past = pastPlans(rows, messages);
  const units: Unit[] = [];
  for (const row of rows) {
    while (past.length > 0 && past[0]!.since < row.since) units.push(emptyRoom(past.shift()!.block, how.words));
    units.push(...knownUnits(row, how));
  }
  return units;
}

/** Rows that did not change are the same objects, and so are their pieces. */
const known = new WeakMap<Row, { how: Converting; units: Unit[] }>();

function knownUnits(row: Row, how: Converting): Unit[] {
  const old = known.get(row);
  const isSame = old !== undefined && old.how.words === how.words && old.how.link === how.link;
  if (isSame && row.type !== 'prompt') return old.units;
  const units = convertRow(row, how);
  known.set(row, { how, units });
  return units;
}

/** One row. */
function convertRow(row: Row, how: Converting): Unit[] {
  const { words } = how;
  switch (row.type) {
    case 'prompt':
      return how.ownPrompts.has(row.message.id) ? [] : [promptUnit(row.message, words)];
    case 'text': {
      const text = cleanProse(row.shown.block.text.slice(0, MOST_TEXT));
      const isCut = row.shown.block.text.length > MOST_TEXT;
      const unit: Unit = { type: 'text', key: row.key, text, isOpen: row.shown.isOpen, drawn: drawnText() };
      return isCut ? [unit, fixed([small(`… ${words.textLeftOut}`)])] : [unit];
    }
    case 'thinking':
      return [thinkingUnit(row, words)];
    case 'call':
      return [
        {
          type: 'solid',
          ...CALL,
          isOpen: isRunning(row.call),
          render: (detail) => [callPanel(row.call, words, detail)],
        },
      ];
    case 'calls':
      return chunks(row.calls, GROUPED.most).map((calls) => ({
        type: 'solid',
        cost: CALL.cost + GROUPED.cost * (calls.length - 1),
        count: CALL.count,
        isOpen: calls.some(isRunning),
        render: (detail) => [
          calls.length === 1 ? callPanel(calls[0]!, words, detail) : groupPanel(calls, words, detail),
        ],
      }));
    case 'result':
      return [resultUnit(row, words)];
    case 'approval':
      return [approvalUnit(row, words)];
    case 'plan':
      return [fixed(planElements(row.shown.block, words, elementId('p', row.key)))];
    case 'attachment':
      return [fixed(attachmentElements([row.shown.block], words, { key: row.key, mostImages: 1 }))];
    case 'notice': {
      const mark = row.shown.block.level === 'warning' ? '⚠️' : 'ℹ️';
      return [fixed([small(labelled(mark, larkMarkdown(withinWords(row.shown.block.text, 1000))))])];
    }
    case 'error':
      return [fixed(errorElements(row.shown.block, words))];
    case 'turn-end':
      return [fixed(footerElements(row, words, how.link))];
  }
}

function promptUnit({ by, blocks }: ShownMessage, words: CardWords): Unit {
  const name = escapeMarkdown(cleanLine(by === undefined ? words.someone : actorName(by, words), 80));
  const lines: string[] = [];
  let left = MOST_PROMPT;
  for (const { block } of blocks.slice(0, 8)) {
    if (block.type === 'image' || block.type === 'file') lines.push(attachmentLine(block, words));
    if (block.type !== 'text' || left <= 0) continue;
    const text = withinWords(block.text, left);
    left -= costOf(text);
    lines.push(escapeMarkdown(text));
  }
  return fixed(markdown(undefined, `> 👤 **${name}**\n${lines.join('\n').replaceAll(/^/gm, '> ')}`));
}

function thinkingUnit({ key, shown }: RowOf<'thinking'>, words: CardWords): Unit {
  const { isOpen, startedAt, endedAt } = shown;
  const took = endedAt === undefined ? 0 : endedAt - startedAt;
  const name = isOpen ? words.thinking : words.thought;
  const title = took < 100 ? name : `${name} · ${duration(took, words)}`;
  const text = withinWords(shown.block.thinking, MOST_THINKING, words);
  const content = larkMarkdown(text);
  const element = panel(elementId('h', key), `💭 ${title}`, 'Interrupted', [
    {
      tag: 'markdown',
      element_id: elementId('k', key),
      content: content === '' ? '…' : content,
      text_size: 'notation',
    },
  ]);
  return { type: 'solid', cost: 600 + costOf(text), count: 5, isOpen, render: () => [element] };
}

function resultUnit({ key, shown }: RowOf<'result'>, words: CardWords): Unit {
  const { content, is_error: isError, attachments = [] } = shown.block;
  const status = shown.isOpen ? 'Running' : isError === true ? 'Error' : 'Success';
  return {
    type: 'solid',
    ...CALL,
    isOpen: shown.isOpen,
    render: (detail) => {
      const output =
        detail.output === 0 ? '' : outputText(content, words, { bytes: detail.output, isLive: shown.isOpen });
      const elements = [
        ...markdown(elementId('o', key), output),
        ...attachmentElements(attachments, words, { key, mostImages: detail.images }),
      ];
      return [
        panel(
          elementId('c', key),
          `**${words.resultOf}**`,
          status,
          elements.length > 0 ? elements : [small(words.noOutput)],
        ),
      ];
    },
  };
}

/** A question about nothing in particular; it has a post of its own, so here it is only told of. */
function approvalUnit({ shown, approval }: RowOf<'approval'>, words: CardWords): Unit {
  const title = `**${escapeMarkdown(cleanLine(shown.block.title, 200))}**`;
  const decision =
    approval === undefined
      ? escapeMarkdown(cleanLine(shown.block.decision ?? '', 200))
      : decisionText(approval, words, 200);
  const parts = [`${approval?.decided === undefined ? '✋' : '👤'} ${title}`, ...(decision === '' ? [] : [decision])];
  return {
    ...room(400 + 6 * 500, 1),
    isOpen: false,
    render: () => markdown(elementId('q', shown.id), parts.join(' · ')),
  };
}

/** The plans that others took the place of, in the order in which they came. */
function pastPlans(
  rows: readonly Row[],
  messages: readonly ShownMessage[],
): (ShownBlock & { block: ContentBlockOf<'plan'> })[] {
  const shown = rows.find(({ type }) => type === 'plan')?.key;
  return messages
    .flatMap(({ blocks }) => blocks)
    .filter((block): block is ShownBlock & { block: ContentBlockOf<'plan'> } => block.block.type === 'plan')
    .filter(({ id, block }) => id !== shown && block.entries.length > 0)
    .toSorted((one, other) => one.since - other.since);
}

const rooms = new WeakMap<object, Unit>();

function emptyRoom(plan: ContentBlockOf<'plan'>, words: CardWords): Unit {
  let unit = rooms.get(plan);
  if (unit === undefined) {
    unit = { ...fixed(planElements(plan, words, elementId('p', 'past'))), render: () => [] };
    rooms.set(plan, unit);
  }
  return unit;
}

function fixed(elements: CardElement[]): Unit & { type: 'solid' } {
  const json = JSON.stringify(elements);
  return { ...room(Buffer.byteLength(json), json.split('"tag":').length - 1), isOpen: false, render: () => elements };
}

function room(cost: number, count: number): { type: 'solid'; cost: number; count: number } {
  return { type: 'solid', cost, count };
}

function isRunning(call: Call): boolean {
  const status = statusOf(call);
  return status === 'Running' || status === 'Waiting';
}

function chunks<Item>(items: readonly Item[], size: number): Item[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, index) =>
    items.slice(index * size, (index + 1) * size),
  );
}
