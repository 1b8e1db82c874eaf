import {
  type Call,
  callKind,
  type ContentBlockOf,
  deniedApproval,
  callTitle,
  type CallTitle,
  plainOutput,
} from '@dragoman/protocol';
import type { Language } from '../channels/channel.ts';
import { decisionText } from './decision-text.ts';
import { diffBlocks } from './diff-blocks.ts';
import { cleanText, codeSpan, oneLine, openText, plainSpan, shortened, shortenedStart } from './rich-text.ts';
import type { Block, Span } from './telegram-body.ts';
import { formatDuration, TELEGRAM_WORDS, type Words } from './telegram-words.ts';

const TITLE_CHARS = 160;
const INPUT_CHARS = 400;
const OUTPUT_CHARS = 600;
/** Of the calls that a call made itself, the newest; and of other things that there may be many of. */
const MAX_LINES = 10;

type ShownStatus = NonNullable<Call['tool']>['status'];
const MARKS: Record<ShownStatus, string> = {
  Running: '⏳',
  Waiting: '⏸',
  Success: '✅',
  Error: '❌',
  Interrupted: '⏹',
};

/** A call: a line with how it stands, below it what it was given and what came of it, and the calls it made itself. */
export function showCall(call: Call, language: Language): Block[] {
  return [
    { type: 'text', spans: callLine(call, language) },
    ...inputBlocks(call, language),
    ...decisionBlocks(call, language),
    ...childBlocks(call, language),
    ...resultBlocks(call, language),
  ];
}

/** Calls that only look at things: one line, with the last of them. */
export function showCalls(calls: readonly Call[], language: Language): Block[] {
  const words = TELEGRAM_WORDS[language];
  const last = titleOf(calls.at(-1)!.use.block, words);
  const failed = calls.filter((call) => call.tool?.status === 'Error' && deniedApproval(call) === undefined).length;
  const spans: Span[] = [
    { text: `${MARKS[groupStatus(calls)]} ` },
    { text: groupTitle(calls, words), bold: true },
    ...(last.subject === '' ? [] : [{ text: ' ' }, codeSpan(last.subject)]),
    ...(failed === 0 ? [] : [{ text: ` · ${words.failed(failed)}` }]),
  ];
  return [{ type: 'text', spans }];
}

/** A result whose call is not there. */
export function showResult(result: ContentBlockOf<'tool_result'>, isOpen: boolean, language: Language): Block[] {
  const mark = isOpen ? MARKS.Running : result.is_error === true ? MARKS.Error : MARKS.Success;
  return [
    { type: 'text', spans: [{ text: `${mark} ${TELEGRAM_WORDS[language].resultOf}` }] },
    ...diffBlocks(result.diffs ?? [], language),
    ...outputBlocks(result.content, OUTPUT_CHARS),
  ];
}

function callLine(call: Call, language: Language): Span[] {
  const words = TELEGRAM_WORDS[language];
  const { verb, subject } = titleOf(call.use.block, words);
  const status = call.tool?.status ?? 'Running';
  const { startedAt = 0, endedAt } = call.tool ?? {};
  const took = endedAt === undefined ? '' : formatDuration(endedAt - startedAt, language);
  const isDenied = deniedApproval(call) !== undefined;
  const state = isDenied
    ? words.denied
    : status === 'Waiting' || status === 'Interrupted'
      ? words.status[status]
      : took;
  return [
    { text: `${MARKS[status]} ` },
    ...(verb === '' ? [] : [plainSpan(verb, { bold: true })]),
    ...(verb === '' || subject === '' ? [] : [{ text: ' ' }]),
    ...(subject === '' ? [] : verb === '' ? [plainSpan(subject, { bold: true })] : [codeSpan(subject)]),
    ...(state === '' ? [] : [{ text: ` · ${state}` }]),
  ];
}

/** A call in a line, no longer than a line may be. */
function titleOf(use: ContentBlockOf<'tool_use'>, words: Words): CallTitle {
  const { verb, subject } = callTitle(words.tools, use);
  return { verb: oneLine(verb, 80), subject: oneLine(subject, TITLE_CHARS) };
}

/** What a change says better. */
const CHANGES = new Set([
  'oldString',
  'newString',
  'old_string',
  'new_string',
  'content',
  'patchText',
  'patch',
  'edits',
  'diff',
]);

/** What it was given, as far as its line does not say it. */
function inputBlocks(call: Call, language: Language): Block[] {
  const { use, result } = call;
  const { verb, subject } = titleOf(use.block, TELEGRAM_WORDS[language]);
  const hasDiffs = (result?.block.diffs ?? []).length > 0 || call.approvals.some(({ diffs = [] }) => diffs.length > 0);
  const kind = callKind(use.block);
  if (kind === 'read' || kind === 'search') return [];
  const said = `${verb} ${subject}`;
  const lines = Object.entries(use.block.input ?? {}).flatMap(([name, value]): string[] => {
    if (value === undefined || value === null || (hasDiffs && CHANGES.has(name))) return [];
    const text = typeof value === 'string' ? value.trim() : safeJson(value);
    const line = oneLine(text, TITLE_CHARS);
    if (line === '' || said.includes(line)) return [];
    return [`${oneLine(name, 40)}: ${text.slice(0, INPUT_CHARS)}`];
  });
  if (lines.length === 0) return [];
  return [folded(shortened(openText(lines.slice(0, 12).join('\n')), INPUT_CHARS))];
}

