import type { FinishReason } from '@dragoman/protocol';

const REASONS: Readonly<Record<FinishReason, string>> = {
  stop: 'STOP',
  'tool-calls': 'STOP',
  length: 'MAX_TOKENS',
  'content-filter': 'SAFETY',
  error: 'OTHER',
  other: 'OTHER',
};

/** What the service itself says where we only know the kind. */
const OWN_WORDS = new Set([
  'RECITATION',
  'LANGUAGE',
  'BLOCKLIST',
  'PROHIBITED_CONTENT',
  'SPII',
  'MALFORMED_FUNCTION_CALL',
  'UNEXPECTED_TOOL_CALL',
  'TOO_MANY_TOOL_CALLS',
  'IMAGE_SAFETY',
  'IMAGE_PROHIBITED_CONTENT',
  'IMAGE_RECITATION',
]);

/** Why the candidate ended. A call whose arguments cannot be read is not passed on; clients then ask again. */
export function toFinishReason(reason: FinishReason, raw: string | undefined, hasUnreadableCall: boolean): string {
  if (hasUnreadableCall && reason !== 'length') return 'MALFORMED_FUNCTION_CALL';
  return raw !== undefined && reason !== 'tool-calls' && OWN_WORDS.has(raw) ? raw : REASONS[reason];
}
