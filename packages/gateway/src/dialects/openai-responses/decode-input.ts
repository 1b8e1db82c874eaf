import {
  boundedJsonParser,
  DragomanError,
  type ModelMessage,
  type PromptReasoning,
  type PromptText,
  type PromptToolCall,
  type PromptToolResult,
} from '@dragoman/protocol';
import { optional } from '../../optional.ts';
import type { OfferedTools } from '../../tools/offered-tools.ts';
import { decodePart, textOf } from './decode-part.ts';
import { decodeToolCall, decodeToolResult } from './decode-tool-item.ts';
import { openEncryptedContent } from './encrypted-content.ts';
import { readTools } from './read-tools.ts';
import type { ResponsesItem } from './wire.ts';

/** Items that hold what only OpenAI can read, or that nobody but the model asked may answer. */
const UNREADABLE: Readonly<Record<string, string>> = {
  item_reference: 'this server stores no items to refer to; send the item itself.',
  compaction: 'only OpenAI can read its compacted content; send the conversation itself.',
  compaction_summary: 'only OpenAI can read its compacted content; send the conversation itself.',
  context_compaction: 'only OpenAI can read its compacted content; send the conversation itself.',
  compaction_trigger: 'models of other providers do not support compaction; ask for a summary.',
  computer_call: 'models of other providers do not support this computer tool; use functions.',
  computer_call_output: 'models of other providers do not support this computer tool; use functions.',
};

/**
 * Input items as messages. An answer is several items here and one message there, and so are the results of one round of
 * tools.
 *
 * Items that add tools add them to what is offered.
 */
export function decodeInput(items: readonly ResponsesItem[], offered: OfferedTools): ModelMessage[] {
  const prompt: ModelMessage[] = [];
  const toolNames = new Map<string, string>();
  const parseJson = boundedJsonParser();
  let unheard: string | undefined;
  for (const [index, item] of items.entries()) {
    const place = `input.${index}`;
    const type = item.type ?? 'message';
    switch (type) {
      case 'message':
        addMessage(prompt, item, place);
        break;
      case 'agent_message':
        prompt.push({ role: 'user', content: [{ type: 'text', text: agentText(item, place) }] });
        break;
      case 'reasoning':
        addToAnswer(prompt, [toReasoning(item, parseJson)]);
        break;
      case 'additional_tools':
        readTools(item.tools ?? [], `${place}.tools`, offered);
        break;
      case 'tool_search_output': {
        const loaded = readTools(item.tools ?? [], `${place}.tools`, offered);
        const output =
          loaded.length === 0 ? 'No tool was found.' : `These tools can be called now: ${loaded.join(', ')}`;
        if (isOfClient(item)) addResult(prompt, decodeToolResult({ ...item, output }, place, toolNames));
        break;
      }
      case 'tool_search_call':
      case 'function_call':
      case 'custom_tool_call':
      case 'local_shell_call':
      case 'shell_call':
      case 'apply_patch_call': {
        if (!isOfClient(item)) break;
        const call = decodeToolCall(item, place, offered.names);
        toolNames.set(call.toolCallId, call.toolName);
        addToAnswer(prompt, [call]);
        break;
      }
      case 'function_call_output':
      case 'custom_tool_call_output':
      case 'local_shell_call_output':
      case 'shell_call_output':
      case 'apply_patch_call_output':
        addResult(prompt, decodeToolResult(item, place, toolNames));
        break;
      default:
        if (Object.hasOwn(UNREADABLE, type)) throw new DragomanError('bad-request', `${place}: ${UNREADABLE[type]}`);
        // What OpenAI's own tools did: the answer that follows says what came of it.
        offered.leftOut.add(`input.${type.slice(0, 40)}`);
        unheard ??= `${place}: this model does not support items of type "${type.slice(0, 40)}"`;
    }
  }
  if (prompt.length === 0 && unheard !== undefined)
    throw new DragomanError('bad-request', `${unheard}, and there is nothing else in the input; send a message.`);
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
        content: item.content.map((part, index) => decodePart(part, `${place}.content.${index}`)),
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

/** A search for tools that ran at OpenAI has no id, and nothing but the tools that it found. */
function isOfClient({ type, execution }: ResponsesItem): boolean {
  return !type!.startsWith('tool_search') || execution === 'client';
}

function agentText({ author, recipient, content }: ResponsesItem, place: string): string {
  const hidden = content.findIndex((part) => part.type === 'encrypted_content');
  if (hidden !== -1) {
    throw new DragomanError(
      'bad-request',
      `${place}.content.${hidden}: only OpenAI can read its encrypted content; send it as text.`,
    );
  }
  return `Message from ${author ?? 'an agent'} to ${recipient ?? 'you'}:\n${content.map(textOf).join('')}`;
}
