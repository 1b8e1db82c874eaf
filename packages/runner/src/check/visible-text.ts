/**
 * A text with what a terminal would obey made visible: an agent that is checked is not trusted yet, and its words must
 * not move the cursor, set a title or turn the direction of a line.
 */
export function visibleText(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu, (char) => {
    if (char === '\n') return char;
    const code = char.codePointAt(0)!;
    return code < 0x100 ? `\\x${code.toString(16).padStart(2, '0')}` : `\\u${code.toString(16)}`;
  });
}
