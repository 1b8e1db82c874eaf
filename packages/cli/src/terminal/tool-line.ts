import { describeToolCall, otherCallTitle, type ToolPart } from '@dragoman/protocol';
import { cleanLine, cleanText } from './clean-text.ts';
import { formatCount, formatDuration } from './format-amounts.ts';
import type { Paint, StyleName } from './paint.ts';
import { showDiff } from './show-diff.ts';
import { cutToWidth, textWidth } from './text-width.ts';

/** Where tool calls are shown. */
export interface ToolLineContext {
  paint: Paint;
  width: number;
  /** Paths below it are shown from here. */
  cwd: string;
  /** What it changed was shown already. */
  isChangeShown?: boolean;
}

const PREVIEW_LINES = 5;
/** Of a command that failed: enough to see why. */
const FAILED_LINES = 3;
/** Only the end of an output is looked at. */
const TAIL_LENGTH = 4096;
/** Of the arguments that are being written: the fields that name a call come first. */
const RAW_LENGTH = 600;

/** A call that has not ended: `◌ bash npm test  3 s`, and the end of what it has written so far. */
export function openToolLines(part: ToolPart, now: number, context: ToolLineContext): string[] {
  const { state } = part;
  switch (state.status) {
    case 'pending':
      return [headLine('◌', 'dim', titleOf(part, context), '', context)];
    case 'awaiting-approval':
      return [headLine('?', 'yellow', titleOf(part, context), 'waiting for approval', context)];
    case 'running': {
      const seconds = Math.floor((now - state.time.start) / 1000);
      const time = seconds < 1 ? '' : seconds < 60 ? `${seconds} s` : formatDuration(seconds * 1000);
      const output = lastLines(textOf(state.metadata, 'output'), PREVIEW_LINES, context);
      return [headLine('◌', 'yellow', titleOf(part, context), time, context), ...output, ...progressOf(part, context)];
    }
    case 'completed':
    case 'error':
      return endedToolLines(part, context);
  }
}

/** A call that ended: `✓ read src/a.ts  0.1 s`, or `✗ …` and the reason; below it the diff, where there is one. */
export function endedToolLines(part: ToolPart, context: ToolLineContext): string[] {
  const { state } = part;
  if (state.status !== 'completed' && state.status !== 'error') return [];
  const { paint, width } = context;
  const time = formatDuration(state.time.end - state.time.start);
  const title = titleOf(part, context);
  if (state.status === 'error')
    return [headLine('✗', 'red', title, time, context), indented(firstLine(reasonOf(state)), 'red', context)];
  const failure = failureOf(part);
  if (failure !== undefined) {
    const output = textOf(state.metadata, 'output') ?? state.output;
    return [
      headLine('✗', 'red', title, time, context),
      indented(failure, 'red', context),
      ...lastLines(output, FAILED_LINES, context),
    ];
  }
  const diff = textOf(state.metadata, 'diff');
  const shownDiff =
    diff === undefined || context.isChangeShown === true
      ? []
      : showDiff(diff, { paint, width: width - 2 }).map((line) => `  ${line}`);
  return [headLine('✓', 'green', title, [changesOf(state.metadata), time].join('  ').trim(), context), ...shownDiff];
}

/** Why it did not run. What would allow it is told at the end of the run, whole, where this line would cut it. */
function reasonOf({ error, metadata }: Extract<ToolPart['state'], { status: 'error' }>): string {
  return metadata?.['nobodyToAsk'] === true
    ? error.replace(/(?<=so it was not run\.) The user can allow it [^]*$/, '')
    : error;
}

/** How a command ended that did not end well; for the model that is a result like any other. */
export function failureOf({ state }: ToolPart): string | undefined {
  if (state.status !== 'completed') return undefined;
  const { exitCode, end, signal } = state.metadata ?? {};
  if (end === 'timed-out') return 'stopped: timed out';
  if (end === 'aborted') return 'stopped';
  if (typeof exitCode === 'number') return exitCode === 0 ? undefined : `exit code ${exitCode}`;
  return typeof signal === 'string' ? `ended by ${cleanLine(signal)}` : undefined;
}

