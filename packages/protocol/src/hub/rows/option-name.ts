import type { ApprovalOption } from '../../uap/content-block.ts';
import { APPROVAL_WORDS, type SpokenLanguage } from './session-words.ts';

/**
 * What an option is called. Agents name theirs in English; in another language its kind says the same, and what the
 * agent adds behind a colon, such as the command it will remember, stays as it is.
 */
export function optionName({ name, kind }: Pick<ApprovalOption, 'name' | 'kind'>, language: SpokenLanguage): string {
  if (language === 'en' || kind === 'answer') return name;
  const word = APPROVAL_WORDS[language].kinds[kind];
  const detail = /: (.+)$/s.exec(name)?.[1];
  return detail === undefined ? word : `${word}：${detail}`;
}
