import { QueryClient } from '@tanstack/react-query';
import { expect, test } from 'vitest';
import { type AnswerOf, callKey, putAnswer } from './calls.ts';

type Settings = AnswerOf<'readSettings'>;
const settings = (version: string): Settings => ({ version }) as Settings;

test('what an action answered is not undone by an older answer that comes after it', async () => {
  const cache = new QueryClient();
  const queryKey = callKey('readSettings');
  cache.setQueryData(queryKey, settings('1'));
  const late = Promise.withResolvers<Settings>();
  const reading = cache.fetchQuery({ queryKey, queryFn: () => late.promise }).catch(() => {});

  putAnswer(cache, 'readSettings', undefined, settings('2'));
  late.resolve(settings('1'));
  await reading;

  expect(cache.getQueryData(queryKey)).toEqual(settings('2'));
});
