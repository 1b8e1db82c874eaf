import { type ModelAnswer, newId } from '@dragoman/protocol';
import type { DecodedRequest } from '../dialect.ts';
import { toCallPart, toTextPart } from './answer-part.ts';
import type { GeminiContext } from './decode-request.ts';
import { toFinishReason } from './finish-reason.ts';
import { toUsageMetadata } from './usage-metadata.ts';
import type { GeminiAnswerPart } from './wire.ts';

/** A whole answer. */
export function encodeGeminiResponse(answer: ModelAnswer, { asked, context }: DecodedRequest<GeminiContext>): unknown {
  const parts: GeminiAnswerPart[] = [];
  let hasUnreadable = false;
  for (const part of answer.content) {
    if (part.type === 'reasoning' && !context.wantsThoughts) continue;
    const written = part.type === 'tool-call' ? toCallPart(part) : toTextPart(part);
    if (written === undefined) hasUnreadable = true;
    else if (written.text !== '' || written.thoughtSignature !== undefined) parts.push(written);
  }
  return {
    candidates: [
      {
        content: { parts: parts.length === 0 ? [{ text: '' }] : parts, role: 'model' },
        finishReason: toFinishReason(answer.finishReason, answer.rawFinishReason, hasUnreadable),
        index: 0,
      },
    ],
    usageMetadata: toUsageMetadata(answer.usage),
    modelVersion: answer.modelId ?? asked,
    responseId: answer.id ?? newId('call'),
  };
}
