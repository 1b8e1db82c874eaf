import type { FieldTable } from '../unread-fields.ts';
import { augmentChatSchema } from './wire.ts';

/** What is for the server, not for the model: ids, and what a client can do. */
const FOR_THE_SERVER = [
  'blobs',
  'conversation_id',
  'root_conversation_id',
  'turn_id',
  'context_code_exchange_request_id',
  'feature_detection_flags',
];

export const AUGMENT_FIELDS: FieldTable = {
  read: new Set([...Object.keys(augmentChatSchema.shape), ...FOR_THE_SERVER]),
  refused: new Set(),
  usual: {},
};
