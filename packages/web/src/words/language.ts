import { createContext, useContext } from 'react';

/** The languages of the console. */
export type Language = 'en' | 'zh';

export const LANGUAGES: readonly { value: Language; label: string }[] = [
  { value: 'en', label: 'English' },
  { value: 'zh', label: '中文' },
];

/** The language in force, and how to choose another one. */
export const LanguageContext = createContext<{ language: Language; choose: (language: Language) => void }>({
  language: 'en',
  choose: () => {},
});

/** The one that was chosen in this browser, or the one that suits it. */
export function firstLanguage(): Language {
  const chosen = localStorage.getItem('language');
  if (chosen === 'en' || chosen === 'zh') return chosen;
  return navigator.languages.some((language) => language.toLowerCase().startsWith('zh')) ? 'zh' : 'en';
}

/** The language in force. */
export function useLanguage(): Language {
  return useContext(LanguageContext).language;
}