/** What a subagent is at, as far as its task tells. */
function progressOf({ tool, state }: ToolPart, context: ToolLineContext): string[] {
  const { at, calls } = state.status === 'running' ? (state.metadata ?? {}) : {};
  if (tool !== 'task' || typeof at !== 'string' || typeof calls !== 'number') return [];
  return [
    indented(`${describeToolCall(cleanLine(at), {}).title} · ${formatCount(calls, 'tool call')}`, 'dim', context),
  ];
}

/** The tool and what it is about: what it says itself, unless that is less than its arguments say. A command is told as it is. */
function titleOf({ tool, state }: ToolPart, { cwd }: ToolLineContext): string {
  const input = state.status === 'pending' && Object.keys(state.input).length === 0 ? inputIn(state.raw) : state.input;
  const { title, description } = describeToolCall(tool, input);
  const own = fromHere(cleanLine('title' in state ? (state.title ?? '') : ''), cwd);
  if (description === undefined) return cleanLine(otherCallTitle(title, input, own));
  const asked = fromHere(cleanLine(description), cwd);
  const name = cleanLine(title);
  const isTold = own === name || asked.includes(own) || (tool === 'bash' && asked !== '');
  if (isTold) return `${name} ${asked}`.trim();
  return own.startsWith(`${name} `) ? own : `${name} ${own}`;
}

/** What is there already of arguments that are still being written. */
function inputIn(raw: string): Readonly<Record<string, unknown>> {
  const input: Record<string, unknown> = {};
  for (const [, key, value] of raw.slice(0, RAW_LENGTH).matchAll(/"(\w+)"\s*:\s*("(?:[^"\\]|\\.)*")/g)) {
    try {
      input[key!] ??= JSON.parse(value!);
    } catch {
      // Not JSON yet, or never: it is only for show.
    }
  }
  return input;
}

function fromHere(text: string, cwd: string): string {
  return text.startsWith(`${cwd}/`) ? text.slice(cwd.length + 1) : text;
}

function headLine(
  sign: string,
  style: StyleName,
  title: string,
  note: string,
  { paint, width }: ToolLineContext,
): string {
  const after = note === '' ? '' : `  ${note}`;
  const room = Math.max(8, width - 2 - textWidth(after));
  return `${paint(style, sign)} ${cutToWidth(title, room)}${paint('dim', after)}`;
}

function indented(text: string, style: StyleName, { paint, width }: ToolLineContext): string {
  return `  ${paint(style, cutToWidth(text, width - 2))}`;
}

function firstLine(text: string): string {
  const [first = '', ...others] = text.trim().split('\n');
  return `${cleanLine(first)}${others.length === 0 ? '' : ' …'}`;
}

/** The last lines that say something; a line that was written over, as progress bars do, is shown as it was last. */
function lastLines(output: string | undefined, count: number, context: ToolLineContext): string[] {
  const lines = (output ?? '')
    .slice(-TAIL_LENGTH)
    .split('\n')
    .map((line) => line.replace(/\r+$/, '').split('\r').at(-1)!)
    .map((line) => cleanText(withoutColor(line)).replaceAll('\t', '    ').trimEnd())
    .filter((line) => line !== '');
  return lines.slice(-count).map((line) => indented(line, 'dim', context));
}

/** The colours of a program are no attack, and in the way here. */
function withoutColor(line: string): string {
  // oxlint-disable-next-line no-control-regex
  return line.replace(/\u001B\[[0-9;]*m/g, '');
}

/** `+3 -1` */
function changesOf(metadata: Readonly<Record<string, unknown>> | undefined): string {
  const [additions, deletions] = [metadata?.['additions'], metadata?.['deletions']];
  return typeof additions === 'number' && typeof deletions === 'number' ? `+${additions} -${deletions}` : '';
}

function textOf(metadata: Readonly<Record<string, unknown>> | undefined, key: string): string | undefined {
  const value = metadata?.[key];
  return typeof value === 'string' && value !== '' ? value : undefined;
}
