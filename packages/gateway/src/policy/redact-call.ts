import type {
  ModelCall,
  ModelMessage,
  PromptReasoning,
  PromptText,
  PromptToolCall,
  PromptToolResult,
} from '@dragoman/protocol';
import { Redaction } from './redaction.ts';

/**
 * A call without the secrets in its prompt, and how many there were.
 *
 * Without any the call itself comes back, so that nothing about the prompt changes. Tool definitions and files are left
 * alone, and so is reasoning that its provider signed: a changed word would break the signature.
 */
export function redactCall(call: ModelCall): { call: ModelCall; count: number } {
  const redaction = new Redaction();
  const prompt = call.prompt.map((message) => redactMessage(message, redaction));
  return redaction.count === 0 ? { call, count: 0 } : { call: { ...call, prompt }, count: redaction.count };
}

function redactMessage(message: ModelMessage, redaction: Redaction): ModelMessage {
  switch (message.role) {
    case 'system':
      return { ...message, content: redaction.text(message.content) };
    case 'user':
      return {
        ...message,
        content: message.content.map((part) => (part.type === 'text' ? redactPart(part, redaction) : part)),
      };
    case 'assistant':
      return { ...message, content: message.content.map((part) => redactPart(part, redaction)) };
    case 'tool':
      return { ...message, content: message.content.map((part) => redactToolResult(part, redaction)) };
  }
}

function redactPart<Part extends PromptText | PromptReasoning | PromptToolCall>(
  part: Part,
  redaction: Redaction,
): Part {
  switch (part.type) {
    case 'text':
      return { ...part, text: redaction.text(part.text) };
    case 'reasoning':
      return part.providerOptions === undefined ? { ...part, text: redaction.text(part.text) } : part;
    case 'tool-call':
      return { ...part, input: redaction.toolText(part.input) };
  }
}

function redactToolResult(result: PromptToolResult, redaction: Redaction): PromptToolResult {
  const content = result.content.map((part) =>
    part.type === 'text' ? { ...part, text: redaction.toolText(part.text) } : part,
  );
  return { ...result, content };
}
