import type { ModelMessage, PromptToolCall, PromptToolResult, PromptFile, PromptText } from '@dragoman/protocol';

/**
 * A prompt in which every result of a tool follows its call and every call has a result: providers refuse others.
 *
 * A result whose call is not there becomes text of the user, and a call that nothing answered gets a result that says
 * so. A prompt that needs neither comes back itself.
 */
export function pairToolResults(prompt: ModelMessage[]): ModelMessage[] {
  const pairing = new Pairing();
  for (const message of prompt) pairing.add(message);
  pairing.end();
  return pairing.isChanged ? pairing.prompt : prompt;
}

class Pairing {
  readonly prompt: ModelMessage[] = [];
  isChanged = false;
  /** Calls of the last answer that wait for a result. */
  readonly #open = new Map<string, PromptToolCall>();
  /** Results without a call. They wait for the last result of their round: nothing may stand between a call and its result. */
  #strays: PromptToolResult[] = [];
  /** Rules that came while calls were open, for the same reason. */
  #rules: ModelMessage[] = [];
  /** Whether results have begun to follow the last answer. */
  #isAnswered = false;

  add(message: ModelMessage): void {
    switch (message.role) {
      case 'system':
        if (this.#open.size > 0) this.#rules.push(message);
        else this.prompt.push(message);
        return;
      case 'user':
        this.#endRound();
        this.prompt.push(message);
        return;
      case 'assistant':
        if (this.#isAnswered) this.#endRound();
        return this.#addAnswer(message);
      case 'tool': {
        const expected: PromptToolResult[] = [];
        for (const result of message.content)
          (this.#open.delete(result.toolCallId) ? expected : this.#strays).push(result);
        if (expected.length > 0)
          this.prompt.push(expected.length === message.content.length ? message : { ...message, content: expected });
        this.#isAnswered = true;
        if (this.#open.size === 0 && this.#rules.length > 0) this.#endRound();
      }
    }
  }

  end(): void {
    this.#endRound();
  }

  /** An answer that came in several messages is one: the results of all its calls follow it. A call that is there twice is made once. */
  #addAnswer(message: Answer): void {
    const isGoneOn = this.#open.size > 0;
    const content = message.content.filter((part) => {
      if (part.type !== 'tool-call') return true;
      const isNew = !this.#open.has(part.toolCallId);
      this.#open.set(part.toolCallId, part);
      return isNew;
    });
    this.isChanged ||= isGoneOn || content.length < message.content.length;
    const last = this.prompt.at(-1);
    if (isGoneOn && last?.role === 'assistant')
      this.prompt[this.prompt.length - 1] = { ...last, content: [...last.content, ...content] };
    else this.prompt.push(content.length === message.content.length ? message : { ...message, content });
  }

  #endRound(): void {
    const missing = [...this.#open.values()].map(toMissingResult);
    const strays = this.#strays.flatMap(toText);
    this.isChanged ||= missing.length > 0 || strays.length > 0 || this.#rules.length > 0;
    const last = this.prompt.at(-1);
    if (missing.length > 0 && last?.role === 'tool')
      this.prompt[this.prompt.length - 1] = { ...last, content: [...last.content, ...missing] };
    else if (missing.length > 0) this.prompt.push({ role: 'tool', content: missing });
    this.prompt.push(...this.#rules);
    if (strays.length > 0) this.prompt.push({ role: 'user', content: strays });
    this.#open.clear();
    this.#strays = [];
    this.#rules = [];
    this.#isAnswered = false;
  }
}

type Answer = Extract<ModelMessage, { role: 'assistant' }>;

function toMissingResult({ toolCallId, toolName }: PromptToolCall): PromptToolResult {
  const content: PromptText[] = [{ type: 'text', text: 'No result came back.' }];
  return { type: 'tool-result', toolCallId, toolName, content, isError: true };
}

function toText({ toolCallId, content, isError }: PromptToolResult): (PromptText | PromptFile)[] {
  const said = content.flatMap((part) => (part.type === 'text' ? [part.text] : []));
  const text = `${isError ? 'Error' : 'Result'} of the tool call ${toolCallId}:\n${said.join('\n')}`;
  return [{ type: 'text', text }, ...content.filter((part) => part.type === 'file')];
}
