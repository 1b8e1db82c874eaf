import { type Call, callKind, type ContentBlockOf } from '@dragoman/protocol';
import { attachmentElements } from './attachment-elements.ts';
import { callInput } from './call-input.ts';
import { callLine, callTime, saidOf, LOOKS, type ShownStatus, statusOf, statusText } from './call-title.ts';
import { callOutput, diffText } from './call-output.ts';
import type { CardElement, MarkdownElement, PanelElement } from './card-json.ts';
import { type CardWords, duration } from './card-words.ts';
import { cleanLine } from './clean-text.ts';
import { decisionText } from './decision-text.ts';
import type { Detail } from './detail.ts';
import { elementId } from './element-id.ts';
import { escapeMarkdown } from './escape-markdown.ts';

/** Lark takes containers five deep. */
const MOST_DEPTH = 3;

/** A call with all that belongs to it, under a line that changes in place while it runs. */
export function callPanel(call: Call, words: CardWords, detail: Detail, depth = 1): PanelElement {
  const { use, result, approvals, children } = call;
  const status = statusOf(call);
  const own =
    depth === 1
      ? detail
      : { ...detail, input: detail.childOutput, output: detail.childOutput, diff: detail.childOutput };
  const diffs = result?.block.diffs ?? [];
  const elements: CardElement[] = [
    ...markdown(
      elementId('i', call.id),
      callInput(use, words, { bytes: own.input, hasDiffs: diffs.length > 0, said: saidOf(use.block, detail.title) }),
    ),
    ...(own.output > 0 ? approvals.slice(-3) : []).map((approval) =>
      small(`${approval.decided === undefined ? '✋' : '👤'} ${decisionText(approval, words, 200)}`),
    ),
    ...childElements(children, words, detail, depth),
    ...diffs
      .slice(0, 8)
      .flatMap((diff) => markdown(undefined, diffText(diff, own.diff / Math.min(8, diffs.length), words))),
    ...markdown(elementId('o', call.id), callOutput(call, words, own.output)),
    ...attachmentElements(result?.block.attachments ?? [], words, { key: call.id, mostImages: own.images }),
  ];
  if (status === 'Interrupted') elements.push(small(words.interruptedHelp));
  if (elements.length === 0) elements.push(small(result === undefined ? '…' : words.noOutput));
  return panel(elementId('c', call.id), callLine(call, words, detail.title), status, elements);
}

/** Calls that only look at things, as one panel: what they did is counted in its line. */
export function groupPanel(calls: readonly Call[], words: CardWords, detail: Detail): PanelElement {
  const status = groupStatus(calls);
  const failed = calls.filter((call) => statusOf(call) === 'Error').length;
  const times = calls.flatMap((call) => callTime(call) ?? []);
  const line = [
    `${LOOKS[status].mark} **${groupTitle(calls, words)}**`,
    ...(failed > 0 ? [`<font color='red'>${words.failed(failed)}</font>`] : []),
    statusText(status, words),
    ...(status === 'Running' || times.length === 0 ? [] : [duration(spanOf(calls), words)]),
  ].join(' · ');
  const list = calls.map((call) => `- ${callLine(call, words, Math.max(30, detail.title - 40))}`).join('\n');
  const id = calls[0]!.id;
  return panel(elementId('g', id), line, status, markdown(elementId('l', id), list));
}

/** A panel that is folded until somebody opens it, in the colour of a status. */
export function panel(id: string, title: string, status: ShownStatus, elements: CardElement[]): PanelElement {
  const { colour } = LOOKS[status];
  return {
    tag: 'collapsible_panel',
    element_id: id,
    expanded: false,
    header: {
      title: { tag: 'markdown', content: title },
      vertical_align: 'center',
      icon: { tag: 'standard_icon', token: 'down-small-ccm_outlined', color: colour, size: '16px 16px' },
      icon_position: 'right',
      icon_expanded_angle: -180,
    },
    border: { color: colour, corner_radius: '5px' },
    padding: '8px 8px 8px 8px',
    vertical_spacing: '8px',
    elements,
  };
}

/** Words in an element of their own; none where there are none. */
export function markdown(id: string | undefined, content: string): MarkdownElement[] {
  if (content === '') return [];
  return [{ tag: 'markdown', ...(id !== undefined && { element_id: id }), content }];
}

/** A line that is said on the side. */
export function small(content: string): MarkdownElement {
  return { tag: 'markdown', content, text_size: 'notation' };
}

function childElements(children: readonly Call[], words: CardWords, detail: Detail, depth: number): CardElement[] {
  if (children.length === 0) return [];
  const shown = children.slice(0, detail.children);
  const more = children.length - shown.length;
  const rest = more > 0 ? [small(escapeMarkdown(words.moreCalls(more)))] : [];
  if (detail.childOutput > 0 && depth < MOST_DEPTH)
    return [...shown.map((child) => callPanel(child, words, detail, depth + 1)), ...rest];
  const lines = shown.map((child) => `- ${callLine(child, words, detail.title)}`).join('\n');
  return [...markdown(undefined, lines), ...rest];
}

function groupTitle(calls: readonly Call[], words: CardWords): string {
  const reads = calls.filter(({ use }) => callKind(use.block) === 'read');
  const searches = calls.length - reads.length;
  if (reads.length === 0) return words.onlySearches(searches);
  const read = words.readFiles(new Set(reads.map(({ id, use }) => fileOf(use.block) ?? id)).size);
  return searches === 0 ? read : `${read}, ${words.searches(searches)}`;
}

function fileOf({ input, locations }: ContentBlockOf<'tool_use'>): string | undefined {
  const named = [input['filePath'], input['file_path'], input['path'], locations?.[0]?.path];
  const path = named.find((name) => typeof name === 'string' && name !== '');
  return typeof path === 'string' ? cleanLine(path, 1000) : undefined;
}

/** How they stand together: as the one that matters most. */
function groupStatus(calls: readonly Call[]): ShownStatus {
  const all = calls.map(statusOf);
  return (['Waiting', 'Running', 'Interrupted', 'Success'] as const).find((status) => all.includes(status)) ?? all[0]!;
}

function spanOf(calls: readonly Call[]): number {
  const tools = calls.flatMap(({ tool }) => (tool?.endedAt === undefined ? [] : [tool]));
  return Math.max(...tools.map(({ endedAt }) => endedAt!)) - Math.min(...tools.map(({ startedAt }) => startedAt));
}
