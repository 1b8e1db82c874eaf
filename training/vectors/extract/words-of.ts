import { scanWords } from '../../../packages/context/src/index/vectors/scan-words.ts';

const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { fatal: false });

/** The words of a text as the engine reads them, at most so many. */
export function wordsOf(text: string, most = Infinity): string[] {
  const words: string[] = [];
  const bytes = encoder.encode(text);
  scanWords(bytes, 0, bytes.length, (word, length) => {
    if (words.length < most) words.push(decoder.decode(word.subarray(0, length)));
  });
  return words;
}
