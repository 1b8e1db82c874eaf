import { expect, test } from 'vitest';
import { stemWord } from './stem-word.ts';

test.each([
  ['parse', 'parser', 'parsing', 'parsed', 'parses'],
  ['serialize', 'serializer', 'serialization', 'serializing', 'serialised'],
  ['validate', 'validator', 'validation', 'validated'],
  ['route', 'router', 'routing', 'routes', 'routed'],
  ['connect', 'connection', 'connector', 'connected'],
  ['retry', 'retries', 'retried', 'retrying'],
  ['query', 'queries'],
  ['match', 'matches', 'matcher', 'matching'],
  ['class', 'classes'],
])('%s and its forms have one root', (word, ...forms) => {
  expect(forms.map(stemWord)).toEqual(forms.map(() => stemWord(word)));
});

test.each([
  ['status', 'state'],
  ['user', 'use'],
  ['process', 'procedure'],
  ['bus', 'bu'],
])('%s and %s stay apart', (one, other) => {
  expect(stemWord(one)).not.toBe(stemWord(other));
});
