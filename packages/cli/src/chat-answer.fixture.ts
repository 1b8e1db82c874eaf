import type { ProviderRequest, ScriptedAnswer } from '@dragoman/testkit';

/** A piece of a streamed Chat Completions answer. */
export function chunk(delta: Record<string, unknown>, finish: string | null = null): string {
  const usage = finish === null ? {} : { usage: { prompt_tokens: 100, completion_tokens: 10, total_tokens: 110 } };
  const choices = [{ index: 0, delta, finish_reason: finish }];
  return `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm', choices, ...usage })}\n\n`;
}

/** An answer in words. */
export function says(text: string): ScriptedAnswer {
  return { body: [chunk({ role: 'assistant', content: text }), chunk({}, 'stop'), 'data: [DONE]\n\n'] };
}

/** An answer that calls a tool. */
export function calls(name: string, input: Readonly<Record<string, unknown>>): ScriptedAnswer {
  const call = { index: 0, id: 'call_1', type: 'function', function: { name, arguments: JSON.stringify(input) } };
  return { body: [chunk({ tool_calls: [call] }), chunk({}, 'tool_calls'), 'data: [DONE]\n\n'] };
}

/** What was said to the model, without what the system says. */
export function saidTo({ body }: ProviderRequest): [role: string, text: string][] {
  const messages = body['messages'] as { role: string; content: string | { text?: string }[] | null }[];
  return messages
    .filter(({ role }) => role !== 'system')
    .map(({ role, content }) => [
      role,
      typeof content === 'string' ? content : (content ?? []).map(({ text }) => text ?? '').join(''),
    ]);
}
