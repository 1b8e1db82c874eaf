import type { FieldTable } from '../unread-fields.ts';
import { completionRequestSchema } from './wire.ts';

/** What is read and asks for more than a chat model can do is refused by the decoder. */
export const COMPLETION_FIELDS: FieldTable = {
  read: new Set(Object.keys(completionRequestSchema.shape)),
  refused: new Set(),
  usual: {},
};
