import type {
  ModelCall,
  ModelMessage,
  PromptFile,
  PromptReasoning,
  PromptText,
  PromptToolCall,
  PromptToolResult,
} from '@dragoman/protocol';
import type { Turns } from '@dragoman/protocol/secrets';
import { inTurns } from './in-turns.ts';
import { each, Redaction } from './redaction.ts';

/**
 * A call without the secrets in its prompt, and how many there were.
 *
 * Without any the call itself comes back, so that nothing about the prompt changes. Tool definitions and files are left
 * alone, and so is reasoning that its provider signed: a changed word would break the signature.
 */
export async function redactCall(call: ModelCall, signal?: AbortSignal): Promise<{ call: ModelCall; count: number }> {
  const redaction = new Redaction();
  const prompt = await inTurns(
    each(call.prompt, (message) => redactMessage(message, redaction)),
    signal,
  );
  return redaction.count === 0 ? { call, count: 0 } : { call: { ...call, prompt }, count: redaction.count };
}

function* redactMessage(message: ModelMessage, redaction: Redaction): Turns<ModelMessage> {
  switch (message.role) {
    case 'system':
      return { ...message, content: yield* redaction.text(message.content) };
    case 'user':
      return { ...message, content: yield* each(message.content, (part) => redactPart(part, redaction)) };
    case 'assistant':
      return { ...message, content: yield* each(message.content, (part) => redactPart(part, redaction)) };
    case 'tool':
      return { ...message, content: yield* each(message.content, (part) => redactToolResult(part, redaction)) };
  }
}

function* redactPart<Part extends PromptText | PromptReasoning | PromptToolCall | PromptFile>(
  part: Part,
  redaction: Redaction,
): Turns<Part> {
  switch (part.type) {
    case 'file':
      return part;
    case 'text':
      return { ...part, text: yield* redaction.text(part.text) };
    case 'reasoning':
      return part.providerOptions === undefined ? { ...part, text: yield* redaction.text(part.text) } : part;
    case 'tool-call':
      return { ...part, input: yield* redaction.toolText(part.input) };
  }
}

function* redactToolResult(result: PromptToolResult, redaction: Redaction): Turns<PromptToolResult> {
  const content = yield* each(result.content, function* (part) {
    return part.type === 'text' ? { ...part, text: yield* redaction.toolText(part.text) } : part;
  });
  return { ...result, content };
}
