import { DragomanError } from '@dragoman/protocol/error';
import { expect, test } from 'vitest';
import { sendFailureOf } from './send-failure.ts';

test('a prompt that did not reach the server is sent by itself later; one that was refused is not offered again', () => {
  const retryable = { isRetryable: true };
  expect(sendFailureOf(new DragomanError('unavailable', 'The server cannot be reached: x.', retryable))).toBe(
    'unreached',
  );
  expect(sendFailureOf(new DragomanError('timed-out', 'No answer within 30000 ms.', retryable))).toBe('unreached');
  expect(sendFailureOf(new DragomanError('forbidden', 'The machine is not yours.'))).toBe('refused');
  expect(sendFailureOf(new DragomanError('too-large', 'It is 9 MB; the limit is 8 MB.'))).toBe('refused');
  expect(sendFailureOf(new DragomanError('rate-limited', 'Wait a moment.', retryable))).toBe('again');
  expect(sendFailureOf(new DragomanError('unavailable', 'Not answered with JSON.'))).toBe('again');
  expect(sendFailureOf(new TypeError('a mistake'))).toBe('again');
});
