import { checkSettings, type SettingProblem } from './check-settings.ts';
import type { Settings } from './settings-store.ts';
import { settingsWords } from './settings-words.ts';

/** Each key with the address it is sent to, and the one that is meant where none is given. */
const KEYS = [
  { key: 'apiKey', address: 'baseUrl', usual: 'https://api.openai.com' },
  { key: 'augmentToken', address: 'augmentBaseUrl', usual: '' },
] as const;

/**
 * Everything that is wrong with the items after a change. A key that is kept belongs to the address it was typed for: where the
 * address leads elsewhere, the person types the key again or removes it, so that nobody is sent a key of somebody else's.
 */
export function checkSettingsChange(before: Settings, change: Partial<Settings>): SettingProblem[] {
  const after = { ...before, ...change };
  const found = checkSettings(after);
  for (const { key, address, usual } of KEYS) {
    const place = URL.parse(after[address] || usual);
    const isKept = (after[key] ?? '') !== '' && (change[key] ?? '') === '';
    if (!isKept || place === null || place.origin === URL.parse(before[address] || usual)?.origin) continue;
    if (found.some(({ item }) => item === key || item === address)) continue;
    found.push({ item: key, sentence: settingsWords.now().problems.keyOfAnother(place.host) });
  }
  return found;
}
