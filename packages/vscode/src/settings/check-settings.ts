import type { Settings } from './settings-store.ts';
import { settingsWords } from './settings-words.ts';

/** What is wrong with an item, as a sentence for the person who typed it. */
export interface SettingProblem {
  item: keyof Settings;
  sentence: string;
}

const MAX_MODEL = 200;
const MAX_SYSTEM_PROMPT = 100_000;
const MAX_KEY = 10_000;
const MAX_TOKENS = 10_000_000;

/** Everything that is wrong with the items, in the order of the panel. None means that a server can be started with them. */
export function checkSettings(settings: Settings): SettingProblem[] {
  const words = settingsWords.now().problems;
  const { baseUrl, model, temperature, maxTokens, systemPromptBase, apiKey, augmentBaseUrl, augmentToken } = settings;
  const found: SettingProblem[] = [];
  const check = (item: keyof Settings, isWrong: boolean, sentence: string) => {
    if (isWrong && !found.some((problem) => problem.item === item)) found.push({ item, sentence });
  };

  checkAddress('baseUrl', baseUrl);
  // A brace would make a reference of it in the server's configuration.
  check('model', /[{}\p{C}]/u.test(model) || model.trim() !== model, words.modelCharacters);
  check('model', model.length > MAX_MODEL, words.tooLong(MAX_MODEL));
  check('model', model === '' && (baseUrl !== '' || (apiKey ?? '') !== ''), words.modelMissing);
  check('temperature', temperature !== undefined && !(temperature >= 0 && temperature <= 2), words.temperature);
  check(
    'maxTokens',
    maxTokens !== undefined && !(Number.isInteger(maxTokens) && maxTokens >= 1 && maxTokens <= MAX_TOKENS),
    words.maxTokens,
  );
  check('systemPromptBase', systemPromptBase.length > MAX_SYSTEM_PROMPT, words.tooLong(MAX_SYSTEM_PROMPT));
  check('systemPromptBase', systemPromptBase.includes('\0'), words.keyCharacters);
  checkKey('apiKey', apiKey);
  checkAddress('augmentBaseUrl', augmentBaseUrl);
  checkKey('augmentToken', augmentToken);
  return found;

  function checkAddress(item: 'baseUrl' | 'augmentBaseUrl', address: string): void {
    if (address === '') return;
    const url = URL.parse(address);
    check(item, url === null || !/^https?:\/\//i.test(address) || /[{}\s\p{C}]/u.test(address), words.address);
    // It would be kept where no key belongs.
    check(item, (url?.username ?? '') !== '' || (url?.password ?? '') !== '', words.addressWithKey);
  }

  /** It goes into a header: what cannot stand there was pasted by mistake. */
  function checkKey(item: 'apiKey' | 'augmentToken', key: string | undefined): void {
    if (key === undefined || key === '') return;
    check(item, !/^[\x21-\x7e]+$/.test(key), words.keyCharacters);
    check(item, key.length > MAX_KEY, words.tooLong(MAX_KEY));
  }
}