/** Agents hand in whatever they like; what cannot be written is left out. */
function safeJson(value: unknown): string {
  try {
    return JSON.stringify(value) ?? '';
  } catch {
    return '';
  }
}

/** Who let it run or not; what a rule allowed is not worth a line. */
function decisionBlocks(call: Call, language: Language): Block[] {
  return call.approvals.slice(-MAX_LINES).flatMap((approval): Block[] => {
    if (approval.decided === undefined || approval.decided.by.type === 'rule') return [];
    return [
      { type: 'text', spans: [{ text: '      ' }, plainSpan(decisionText(approval, language), { italic: true })] },
    ];
  });
}

function childBlocks(call: Call, language: Language): Block[] {
  const lines = linesBelow(call, 1, language);
  const hidden = lines.length - MAX_LINES;
  const shown = hidden > 0 ? lines.slice(-MAX_LINES) : lines;
  const more: Block[] =
    hidden > 0 ? [{ type: 'text', spans: [{ text: `      … ${TELEGRAM_WORDS[language].earlierCalls(hidden)}` }] }] : [];
  return [...more, ...shown.map((spans): Block => ({ type: 'text', spans }))];
}

function linesBelow(call: Call, depth: number, language: Language): Span[][] {
  return call.children.flatMap((child) => [
    [{ text: `${'      '.repeat(depth)}` }, ...callLine(child, language)],
    ...linesBelow(child, depth + 1, language),
  ]);
}

function resultBlocks(call: Call, language: Language): Block[] {
  const { result, tool, use } = call;
  const asked = call.approvals.flatMap(({ decided, diffs = [] }) => (decided === undefined ? diffs : []));
  const diffs = diffBlocks(result?.block.diffs ?? asked, language);
  if (result === undefined || deniedApproval(call) !== undefined) return diffs;
  const kind = callKind(use.block);
  const isLooking = kind === 'read' || kind === 'search';
  // The change itself says that it was made.
  const isEdit = kind === 'edit' && diffs.length > 0;
  const isFile = (result.block.attachments ?? []).length > 0;
  if (tool?.status === 'Success' && (isLooking || isEdit || isFile))
    return [...diffs, ...attachmentLines(result.block, language)];
  return [...diffs, ...outputBlocks(result.block.content, OUTPUT_CHARS), ...attachmentLines(result.block, language)];
}

function attachmentLines({ attachments = [] }: ContentBlockOf<'tool_result'>, language: Language): Block[] {
  return attachments.slice(0, MAX_LINES).map((attachment): Block => {
    const name = attachment.type === 'file' ? attachment.name : TELEGRAM_WORDS[language].image;
    return { type: 'text', spans: [{ text: '      📎 ' }, plainSpan(oneLine(name, 120))] };
  });
}

function outputBlocks(content: string, limit: number): Block[] {
  const text = cleanText(plainOutput(content.length > 20_000 ? content.slice(-20_000) : content)).trim();
  return text === '' ? [] : [folded(shortenedStart(text.replaceAll(/\n{3,}/g, '\n\n'), limit))];
}

function folded(text: string): Block {
  return { type: 'folded', spans: [plainSpan(text)] };
}

/** What the calls did, counted. */
function groupTitle(calls: readonly Call[], words: Words): string {
  const reads = calls.filter(({ use }) => callKind(use.block) === 'read');
  const searches = calls.length - reads.length;
  if (reads.length === 0) return words.onlySearches(searches);
  const files = new Set(reads.map(fileOf)).size;
  const read = files === reads.length ? words.readFiles(files) : words.readFilesOften(files, reads.length);
  return searches === 0 ? read : `${read}, ${words.searches(searches)}`;
}

/** The file that a call reads, where it says so; else each is one of its own. */
function fileOf({ id, use: { block } }: Call): string {
  const input = block.input as Readonly<Record<string, unknown>> | null;
  const named = [input?.['filePath'], input?.['file_path'], input?.['path'], block.locations?.[0]?.path];
  return named.find((path): path is string => typeof path === 'string' && path !== '') ?? `call ${id}`;
}

/** How they stand together: as the one that matters most. */
function groupStatus(calls: readonly Call[]): ShownStatus {
  const all = calls.map(({ tool }) => tool?.status ?? 'Running');
  return (
    all.find((status) => status === 'Running') ??
    all.find((status) => status === 'Interrupted') ??
    all.find((status) => status === 'Success') ??
    all[0]!
  );
}
