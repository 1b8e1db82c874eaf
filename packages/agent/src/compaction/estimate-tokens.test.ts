import { expect, test } from 'vitest';
import { estimateCallTokens, estimateTokens } from './estimate-tokens.ts';

/** What the tokeniser of GPT-4o makes of these texts, counted once. */
test.each([
  ['prose', 'The quick brown fox jumps over the lazy dog. '.repeat(20), 201],
  [
    'code',
    'export function blobName(path: string): string {\n  return createHash("sha256").update(path).digest("hex");\n}\n'.repeat(
      10,
    ),
    250,
  ],
  [
    'JSON',
    JSON.stringify({ id: 12345, name: 'a name', tags: ['x', 'y', 'z'], nested: { ok: true, n: 3.14 } }).repeat(10),
    310,
  ],
  ['Chinese', '登录令牌在哪里刷新？请检查这个文件。'.repeat(10), 150],
])('an estimate of %s is within half of what a tokeniser counts', (_name, text, counted) => {
  expect(estimateTokens(text) / counted).toBeGreaterThan(0.67);
  expect(estimateTokens(text) / counted).toBeLessThan(1.5);
});

test('a call is counted with its system text, its tools and its files', () => {
  const small = estimateCallTokens({ prompt: [{ role: 'user', content: [{ type: 'text', text: 'hi' }] }], tools: [] });
  const large = estimateCallTokens({
    prompt: [
      { role: 'system', content: 'Be brief. '.repeat(100) },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'hi' },
          { type: 'file', mediaType: 'image/png', data: { type: 'base64', base64: 'AA' } },
        ],
      },
    ],
    tools: [{ name: 'read', description: 'Reads a file.', inputSchema: { type: 'object' } }],
  });
  expect(small).toBeLessThan(10);
  expect(large).toBeGreaterThan(1_600 + 250);
});
