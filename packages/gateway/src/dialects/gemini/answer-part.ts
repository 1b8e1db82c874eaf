import type { PromptReasoning, PromptText, PromptToolCall, ProviderMetadata } from '@dragoman/protocol';
import { isJsonObject, parseJson } from '../../tools/json-object.ts';
import type { GeminiAnswerPart } from './wire.ts';

/** A call, where its arguments can be read. */
export function toCallPart(call: Pick<PromptToolCall, 'toolCallId' | 'toolName' | 'input' | 'providerOptions'>) {
  const args = call.input === '' ? {} : parseJson(call.input);
  if (!isJsonObject(args)) return undefined;
  const part: GeminiAnswerPart = {
    functionCall: { id: call.toolCallId, name: call.toolName, args },
    ...toSignature(call.providerOptions),
  };
  return part;
}

export function toTextPart({ type, text, providerOptions }: PromptText | PromptReasoning): GeminiAnswerPart {
  return { text, ...(type === 'reasoning' ? { thought: true } : {}), ...toSignature(providerOptions) };
}

/** What Google signed a part with; only its own models want it back. */
export function toSignature(metadata: ProviderMetadata | undefined): { thoughtSignature?: string } {
  const signature = metadata?.['google']?.['thoughtSignature'];
  return typeof signature === 'string' ? { thoughtSignature: signature } : {};
}
