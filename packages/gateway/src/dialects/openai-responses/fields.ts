import type { FieldTable } from '../unread-fields.ts';
import { responsesRequestSchema } from './wire.ts';

export const RESPONSES_FIELDS: FieldTable = {
  // `store` is named unless whoever calls the decoder keeps the answer.
  read: new Set(Object.keys(responsesRequestSchema.shape)),
  refused: new Set(['top_logprobs', 'moderation']),
  usual: { truncation: 'disabled' },
};
