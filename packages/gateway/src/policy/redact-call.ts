import type {
  ModelCall,
  ModelMessage,
  PromptFile,
  PromptReasoning,
  PromptText,
  PromptToolCall,
  PromptToolResult,
  ProviderMetadata,
} from '@dragoman/protocol';
import type { Turns } from '@dragoman/protocol/secrets';
import { inTurns } from '@dragoman/server/base';
import { isSignature, redactSaid } from './redact-said.ts';
import { each, Redaction } from './redaction.ts';

/**
 * A call without the secrets in it, and how many there were.
 *
 * Without any the call itself comes back, so that nothing about the prompt changes. Tool definitions and files are left
 * alone, and so is reasoning that its provider signed: a changed word would break the signature.
 */
export async function redactCall(call: ModelCall, signal?: AbortSignal): Promise<{ call: ModelCall; count: number }> {
  const redaction = new Redaction();
  const redacted = await inTurns(redactWhole(call, redaction), signal);
  return redaction.count === 0 ? { call, count: 0 } : { call: redacted, count: redaction.count };
}

function* redactWhole(call: ModelCall, redaction: Redaction): Turns<ModelCall> {
  const { prompt, tools: _tools, unchanged: _unchanged, ...settings } = call;
  return {
    ...call,
    ...(yield* redaction.value(settings)),
    prompt: yield* each(prompt, (message) => redactMessage(message, redaction)),
  };
}

function* redactMessage(message: ModelMessage, redaction: Redaction): Turns<ModelMessage> {
  const options = yield* redactOptions(message.providerOptions, redaction);
  switch (message.role) {
    case 'system':
      return { ...message, ...options, content: yield* redaction.text(message.content) };
    case 'user':
      return { ...message, ...options, content: yield* each(message.content, (part) => redactPart(part, redaction)) };
    case 'assistant':
      return { ...message, ...options, content: yield* each(message.content, (part) => redactPart(part, redaction)) };
    case 'tool':
      return { ...message, ...options, content: yield* each(message.content, (part) => redactPart(part, redaction)) };
  }
}

type Part = PromptText | PromptReasoning | PromptToolCall | PromptToolResult | PromptFile;

function* redactPart<Of extends Part>(part: Of, redaction: Redaction): Turns<Of> {
  const options = yield* redactOptions(part.providerOptions, redaction);
  switch (part.type) {
    case 'file': {
      const mediaType = yield* redaction.text(part.mediaType);
      if (part.filename === undefined) return { ...part, ...options, mediaType };
      return { ...part, ...options, mediaType, filename: yield* redaction.text(part.filename) };
    }
    case 'text':
      return { ...part, ...options, text: yield* redaction.text(part.text) };
    case 'reasoning':
      return { ...part, ...options, text: isSigned(part) ? part.text : yield* redaction.text(part.text) };
    case 'tool-call':
      return {
        ...part,
        ...options,
        ...(yield* redactCalled(part, redaction)),
        input: yield* redaction.toolText(part.input),
      };
    case 'tool-result': {
      const content = yield* each(part.content, (piece): Turns<PromptText | PromptFile> =>
        piece.type === 'text' ? redactResultText(piece, redaction) : redactPart(piece, redaction),
      );
      return { ...part, ...options, ...(yield* redactCalled(part, redaction)), content };
    }
  }
}

/** An id may become a part of the prompt, where the call of a result is gone. */
function* redactCalled({ toolCallId, toolName }: PromptToolCall | PromptToolResult, redaction: Redaction) {
  return { toolCallId: yield* redaction.text(toolCallId), toolName: yield* redaction.text(toolName) };
}

function* redactResultText(part: PromptText, redaction: Redaction): Turns<PromptText> {
  const options = yield* redactOptions(part.providerOptions, redaction);
  return { ...part, ...options, text: yield* redaction.toolText(part.text) };
}

function* redactOptions(
  options: ProviderMetadata | undefined,
  redaction: Redaction,
): Turns<{ providerOptions?: ProviderMetadata }> {
  return options === undefined ? {} : { providerOptions: (yield* redactSaid(options, redaction)) as ProviderMetadata };
}

function isSigned({ providerOptions = {} }: PromptReasoning): boolean {
  const { anthropic, google, openai } = providerOptions;
  return [anthropic?.['signature'], google?.['thoughtSignature'], openai?.['encryptedContent']].some(isSignature);
}
