import { expect, test } from 'vitest';
import { stageState } from './stage-state.ts';

test('a file with a staged and a further change is partly staged, and so are files of both kinds together', () => {
  expect(stageState([{ staged: 'modified', unstaged: 'modified' }])).toBe('partly');
  expect(stageState([{ staged: 'added' }, { unstaged: 'added' }])).toBe('partly');
  expect(stageState([{ staged: 'added' }, { staged: 'deleted' }])).toBe('staged');
  expect(stageState([{ unstaged: 'conflicted' }])).toBe('unstaged');
});
