import { resolve } from 'node:path';
import type { ToolCall, ToolCallContent, ToolCallLocation, ToolCallStatus, ToolKind } from '@agentclientprotocol/sdk';
import { describeToolCall, type FilePart, type SessionInfo, type ToolPart, type ToolState } from '@dragoman/protocol';
import { diffContent } from './diff-content.ts';
import { fenced } from './fenced.ts';

/** Where the session works; paths in calls start there. */
export type ToolCallPlace = Pick<SessionInfo, 'cwd' | 'root'>;

const KINDS: Readonly<Record<string, ToolKind>> = {
  read: 'read',
  'mcp-resource': 'read',
  edit: 'edit',
  write: 'edit',
  'apply-patch': 'edit',
  glob: 'search',
  grep: 'search',
  'code-search': 'search',
  'web-search': 'search',
  'tool-search': 'search',
  bash: 'execute',
  'job-output': 'execute',
  'job-kill': 'execute',
  'web-fetch': 'fetch',
  task: 'think',
  'todo-write': 'think',
  'todo-read': 'think',
};

/** Tools whose output is written to be read as Markdown; any other is shown as it is. */
const WRITES_MARKDOWN: ReadonlySet<string> = new Set(['task', 'web-fetch', 'web-search', 'skill']);

const STATUSES: Record<ToolState['status'], ToolCallStatus> = {
  pending: 'pending',
  'awaiting-approval': 'pending',
  running: 'in_progress',
  completed: 'completed',
  error: 'failed',
};

/** A call as it stands, for an editor: what it is, where it works, how far it is, and what it shows. */
export function encodeToolCall(part: ToolPart, place: ToolCallPlace): ToolCall {
  const { state } = part;
  const { content, locations } = shownOf(part, place);
  return {
    toolCallId: part.id,
    title: titleOf(part),
    name: part.tool,
    kind: kindOf(part.tool),
    status: statusOf(state),
    ...(Object.keys(state.input).length === 0 ? {} : { rawInput: state.input }),
    ...(locations.length === 0 ? {} : { locations }),
    ...(content.length === 0 ? {} : { content }),
  };
}

/** What sort of work a tool does. A model may have its name in the wrong case. */
function kindOf(tool: string): ToolKind {
  return KINDS[tool.toLowerCase().replaceAll('_', '-')] ?? 'other';
}

/** A command that failed or was stopped is a result to the model, and a failure to a person. */
function statusOf(state: ToolState): ToolCallStatus {
  const { exitCode, end } = (state.status === 'completed' ? state.metadata : undefined) ?? {};
  const isFailed = typeof exitCode === 'number' && exitCode !== 0;
  const isStopped = typeof end === 'string' && (end !== 'exited' || exitCode === null);
  return isFailed || isStopped ? 'failed' : STATUSES[state.status];
}

function titleOf({ tool, state }: ToolPart): string {
  const { title, description } = describeToolCall(tool, state.input);
  if (description !== undefined) return `${title} ${description}`;
  // What the tool says of itself, where its arguments say nothing.
  const own = 'title' in state ? (state.title ?? '') : '';
  return own === '' || own === title ? title : own.startsWith(title) ? own : `${title} ${own}`;
}

function shownOf(part: ToolPart, place: ToolCallPlace): { content: ToolCallContent[]; locations: ToolCallLocation[] } {
  const { state, tool } = part;
  const locations = namedPlaces(state.input, place);
  switch (state.status) {
    case 'pending':
    case 'awaiting-approval':
      return { content: plannedChange(part, place), locations };
    case 'running':
      return { content: progressOf(part) ?? plannedChange(part, place), locations };
    case 'completed': {
      const diff = textIn(state.metadata, 'diff');
      if (diff !== undefined) return diffContent(diff, place.root);
      const output = state.output === '' ? [] : [textContent(shownText(tool, state.output))];
      return { content: [...output, ...(state.attachments ?? []).flatMap(imageContent)], locations };
    }
    case 'error':
      return { content: [textContent(fenced(state.error))], locations };
  }
}

/** What a call is about to change, so that a person can say whether it may. */
function plannedChange({ tool, state: { input } }: ToolPart, { cwd }: ToolCallPlace): ToolCallContent[] {
  const path = textIn(input, 'filePath');
  if (path === undefined) return [];
  const [from, to] = tool === 'edit' ? ['oldString', 'newString'] : ['', 'content'];
  const newText = input[to];
  if (kindOf(tool) !== 'edit' || typeof newText !== 'string') return [];
  return [{ type: 'diff', path: resolve(cwd, path), oldText: textIn(input, from) ?? null, newText }];
}

/** What a running call shows: what it has printed so far, or what its subagent is at. */
function progressOf({ tool, state }: ToolPart): ToolCallContent[] | undefined {
  const metadata = 'metadata' in state ? state.metadata : undefined;
  const output = textIn(metadata, 'output');
  if (output !== undefined) return [textContent(shownText(tool, output))];
  const [at, calls] = [textIn(metadata, 'at'), metadata?.['calls']];
  if (at === undefined || typeof calls !== 'number') return undefined;
  return [textContent(`${calls} ${calls === 1 ? 'call' : 'calls'}, now ${at}`)];
}

function namedPlaces(input: Readonly<Record<string, unknown>>, { cwd }: ToolCallPlace): ToolCallLocation[] {
  const path = textIn(input, 'filePath') ?? textIn(input, 'path');
  if (path === undefined) return [];
  const line = input['offset'];
  return [{ path: resolve(cwd, path), ...(typeof line === 'number' && line >= 1 ? { line } : {}) }];
}

function shownText(tool: string, text: string): string {
  return WRITES_MARKDOWN.has(tool) ? text : fenced(text);
}

/** A piece of text among what a call shows. */
export function textContent(text: string): ToolCallContent {
  return { type: 'content', content: { type: 'text', text } };
}

function imageContent({ mime, url }: FilePart): ToolCallContent[] {
  const data = imageData(url);
  return data === undefined || !mime.startsWith('image/')
    ? []
    : [{ type: 'content', content: { type: 'image', mimeType: mime, data } }];
}

/** The bytes of an address that holds them, in base64. */
export function imageData(url: string): string | undefined {
  return /^data:[^,]*;base64,(.*)$/s.exec(url)?.[1];
}

function textIn(fields: Readonly<Record<string, unknown>> | undefined, name: string): string | undefined {
  const value = fields?.[name];
  return typeof value === 'string' && value !== '' ? value : undefined;
}
