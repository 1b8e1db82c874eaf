import { type AgentError } from '@dragoman/protocol';
import { agentErrorSchema } from '@dragoman/protocol/schemas';
import { expect, test } from 'vitest';
import { errorLines } from './notices.ts';
import { painter } from './paint.ts';

const advice = (error: AgentError) =>
  errorLines(error, (command) => `dragoman ${command}`, { paint: painter(false), width: Number.POSITIVE_INFINITY });

test.each([
  ['loop', '  It went round in circles. Say what it should do differently: dragoman run --continue "…"'],
  ['budget', '  What it did so far is kept. To go on: dragoman run --continue "…"'],
  ['output-limit', '  Let it go on in a next answer: dragoman run --continue "…"'],
  ['content-filter', '  Say it in other words, or take another model: --model'],
  ['aborted', '  What it did so far is kept. To go on: dragoman run --continue "…"'],
  ['interrupted', '  What it did so far is kept. To go on: dragoman run --continue "…"'],
  ['rejected', '  Say what it should do instead: dragoman run --continue "…"'],
  ['timed-out', '  Try again: dragoman run --continue "…"; or take another model: --model'],
  ['model', '  Take another model with --model, or check the provider: dragoman doctor'],
] as const)('the error "%s" comes with what to do about it', (code, line) => {
  expect(advice({ code, message: 'It\u001B[2J\nbroke.' })).toEqual(['✗ It␛[2J broke.', line]);
});

test('every error has advice', () => {
  for (const code of agentErrorSchema.shape.code.options) expect(advice({ code, message: 'x' })[1]).toMatch(/^ {2}\S/);
});

test('what the provider said decides what is advised', () => {
  const said = (code: string, isRetryable: boolean) =>
    advice({ code: 'model', message: 'x', isRetryable, details: { code } })[1];

  expect(said('forbidden', false)).toBe(
    '  The provider does not accept the key. See which one is used: dragoman doctor',
  );
  expect(said('not-found', false)).toBe('  See which models there are: dragoman models');
  expect(said('unavailable', true)).toBe(
    '  Try again later: dragoman run --continue "…"; or take another model: --model',
  );
});
