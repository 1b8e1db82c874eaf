import type { ModelMessage } from '@dragoman/protocol';
import type { z } from 'zod';
import { fillGap } from '../fill-gap.ts';
import { contentOf } from './decode-messages.ts';
import type { ollamaGenerateSchema } from './wire.ts';

/** A prompt, with what goes before it and comes after it, as a conversation of one question. */
export function decodeOllamaPrompt(request: z.infer<typeof ollamaGenerateSchema>): ModelMessage[] {
  const { prompt, system, suffix, images } = request;
  const { instruction, question } = fillGap(prompt ?? '', suffix ?? '');
  return [
    ...[system ?? '', instruction]
      .filter((text) => text !== '')
      .map((text): ModelMessage => ({ role: 'system', content: text })),
    { role: 'user', content: contentOf({ content: question, images }) },
  ];
}
