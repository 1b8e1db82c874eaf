import { jsonMeter, type ModelMessage } from '@dragoman/protocol';

/**
 * A prompt whose tool calls have arguments that any upstream may parse: all of them together are within the limits of JSON
 * in texts. Longer ones become text, as those that are no object do. A prompt without such comes back itself.
 */
export function boundToolArguments(prompt: ModelMessage[]): ModelMessage[] {
  const isWithinLimits = jsonMeter();
  let isChanged = false;
  const bounded = prompt.map((message): ModelMessage => {
    if (message.role !== 'assistant') return message;
    const content = message.content.map((part) => {
      if (part.type !== 'tool-call' || isWithinLimits(part.input)) return part;
      isChanged = true;
      return { ...part, input: JSON.stringify({ input: part.input }) };
    });
    return { ...message, content };
  });
  return isChanged ? bounded : prompt;
}
