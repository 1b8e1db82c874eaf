import fc from 'fast-check';
import { expect, test } from 'vitest';
import { RepeatedText, repeatedPiece } from './repeated-text.ts';

function watch(text: string, chunk = 7): string | undefined {
  const watched = new RepeatedText();
  for (let at = 0; at < text.length; at += chunk) {
    const piece = watched.push(text.slice(at, at + chunk));
    if (piece !== undefined) return piece;
  }
  return undefined;
}

test('a sentence that comes over and over is noticed, after text that does not repeat', () => {
  const piece = watch(`First I looked around.\n${'Let me check the file again. '.repeat(60)}`);
  expect(piece).toHaveLength('Let me check the file again. '.length);
});

test('Chinese that repeats is noticed as well', () => {
  expect(watch('让我再检查一遍这个文件。'.repeat(120))).toBeDefined();
});

test.each([
  ['a ruled line', `Heading\n${'-'.repeat(3_000)}`],
  ['a list whose lines differ', Array.from({ length: 300 }, (_, index) => `- item ${index} is done\n`).join('')],
  ['code inside a fence', `\`\`\`\n${'  0x00, 0x00, 0xff,\n'.repeat(300)}`],
  ['a few repetitions', 'The same sentence. '.repeat(5)],
])('%s is no repetition', (_name, text) => {
  expect(watch(text)).toBeUndefined();
});

test('random prose is never taken for a repetition', () => {
  const word = fc.string({ minLength: 3, maxLength: 12 });
  fc.assert(
    fc.property(fc.uniqueArray(word, { minLength: 100, maxLength: 200 }), (words) => {
      expect(repeatedPiece(words.join(' '))).toBeUndefined();
    }),
    { numRuns: 50 },
  );
});

test('code is code wherever the deltas are cut', () => {
  const code = `Look:\n  \`\`\`ts\n${'const a = 1;\n'.repeat(200)}\`\`\`\n`;
  const loop = 'I will try again. '.repeat(100);
  for (const size of [1, 2, 3, 7, 100, 10_000]) {
    const repeated = new RepeatedText();
    const found = [...Array(Math.ceil((code + loop).length / size)).keys()].map((index) =>
      repeated.push((code + loop).slice(index * size, (index + 1) * size)),
    );
    const first = found.findIndex((piece) => piece !== undefined);
    expect(found[first]).toHaveLength('I will try again. '.length);
    expect((first + 1) * size).toBeGreaterThan(code.length);
  }
});
