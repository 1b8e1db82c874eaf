import { mapWords } from './map-words.ts';
import { SIGN } from './own-nodes.ts';

/** Letters and punctuation of scripts that put no space between words. */
const CJK = String.raw`[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Bopomofo}\u3001-\u303F\u30FB-\u30FF\uFE10-\uFE1F\uFE30-\uFE4F\uFF01-\uFF60\uFFE0-\uFFE6]`;
const HAS_CJK = new RegExp(CJK, 'u');
const IS_CJK = new RegExp(`^${CJK}$`, 'u');
const PUNCTUATION = /^[\p{P}\p{S}]$/u;
const MARKS = /(?<![*~\\])(?:\*{1,3}|~~)(?![*~])/gu;

/**
 * A text in which emphasis next to Chinese, Japanese or Korean words is read as it was meant.
 *
 * Markdown tells the beginning of emphasis from its end by the spaces around it. `**注意：**请` has none, and its second
 * mark is taken for a beginning. A sign that counts as a letter stands between such a mark and the punctuation beside it;
 * what was read loses it again. This is what "CJK friendly" extensions of other parsers do.
 */
export function joinEmphasis(text: string): string {
  if (!/[*~]/.test(text) || !HAS_CJK.test(text)) return text;
  return mapWords(text, (words, isBehindCode, isBeforeCode) =>
    words.replaceAll(MARKS, (marks, index: number) => {
      const before = lastCharacter(words.slice(Math.max(0, index - 2), index)) ?? (isBehindCode ? '`' : '');
      const behind = firstCharacter(words.slice(index + marks.length)) ?? (isBeforeCode ? '`' : '');
      const isCjkAround = IS_CJK.test(before) || IS_CJK.test(behind);
      if (!isCjkAround) return marks;
      return `${needsSign(before) ? SIGN.letter : ''}${marks}${needsSign(behind) ? SIGN.letter : ''}`;
    }),
  );
}

/** An underscore would no longer begin or end emphasis of its own. */
function needsSign(neighbour: string): boolean {
  return neighbour !== '_' && PUNCTUATION.test(neighbour);
}

function firstCharacter(text: string): string | undefined {
  const code = text.codePointAt(0);
  return code === undefined ? undefined : String.fromCodePoint(code);
}

function lastCharacter(text: string): string | undefined {
  return Array.from(text).at(-1);
}
