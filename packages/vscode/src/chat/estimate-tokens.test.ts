import { expect, test } from 'vitest';
import { LanguageModelDataPart, LanguageModelTextPart, LanguageModelToolCallPart } from '../vscode.fixture.ts';
import { estimateTokens } from './estimate-tokens.ts';

test('a text is about a token for every few letters, and one for each Chinese character', () => {
  expect([estimateTokens(''), estimateTokens('a'.repeat(360)), estimateTokens('你好，世界')]).toEqual([0, 100, 5]);
});

test('a message counts what is in it and what stands around it', () => {
  const content = [
    new LanguageModelTextPart('a'.repeat(36)),
    LanguageModelDataPart.image(new Uint8Array(100_000), 'image/png'),
  ];
  expect(estimateTokens({ role: 1, content })).toBe(4 + 10 + 1_000);
  const call = new LanguageModelToolCallPart('c1', 'search', { query: 'a'.repeat(360) });
  expect(estimateTokens({ role: 2, content: [call] })).toBeGreaterThan(100);
});
