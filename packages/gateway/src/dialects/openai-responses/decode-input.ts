import {
  boundedJsonParser,
  DragomanError,
  FIRST_MISTAKE,
  type PromptFile,
  type ModelMessage,
  type PromptReasoning,
  type PromptText,
  type PromptToolCall,
  type PromptToolResult,
} from '@dragoman/protocol';
import { optional } from '../../optional.ts';
import { openCallId } from '../../tools/signed-call-id.ts';
import { parseFileUrl } from '../parse-file-url.ts';
import { openEncryptedContent } from './encrypted-content.ts';
import { outputSchema, type ResponsesItem, type ResponsesPart } from './wire.ts';

/**
 * Input items as messages. An answer is several items here and one message there, and so are the results of one round of
 * tools.
 */
export function decodeInput(items: readonly ResponsesItem[]): ModelMessage[] {
  const prompt: ModelMessage[] = [];
  const toolNames = new Map<string, string>();
  const parseJson = boundedJsonParser();
  for (const [index, item] of items.entries()) {
    const place = `input.${index}`;
    switch (item.type ?? 'message') {
      case 'message':
        addMessage(prompt, item, place);
        break;
      case 'reasoning':
        addToAnswer(prompt, [toReasoning(item, parseJson)]);
        break;
      case 'function_call': {
        const call = toToolCall(item, place);
        toolNames.set(call.toolCallId, call.toolName);
        addToAnswer(prompt, [call]);
        break;
      }
      case 'function_call_output':
        addResult(prompt, toToolResult(item, place, toolNames));
        break;
      case 'item_reference':
        throw new DragomanError(
          'bad-request',
          `${place}: this server keeps no items that could be referred to; send the item itself.`,
        );
      default: // What OpenAI's own tools did: the answer that follows says what came of it.
    }
  }
  return prompt;
}

function addMessage(prompt: ModelMessage[], item: ResponsesItem, place: string): void {
  switch (item.role) {
    case 'system':
    case 'developer':
      prompt.push({ role: 'system', content: item.content.map(textOf).join('') });
      return;
    case 'user':
      prompt.push({
        role: 'user',
        content: item.content.map((part, index) => toContent(part, `${place}.content.${index}`)),
      });
      return;
    case 'assistant': {
      const phase = optional(
        'providerOptions',
        typeof item.phase === 'string' ? { openai: { phase: item.phase } } : undefined,
      );
      const parts = item.content.map((part): PromptText => ({ type: 'text', text: textOf(part), ...phase }));
      addToAnswer(
        prompt,
        parts.filter((part) => part.text !== ''),
      );
      return;
    }
    case undefined:
    case null:
      throw new DragomanError('bad-request', `${place}.role: expected system, developer, user or assistant.`);
  }
}

function addToAnswer(prompt: ModelMessage[], parts: (PromptText | PromptReasoning | PromptToolCall)[]): void {
  const last = prompt.at(-1);
  if (last?.role === 'assistant') last.content.push(...parts);
  else if (parts.length > 0) prompt.push({ role: 'assistant', content: parts });
}

function addResult(prompt: ModelMessage[], result: PromptToolResult): void {
  const last = prompt.at(-1);
  if (last?.role === 'tool') last.content.push(result);
  else prompt.push({ role: 'tool', content: [result] });
}

/** Models with open thoughts have them in the content; others only give a summary. */
function toReasoning(
  { id, summary, content, encrypted_content: encrypted }: ResponsesItem,
  parseJson: (text: string) => unknown,
): PromptReasoning {
  const parts = summary.length > 0 ? summary : content;
  return {
    type: 'reasoning',
    text: parts.map(textOf).join('\n\n'),
    ...optional('providerOptions', openEncryptedContent(encrypted, id, parseJson)),
  };
}

function toToolCall(item: ResponsesItem, place: string): PromptToolCall {
  return {
    type: 'tool-call',
    ...openCallId(needed(item.call_id, `${place}.call_id`)),
    toolName: needed(item.name, `${place}.name`),
    input: item.arguments || '{}',
  };
}

function toToolResult(item: ResponsesItem, place: string, toolNames: ReadonlyMap<string, string>): PromptToolResult {
  const { toolCallId } = openCallId(needed(item.call_id, `${place}.call_id`));
  const output = outputSchema.safeParse(item.output, FIRST_MISTAKE);
  if (!output.success) throw new DragomanError('bad-request', `${place}.output: expected text or a list of parts.`);
  return {
    type: 'tool-result',
    toolCallId,
    toolName: toolNames.get(toolCallId) ?? '',
    content: output.data.map((part, index) => toContent(part, `${place}.output.${index}`)),
    isError: false,
  };
}

function toContent(part: ResponsesPart, place: string): PromptText | PromptFile {
  switch (part.type) {
    case 'input_text':
    case 'output_text':
    case 'text':
    case 'refusal':
      return { type: 'text', text: textOf(part) };
    case 'input_image':
      if (typeof part.image_url === 'string') return parseFileUrl(part.image_url, 'image/*');
      throw new DragomanError(
        'bad-request',
        `${place}.image_url: expected a data URL or an http address; no files are kept here.`,
      );
    case 'input_file': {
      const url = part.file_data ?? part.file_url;
      if (typeof url === 'string')
        return { ...parseFileUrl(url, 'application/pdf'), ...optional('filename', part.filename) };
      throw new DragomanError('bad-request', `${place}: expected file_data or file_url; no files are kept here.`);
    }
    default:
      throw new DragomanError(
        'bad-request',
        `${place}: a part of type ${JSON.stringify(part.type.slice(0, 40))} is not understood here.`,
      );
  }
}

function textOf(part: ResponsesPart): string {
  return part.text ?? part.refusal ?? '';
}

function needed(value: string | null | undefined, place: string): string {
  if (value === undefined || value === null || value === '')
    throw new DragomanError('bad-request', `${place}: expected text.`);
  return value;
}
