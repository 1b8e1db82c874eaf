import type { ModelMessage } from '@dragoman/protocol';
import type { z } from 'zod';
import { contentOf } from './decode-messages.ts';
import type { ollamaGenerateSchema } from './wire.ts';

/** For models that know conversations only: they are told that the text goes on behind the gap. */
const FILL_GAP =
  'You fill a gap in a text. Answer with what belongs between the two parts and nothing else: no explanation, no code fence, nothing that is there already.';

/** A prompt, with what goes before it and comes after it, as a conversation of one question. */
export function decodeOllamaPrompt(request: z.infer<typeof ollamaGenerateSchema>): ModelMessage[] {
  const { prompt, system, suffix, images } = request;
  const isGap = (suffix ?? '') !== '';
  const instructions = [system ?? '', isGap ? FILL_GAP : ''].filter((text) => text !== '');
  const content = isGap ? `<before>\n${prompt ?? ''}\n</before>\n<after>\n${suffix}\n</after>` : prompt;
  return [
    ...instructions.map((text): ModelMessage => ({ role: 'system', content: text })),
    { role: 'user', content: contentOf({ content, images }) },
  ];
}
