import { expect, test } from 'vitest';
import { keptRecord, pairsOf, plainRecord, secretsIn } from './pairs.ts';

const PAIRS = [
  { id: 0, name: ' API_KEY ', value: 'very-secret' },
  { id: 1, name: 'HOME', value: '{env:HOME}' },
  { id: 2, name: 'AUTH', value: 'Bearer {secret:old}' },
  { id: 3, name: 'KEPT', value: '••••••' },
  { id: 4, name: '', value: '' },
];

test('what is saved only refers to secrets; references and what is masked stay as they are', () => {
  expect(keptRecord(PAIRS, 'mcp.my files.env')).toEqual({
    record: {
      API_KEY: '{secret:mcp.my_files.env.API_KEY}',
      HOME: '{env:HOME}',
      AUTH: 'Bearer {secret:old}',
      KEPT: '••••••',
    },
    secrets: { 'mcp.my_files.env.API_KEY': 'very-secret' },
  });
});

test('what is tried has the values in the clear', () => {
  expect(plainRecord(PAIRS)).toMatchObject({ API_KEY: 'very-secret', HOME: '{env:HOME}' });
});

test('lines are made of what the file has, and its secrets are found', () => {
  expect(pairsOf({ A: '{secret:a}' })).toEqual([{ id: 0, name: 'A', value: '{secret:a}' }]);
  expect(pairsOf('nonsense')).toEqual([]);
  expect(secretsIn({ command: ['x', '{secret:b}'], env: { A: 'Bearer {secret:a}' }, timeout: 3 })).toEqual(['b', 'a']);
});
