import { expect, test } from 'vitest';
import { problemsOfSaving, problemsOfTest } from './form-problems.ts';
import { newForm } from './provider-form.ts';
import { PROVIDER_PRESETS } from './provider-presets.ts';

const EMPTY = newForm(PROVIDER_PRESETS[0]!, 'anthropic', false);
const RULES = { isNew: true, taken: ['openai'], needsAddress: false, needsKey: true, losesKey: false };

test('a test needs the key and an address where the service has none of its own', () => {
  expect(problemsOfTest(EMPTY, RULES)).toEqual({ apiKey: 'keyWanted' });
  expect(problemsOfTest({ ...EMPTY, apiKey: 'sk' }, RULES)).toEqual({});
  expect(problemsOfTest({ ...EMPTY, apiKey: 'sk' }, { ...RULES, needsAddress: true })).toEqual({
    baseUrl: 'addressWanted',
  });
  expect(problemsOfTest({ ...EMPTY, apiKey: 'sk', baseUrl: 'localhost:8000' }, RULES)).toEqual({
    baseUrl: 'addressWrong',
  });
});

test('a kept key is not sent to another address by a test; saving it there is the choice of who saves', () => {
  const rules = { ...RULES, isNew: false, needsKey: false, losesKey: true };
  expect(problemsOfTest(EMPTY, rules)).toEqual({ apiKey: 'keyForTest' });
  expect(problemsOfSaving({ ...EMPTY, models: ['m'] }, rules)).toEqual({});
});

test('a new provider is saved with a free name of plain letters and at least one model', () => {
  const form = { ...EMPTY, apiKey: 'sk', models: ['m'] };
  expect(problemsOfSaving(form, RULES)).toEqual({});
  expect(problemsOfSaving({ ...form, name: 'a b' }, RULES)).toEqual({ name: 'nameWrong' });
  expect(problemsOfSaving({ ...form, name: 'openai', models: [] }, RULES)).toEqual({
    name: 'nameTaken',
    models: 'modelsWanted',
  });
});

test('a saved provider that takes any name needs no model, one that does not has at least one', () => {
  const rules = { ...RULES, isNew: false, needsKey: false };
  expect(problemsOfSaving({ ...EMPTY, others: 'any' }, rules)).toEqual({});
  expect(problemsOfSaving({ ...EMPTY, others: 'none' }, rules)).toEqual({ models: 'modelsWanted' });
});
