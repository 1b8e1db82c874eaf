import type { FieldTable } from '../unread-fields.ts';
import { chatRequestSchema } from './wire.ts';

export const CHAT_FIELDS: FieldTable = {
  read: new Set(Object.keys(chatRequestSchema.shape)),
  refused: new Set(['n', 'logprobs', 'top_logprobs', 'logit_bias', 'modalities', 'audio', 'web_search_options']),
  usual: { n: 1 },
};
