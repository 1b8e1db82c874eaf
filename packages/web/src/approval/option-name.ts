import { type ApprovalOption, optionName } from '@dragoman/protocol';
import { useLanguage } from '../words/language.ts';

/** What an option is called in the language of the page. */
export function useOptionName(): (option: Pick<ApprovalOption, 'name' | 'kind'>) => string {
  const language = useLanguage();
  return (option) => optionName(option, language);
}
