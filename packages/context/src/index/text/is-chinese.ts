const HAN = /\p{Script=Han}/u;

/** Whether a text has Chinese characters. There are no spaces between its words: a whole question looks like one. */
export function isChinese(text: string): boolean {
  return HAN.test(text);
}
