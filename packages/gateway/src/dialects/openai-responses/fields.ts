import type { FieldTable } from '../unread-fields.ts';
import { responsesRequestSchema } from './wire.ts';

export const RESPONSES_FIELDS: FieldTable = {
  // Answers are kept, or not, by whoever calls the decoder; thoughts are always given back encrypted.
  read: new Set([...Object.keys(responsesRequestSchema.shape), 'store', 'include']),
  refused: new Set(['top_logprobs', 'moderation']),
  usual: { truncation: 'disabled', service_tier: 'auto' },
};
