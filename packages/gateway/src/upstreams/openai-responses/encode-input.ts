import {
  DragomanError,
  type PromptFile,
  type ModelMessage,
  type PromptReasoning,
  type PromptText,
  type PromptToolResult,
} from '@dragoman/protocol';
import { optional } from '../../optional.ts';
import { fileUrl, imageDetail } from '../file-data.ts';
import { FAILED, resultText } from '../settings/failed-result.ts';
import type { ResponsesInputItem, ResponsesInputPart } from './wire.ts';

/** A prompt as the instructions it begins with and the items that follow, in order. */
export function encodeInput(prompt: ModelMessage[]): { instructions?: string; input: ResponsesInputItem[] } {
  const begin = prompt.findIndex((message) => message.role !== 'system');
  const leading = begin === -1 ? prompt : prompt.slice(0, begin);
  const instructions = leading.flatMap((message) =>
    message.role === 'system' && message.content !== '' ? [message.content] : [],
  );
  return {
    ...(instructions.length === 0 ? {} : { instructions: instructions.join('\n\n') }),
    input: prompt.slice(leading.length).flatMap((message) => encodeMessage(message)),
  };
}

function encodeMessage(message: ModelMessage): ResponsesInputItem[] {
  switch (message.role) {
    case 'system':
      return [{ type: 'message', role: 'system', content: [{ type: 'input_text', text: message.content }] }];
    case 'user':
      return message.content.length === 0
        ? []
        : [{ type: 'message', role: 'user', content: encodeContent(message.content) }];
    case 'assistant':
      return message.content.flatMap((part) => encodeAssistantPart(part));
    case 'tool':
      return message.content.map((result) => encodeToolResult(result));
  }
}

function encodeAssistantPart(
  part: Extract<ModelMessage, { role: 'assistant' }>['content'][number],
): ResponsesInputItem[] {
  switch (part.type) {
    case 'text':
      return part.text === '' ? [] : [encodeAnswer(part)];
    case 'reasoning':
      return encodeReasoning(part);
    case 'tool-call':
      return [
        {
          type: 'function_call',
          call_id: part.toolCallId,
          name: part.toolName,
          arguments: part.input === '' ? '{}' : part.input,
        },
      ];
  }
}

function encodeAnswer({ text, providerOptions }: PromptText): ResponsesInputItem {
  const phase = providerOptions?.['openai']?.['phase'];
  return {
    type: 'message',
    role: 'assistant',
    content: [{ type: 'output_text', text }],
    ...optional('phase', typeof phase === 'string' ? phase : undefined),
  };
}

/** The service keeps nothing for us: an id alone would point at nothing and be refused, so the content must be there. */
function encodeReasoning({ text, providerOptions }: PromptReasoning): ResponsesInputItem[] {
  const { itemId, encryptedContent } = providerOptions?.['openai'] ?? {};
  if (typeof encryptedContent !== 'string') return [];
  return [
    {
      type: 'reasoning',
      ...optional('id', typeof itemId === 'string' ? itemId : undefined),
      summary: text === '' ? [] : [{ type: 'summary_text', text }],
      encrypted_content: encryptedContent,
    },
  ];
}

function encodeToolResult({ toolCallId, content, isError }: PromptToolResult): ResponsesInputItem {
  const hasFiles = content.some((part) => part.type === 'file');
  const output = hasFiles
    ? encodeContent(isError ? [{ type: 'text', text: FAILED }, ...content] : content)
    : resultText(content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n'), isError);
  return { type: 'function_call_output', call_id: toolCallId, output };
}

function encodeContent(parts: (PromptText | PromptFile)[]): ResponsesInputPart[] {
  return parts.map((part) => (part.type === 'text' ? { type: 'input_text', text: part.text } : encodeFile(part)));
}

function encodeFile(file: PromptFile): ResponsesInputPart {
  if (file.mediaType.startsWith('image/'))
    return { type: 'input_image', image_url: fileUrl(file), ...imageDetail(file) };
  if (file.mediaType === 'application/pdf') {
    if (file.data.type === 'url') return { type: 'input_file', file_url: file.data.url };
    return { type: 'input_file', filename: file.filename ?? 'document.pdf', file_data: fileUrl(file) };
  }
  throw new DragomanError('bad-request', `A file of type ${file.mediaType} cannot be sent to a Responses model.`);
}
