import type { ToolCall, ToolCallContent, ToolCallLocation, ToolCallStatus, ToolKind } from '@agentclientprotocol/sdk';
import type { FilePart, ToolPart, ToolState } from '@dragoman/protocol';
import { callKind, callPlaces, type CallPlace, callTitle, hasFailed, textIn } from '../tools/shown-call.ts';
import { diffContent } from './diff-content.ts';
import { fenced } from './fenced.ts';

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
export function encodeToolCall(part: ToolPart, place: CallPlace): ToolCall {
  const { state } = part;
  const { content, locations } = shownOf(part, place);
  return {
    toolCallId: part.id,
    title: callTitle(part),
    name: part.tool,
    kind: kindOf(part.tool),
    status: hasFailed(state) ? 'failed' : STATUSES[state.status],
    ...(Object.keys(state.input).length === 0 ? {} : { rawInput: state.input }),
    ...(locations.length === 0 ? {} : { locations }),
    ...(content.length === 0 ? {} : { content }),
  };
}

/** The protocol has no word for a task that is given away. */
function kindOf(tool: string): ToolKind {
  const kind = callKind(tool);
  return kind === 'task' ? 'think' : kind;
}

function shownOf(part: ToolPart, place: CallPlace): { content: ToolCallContent[]; locations: ToolCallLocation[] } {
  const { state, tool } = part;
  const locations = callPlaces(state.input, place);
  switch (state.status) {
    case 'pending':
    case 'awaiting-approval':
    case 'running':
      return { content: progressOf(part), locations };
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

/** What a running call shows: what it has printed so far, or what its subagent is at. */
function progressOf({ tool, state }: ToolPart): ToolCallContent[] {
  const metadata = 'metadata' in state ? state.metadata : undefined;
  const output = textIn(metadata, 'output');
  if (output !== undefined) return [textContent(shownText(tool, output))];
  const [at, calls] = [textIn(metadata, 'at'), metadata?.['calls']];
  if (at === undefined || typeof calls !== 'number') return [];
  return [textContent(`${calls} ${calls === 1 ? 'call' : 'calls'}, now ${at}`)];
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
