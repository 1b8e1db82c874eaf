/** A message as the editor hands it over: parts of several kinds, told apart by what they hold. */
export interface EditorMessage {
  /** 1 is the person, 2 the model, 3 the editor's own instructions. */
  role: number;
  content: readonly unknown[];
}

/** A message of the Chat Completions dialect. */
export type ChatMessage =
  | { role: 'system' | 'user'; content: string | ChatContent[] }
  | { role: 'assistant'; content: string | null; tool_calls?: ChatToolCall[] }
  | { role: 'tool'; tool_call_id: string; content: string };

/** A piece of what a person sends. */
type ChatContent = { type: 'text'; text: string } | { type: 'image_url'; image_url: { url: string } };

/** A call that the model made. */
interface ChatToolCall {
  id: string;
  type: 'function';
  function: { name: string; arguments: string };
}

/** The parts of a message, read. */
type Part =
  | { kind: 'text'; text: string }
  | { kind: 'call'; call: ChatToolCall }
  | { kind: 'result'; callId: string; content: readonly unknown[] }
  | { kind: 'data'; mimeType: string; data: Uint8Array };

const ROLES: Readonly<Record<number, 'user' | 'assistant' | 'system'>> = { 1: 'user', 2: 'assistant', 3: 'system' };

/**
 * The editor's messages in the Chat Completions dialect.
 *
 * Results of tools come in a message of the person there, and are messages of their own here; they go first, because
 * they answer the call before them. Pictures in results follow as the person's, since a result is text. Reasoning and
 * kinds of parts that are not known are left out.
 */
export function convertMessages(messages: readonly EditorMessage[]): ChatMessage[] {
  return messages.flatMap(({ role, content }) => {
    const parts = content.flatMap(readPart);
    switch (ROLES[role]) {
      case 'assistant':
        return assistantMessage(parts);
      case 'system':
        return textOf(parts) === '' ? [] : [{ role: 'system' as const, content: textOf(parts) }];
      default:
        return userMessages(parts);
    }
  });
}

function assistantMessage(parts: readonly Part[]): ChatMessage[] {
  const text = textOf(parts);
  const calls = parts.flatMap((part) => (part.kind === 'call' ? [part.call] : []));
  if (calls.length > 0) return [{ role: 'assistant', content: text === '' ? null : text, tool_calls: calls }];
  return text === '' ? [] : [{ role: 'assistant', content: text }];
}

function userMessages(parts: readonly Part[]): ChatMessage[] {
  const results = parts.flatMap((part) => (part.kind === 'result' ? [part] : []));
  const shown = results.flatMap(({ content }) => content.flatMap(readPart).filter(isImage));
  const content = [...shown, ...parts].flatMap(toContent);
  const [only] = content;
  return [
    ...results.map((result): ChatMessage => ({
      role: 'tool',
      tool_call_id: result.callId,
      content: result.content.map(resultText).join(''),
    })),
    ...(content.length === 0
      ? []
      : [{ role: 'user' as const, content: content.length === 1 && only?.type === 'text' ? only.text : content }]),
  ];
}

function toContent(part: Part): ChatContent[] {
  if (part.kind === 'text') return part.text === '' ? [] : [{ type: 'text', text: part.text }];
  if (part.kind !== 'data') return [];
  if (isImage(part))
    return [
      {
        type: 'image_url',
        image_url: { url: `data:${part.mimeType};base64,${Buffer.from(part.data).toString('base64')}` },
      },
    ];
  return isText(part.mimeType) ? [{ type: 'text', text: new TextDecoder().decode(part.data) }] : [];
}

/** A piece of what a tool gave back, as text. */
function resultText(piece: unknown): string {
  if (typeof piece === 'string') return piece;
  const [part] = readPart(piece);
  if (part?.kind === 'text') return part.text;
  if (part?.kind === 'data') return isText(part.mimeType) ? new TextDecoder().decode(part.data) : `[${part.mimeType}]`;
  // Prompts of the editor's own making are trees.
  return isRecord(piece) && 'value' in piece ? (JSON.stringify(piece['value']) ?? '') : '';
}

/** Read by what it holds: the classes differ between versions of the editor, and some are not in its types yet. */
function readPart(part: unknown): Part[] {
  if (!isRecord(part)) return [];
  const { callId, name, input, content, mimeType, data, value } = part;
  if (typeof callId === 'string' && typeof name === 'string')
    return [{ kind: 'call', call: { id: callId, type: 'function', function: { name, arguments: toJson(input) } } }];
  if (typeof callId === 'string' && Array.isArray(content)) return [{ kind: 'result', callId, content }];
  if (typeof mimeType === 'string' && data instanceof Uint8Array) return [{ kind: 'data', mimeType, data }];
  // Reasoning has a text too, and an id and metadata beside it.
  if (typeof value === 'string' && !('metadata' in part)) return [{ kind: 'text', text: value }];
  return [];
}

function textOf(parts: readonly Part[]): string {
  return parts.map((part) => (part.kind === 'text' ? part.text : '')).join('');
}

function isImage(part: Part): boolean {
  return part.kind === 'data' && part.mimeType.startsWith('image/');
}

function isText(mimeType: string): boolean {
  return mimeType.startsWith('text/') || /[/+]json(?:;|$)/.test(mimeType);
}

function toJson(value: unknown): string {
  return JSON.stringify(value ?? {}) ?? '{}';
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
