import type { ModelMessage, PromptFile, PromptText, PromptToolCall, PromptToolResult } from '@dragoman/protocol';
import { optional } from '../../optional.ts';
import { openCallId } from '../../tools/signed-call-id.ts';
import { toImage } from './to-image.ts';
import type { OllamaRequestMessage } from './wire.ts';

/**
 * Messages as a prompt. Clients name the tool that a result is of, and some the call; others say neither. So a result belongs
 * to the call of its id, else to the first of its name that waits, else, where it has no name, to the first that waits. Calls
 * without an id are numbered, so that the same conversation always gives the same prompt.
 */
export function decodeOllamaMessages(messages: readonly OllamaRequestMessage[]): ModelMessage[] {
  const prompt: ModelMessage[] = [];
  const calls = new OpenCalls();
  for (const message of messages) {
    switch (message.role) {
      case 'system':
        prompt.push({ role: 'system', content: message.content ?? '' });
        break;
      case 'user':
        calls.clear();
        prompt.push({ role: 'user', content: contentOf(message) });
        break;
      case 'assistant':
        prompt.push(toAssistant(message, calls));
        break;
      case 'tool': {
        const result = calls.answer(message);
        const last = prompt.at(-1);
        if (last?.role === 'tool') last.content.push(result);
        else prompt.push({ role: 'tool', content: [result] });
      }
    }
  }
  return prompt;
}

function toAssistant(message: OllamaRequestMessage, open: OpenCalls): ModelMessage {
  const { thinking, content } = message;
  return {
    role: 'assistant',
    content: [
      ...(thinking ? [{ type: 'reasoning' as const, text: thinking }] : []),
      ...(content ? [{ type: 'text' as const, text: content }] : []),
      ...(message.tool_calls ?? []).map((call) => open.add(call)),
    ],
  };
}

/** A text, and the images after it. A text that is empty beside an image says nothing. */
export function contentOf({
  content,
  images,
}: Pick<OllamaRequestMessage, 'content' | 'images'>): (PromptText | PromptFile)[] {
  const files = (images ?? []).map((image, index) => toImage(image, index));
  const isSilent = files.length > 0 && (content ?? '') === '';
  return [...(isSilent ? [] : [{ type: 'text' as const, text: content ?? '' }]), ...files];
}

/** The calls that wait for their results. */
class OpenCalls {
  readonly #known = new Set<string>();
  #open: PromptToolCall[] = [];
  #strays = 0;

  add({ id, function: { name, arguments: input } }: NonNullable<OllamaRequestMessage['tool_calls']>[number]) {
    const { toolCallId: given, providerOptions } = openCallId(id ?? '');
    const toolCallId = given === '' || this.#known.has(given) ? this.#number() : given;
    this.#known.add(toolCallId);
    const call: PromptToolCall = {
      type: 'tool-call',
      toolCallId,
      toolName: name,
      input: typeof input === 'string' ? input || '{}' : JSON.stringify(input ?? {}),
      ...optional('providerOptions', providerOptions),
    };
    this.#open.push(call);
    return call;
  }

  answer(message: OllamaRequestMessage): PromptToolResult {
    const { toolCallId: id } = openCallId(message.tool_call_id ?? '');
    const { tool_name: name } = message;
    const call =
      this.#open.find(({ toolCallId }) => toolCallId === id) ??
      this.#open.find(({ toolName }) => toolName === name) ??
      (id || name ? undefined : this.#open[0]);
    if (call !== undefined) this.#open = this.#open.filter((one) => one !== call);
    return {
      type: 'tool-result',
      toolCallId: call?.toolCallId ?? (id || `result_${++this.#strays}`),
      toolName: call?.toolName ?? name ?? '',
      content: contentOf(message),
      isError: false,
    };
  }

  clear(): void {
    this.#open = [];
  }

  #number(): string {
    let number = this.#known.size + 1;
    while (this.#known.has(`call_${number}`)) number++;
    return `call_${number}`;
  }
}
