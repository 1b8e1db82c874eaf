import type { ProviderForm } from './provider-form.ts';

/** What is wrong with a form, by field: the name of the words that say it. */
export interface FormProblems {
  name?: 'nameWrong' | 'nameTaken';
  baseUrl?: 'addressWanted' | 'addressWrong';
  apiKey?: 'keyWanted' | 'keyForTest';
  models?: 'modelsWanted';
}

interface FormRules {
  isNew: boolean;
  /** Names of other providers. */
  taken: readonly string[];
  needsAddress: boolean;
  needsKey: boolean;
  /** A key is kept, and would not be sent to the address that is in the form. */
  losesKey: boolean;
}

/** What has to be mended before a form can be tested. */
export function problemsOfTest(form: ProviderForm, rules: FormRules): FormProblems {
  const address = form.baseUrl.trim();
  const isKeyEmpty = form.apiKey.trim() === '';
  return {
    ...(address === '' && rules.needsAddress && { baseUrl: 'addressWanted' }),
    ...(address !== '' && !/^https?:\/\/./i.test(address) && { baseUrl: 'addressWrong' }),
    ...(isKeyEmpty && rules.needsKey && { apiKey: 'keyWanted' }),
    ...(isKeyEmpty && rules.losesKey && { apiKey: 'keyForTest' }),
  };
}

/** What has to be mended before a form can be saved. */
export function problemsOfSaving(form: ProviderForm, rules: FormRules): FormProblems {
  const name = form.name.trim();
  return {
    ...problemsOfTest(form, { ...rules, losesKey: false }),
    ...(rules.isNew && !/^[\w.-]{1,60}$/.test(name) && { name: 'nameWrong' }),
    ...(rules.isNew && rules.taken.includes(name) && { name: 'nameTaken' }),
    ...((rules.isNew || form.others !== 'any') && form.models.length === 0 && { models: 'modelsWanted' }),
  };
}
