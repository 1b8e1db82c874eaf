import type { ContentBlockOf } from '@dragoman/protocol';
import { markdown } from './call-panel.ts';
import type { CardElement } from './card-json.ts';
import type { CardWords } from './card-words.ts';
import { cleanLine } from './clean-text.ts';
import { inlineCode } from './escape-markdown.ts';
import { labelled, larkMarkdown } from './markdown.ts';
import { withinWords } from './within-words.ts';

/** What went wrong, and what to do about it. */
export function errorElements(
  { message, code, fix }: Pick<ContentBlockOf<'error'>, 'message' | 'code' | 'fix'>,
  words: CardWords,
  title = words.error,
): CardElement[] {
  const name = code === undefined || code === '' ? '' : ` ${inlineCode(cleanLine(code, 60))}`;
  const said = larkMarkdown(withinWords(message, 1200));
  const help =
    fix === undefined || message.includes(fix)
      ? ''
      : `\n${labelled(`**${words.fix}**:`, larkMarkdown(withinWords(fix, 600)))}`;
  return markdown(undefined, `❌ **<font color='red'>${title}</font>**${name}${said === '' ? '' : `\n${said}`}${help}`);
}
