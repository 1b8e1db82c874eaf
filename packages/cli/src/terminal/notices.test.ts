import { type AgentError } from '@dragoman/protocol';
import { agentErrorSchema } from '@dragoman/protocol/schemas';
import { expect, test } from 'vitest';
import { errorLines } from './notices.ts';
import { painter } from './paint.ts';

const advice = (error: AgentError) =>
  errorLines(error, (command) => `dragoman ${command}`, { paint: painter(false), width: Number.POSITIVE_INFINITY });

test.each([
  ['loop', '  The agent was stuck in a loop. Tell it what to do differently: dragoman run --continue "…"'],
  ['budget', '  Progress so far is saved. To continue: dragoman run --continue "…"'],
  ['output-limit', '  To continue: dragoman run --continue "…"'],
  ['content-filter', '  Rephrase the prompt, or use another model: --model'],
  ['aborted', '  Progress so far is saved. To continue: dragoman run --continue "…"'],
  ['interrupted', '  Progress so far is saved. To continue: dragoman run --continue "…"'],
  ['rejected', '  Tell it what to do instead: dragoman run --continue "…"'],
  ['timed-out', '  Try again: dragoman run --continue "…"; or use another model: --model'],
  ['model', '  Use another model with --model, or check the provider: dragoman doctor'],
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
    '  The provider rejected the API key. To see which one is used: dragoman doctor --all',
  );
  expect(said('not-found', false)).toBe('  To list available models: dragoman models');
  expect(said('unavailable', true)).toBe(
    '  Try again later: dragoman run --continue "…"; or use another model: --model',
  );
});
