import { OFFLINE_HINT, titleOfWords } from '@dragoman/protocol';

/** A list shows so much of it on one line, beside what else stands there. */
const MOST_CHARS = 60;
/** Signs that nobody sees, or that turn the direction of writing. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\u{fdd0}-\u{fdef}]+/gu;
/** What models put around a title. */
const AROUND = /^[\s"'`*_#“”‘’«»「」『』《》-]+|[\s"'`*_“”‘’«»「」『』《》.。-]+$/gu;

/** The title in what a model answered: one plain line, without quotes and marks. Nothing where there is none in it. */
export function readTitle(answer: string): string | undefined {
  if (answer.includes(OFFLINE_HINT)) return undefined;
  const said = answer.slice(0, 100_000).replace(/^\s*<think>[^]*?(?:<\/think>|$)/, '');
  for (const line of said.split(/[\r\n]+/, 20)) {
    const plain = line.slice(0, 1000).toWellFormed().replaceAll(UNSEEN, ' ').replaceAll(AROUND, '');
    const title = plain.replace(/^(?:title|标题|題名)\s*[:：]\s*/iu, '').replaceAll(AROUND, '');
    if (/[\p{L}\p{N}]/u.test(title)) return titleOfWords(title, MOST_CHARS);
  }
  return undefined;
}
