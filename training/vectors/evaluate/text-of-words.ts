const HAN = /^[\u3400-\u9fff]$/;

/**
 * A text that has just these words: what stored pairs are read back as.
 *
 * Chinese characters are words and so are neighbours, which come right behind the second of the two: `登 录 登录` was `登录`.
 */
export function textOfWords(words: readonly string[]): string {
  let text = '';
  let last = '';
  for (const [index, word] of words.entries()) {
    if (last !== '' && word.length === 2 && text.endsWith(word)) continue;
    const isBeside = HAN.test(word) && last !== '' && words[index + 1] === last + word;
    text += isBeside || text === '' ? word : ` ${word}`;
    last = HAN.test(word) ? word : '';
  }
  return text;
}
