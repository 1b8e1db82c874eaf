import { DragomanError } from '@dragoman/protocol';
import { expect, test } from 'vitest';
import { encodeGeminiError } from './encode-error.ts';

test.each([
  ['bad-request', 400, 'INVALID_ARGUMENT'],
  ['context-overflow', 400, 'INVALID_ARGUMENT'],
  ['unauthenticated', 401, 'UNAUTHENTICATED'],
  ['forbidden', 403, 'PERMISSION_DENIED'],
  ['not-found', 404, 'NOT_FOUND'],
  ['rate-limited', 429, 'RESOURCE_EXHAUSTED'],
  ['internal', 500, 'INTERNAL'],
  ['unavailable', 503, 'UNAVAILABLE'],
  ['timed-out', 504, 'DEADLINE_EXCEEDED'],
] as const)('the error %s is %i %s here', (code, status, word) => {
  expect(encodeGeminiError(new DragomanError(code, 'No.'))).toEqual({
    error: { code: status, message: 'No.', status: word },
  });
});
