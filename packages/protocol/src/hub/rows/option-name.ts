import { plainlyShown } from '../../approval/asked-question.ts';
import type { ApprovalOption } from '../../uap/content-block.ts';
import { APPROVAL_WORDS, type SpokenLanguage } from './session-words.ts';

const PLAIN_ALWAYS = /^(?:always(?: (?:allow|reject|deny))?|(?:allow|reject|deny) always)$/i;

/**
 * What an option is called. Agents name theirs in English; in another language its kind says the same, and what the
 * agent adds behind a colon, such as the command it will remember, stays as it is; and so does the whole name of what holds
 * for longer than once, unless it is the plain word for it. Nothing in it is hidden.
 */
export function optionName(option: Pick<ApprovalOption, 'name' | 'kind'>, language: SpokenLanguage): string {
  const { kind } = option;
  const name = plainlyShown(option.name);
  if (language === 'en' || kind === 'answer') return name;
  const word = APPROVAL_WORDS[language].kinds[kind];
  const detail = /: (.+)$/s.exec(name)?.[1];
  if (detail !== undefined) return `${word}：${detail}`;
  const isPlain = !kind.endsWith('always') || PLAIN_ALWAYS.test(name);
  return isPlain ? word : `${word}（${name}）`;
}
