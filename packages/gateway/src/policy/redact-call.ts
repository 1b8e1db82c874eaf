import type {
  ModelCall,
  ModelMessage,
  PromptReasoning,
  PromptText,
  PromptToolCall,
  PromptToolResult,
} from '@dragoman/protocol';
import { redactFieldsInJson } from './redact-fields.ts';
import { redactText } from './redact-text.ts';

/**
 * A call without the secrets in its prompt, and how many there were.
 *
 * Without any the call itself comes back, so that nothing about the prompt changes. Tool definitions and files are left
 * alone, and so is reasoning that its provider signed: a changed word would break the signature.
 */
export function redactCall(call: ModelCall): { call: ModelCall; count: number } {
  const redaction = new CallRedaction();
  const prompt = call.prompt.map((message) => redaction.message(message));
  return redaction.count === 0 ? { call, count: 0 } : { call: { ...call, prompt }, count: redaction.count };
}

class CallRedaction {
  count = 0;

  message(message: ModelMessage): ModelMessage {
    switch (message.role) {
      case 'system':
        return { ...message, content: this.#text(message.content) };
      case 'user':
        return {
          ...message,
          content: message.content.map((part) => (part.type === 'text' ? this.#textPart(part) : part)),
        };
      case 'assistant':
        return { ...message, content: message.content.map((part) => this.#answerPart(part)) };
      case 'tool':
        return { ...message, content: message.content.map((part) => this.#toolResult(part)) };
    }
  }

  #answerPart(part: PromptText | PromptReasoning | PromptToolCall): PromptText | PromptReasoning | PromptToolCall {
    switch (part.type) {
      case 'text':
        return this.#textPart(part);
      case 'reasoning':
        return part.providerOptions === undefined ? { ...part, text: this.#text(part.text) } : part;
      case 'tool-call':
        return { ...part, input: this.#textAndFields(part.input) };
    }
  }

  #toolResult(result: PromptToolResult): PromptToolResult {
    const content = result.content.map((part) =>
      part.type === 'text' ? { ...part, text: this.#textAndFields(part.text) } : part,
    );
    return { ...result, content };
  }

  #textPart(part: PromptText): PromptText {
    return { ...part, text: this.#text(part.text) };
  }

  #text(text: string): string {
    const redacted = redactText(text);
    this.count += redacted.count;
    return redacted.text;
  }

  #textAndFields(text: string): string {
    const redacted = redactFieldsInJson(text);
    this.count += redacted.count;
    return this.#text(redacted.text);
  }
}
