import { expect, test } from 'vitest';
import { callTitle } from './call-title.ts';
import { optionName } from './option-name.ts';
import { SESSION_WORDS } from './session-words.ts';

const { tools } = SESSION_WORDS.en;
const call = (name: string, more: object = {}) => ({ type: 'tool_use' as const, id: 'a', name, input: {}, ...more });

test.each([
  ['a tool we know, with what it is asked', call('bash', { input: { command: 'npm test' } }), 'Run', 'npm test'],
  ['the title of the agent, where it says more', call('bash', { title: 'Runs the tests' }), '', 'Runs the tests'],
  [
    'its name and place, where its title says nothing',
    call('look', { title: 'look', locations: [{ path: 'a.ts' }] }),
    'look',
    'a.ts',
  ],
  ['the name alone', call('mystery'), 'mystery', ''],
])('a call is called by %s', (_what, use, verb, subject) => {
  expect(callTitle(tools, use)).toEqual({ verb, subject });
});

test('an option is called as the agent says in English; elsewhere by its kind, with what stands behind a colon', () => {
  const option = { name: 'Always allow: npm test', kind: 'allow_always' as const };

  expect(optionName(option, 'en')).toBe('Always allow: npm test');
  expect(optionName(option, 'zh')).toBe('始终允许：npm test');
  expect(optionName({ name: 'Blue', kind: 'answer' }, 'zh')).toBe('Blue');
});
