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
  ['our word for a tool whose title is only its name', call('read', { title: 'read' }), 'Read', ''],
  ['its name and what it was given', call('ls', { input: { path: './src' } }), 'ls', './src'],
  ['the name alone', call('mystery'), 'mystery', ''],
  [
    'our word for a tool of our name, with what it was given',
    call('read', { input: { path: './src' } }),
    'Read',
    './src',
  ],
  ['a command in a field of another name', call('bash', { input: { cmd: 'npm test' } }), 'Run', 'npm test'],
  [
    'the place of a call whose fields we do not know',
    call('edit', { input: { file_path: 'src/a.ts', old: 'a', new: 'b' }, locations: [{ path: 'src/a.ts' }] }),
    'Edit',
    'src/a.ts',
  ],
  [
    'its name and what it was given, where an empty place comes with it',
    call('look', { input: { query: 'login' }, locations: [{ path: '' }] }),
    'look',
    'login',
  ],
  [
    'its name, and what its title says behind that',
    call('docs_find', { input: { path: './src' }, title: 'docs_find ./src · Reading 3 of 10' }),
    'docs_find',
    './src · Reading 3 of 10',
  ],
  ['our word for the first word of its title', call('todo-read', { title: 'todos' }), 'To-do list', ''],
])('a call is called by %s', (_what, use, verb, subject) => {
  expect(callTitle(tools, use)).toEqual({ verb, subject });
});

test.each([
  ['one value alone, in a line', { path: ' ./src\n\tand more ' }, './src and more'],
  ['several by their names', { city: 'Oslo', days: 3, metric: true }, 'city: Oslo, days: 3, metric: true'],
  ['no lists, objects, nothing or emptiness', { path: 'a', list: ['b'], more: { c: 1 }, none: null, empty: ' ' }, 'a'],
  ['the plain values of lists, where there is nothing else', { paths: ['a.ts', 7, { b: 1 }, ' '] }, 'a.ts, 7'],
  ['several lists by their names', { paths: ['a.ts'], kinds: ['x', 'y'], none: [] }, 'paths: a.ts, kinds: x, y'],
  [
    'no list with a secret among its values',
    { argv: ['--password', 'hunter2'], tokens: ['t'], paths: ['a.ts'] },
    'a.ts',
  ],
  ['a long text cut at 80 characters', { text: 'x'.repeat(81) }, `${'x'.repeat(79)}…`],
  ['no half of a character', { text: `${'x'.repeat(78)}😀😀` }, `${'x'.repeat(78)}…`],
  [
    'nothing under the name of a secret',
    { user: 'ann', password: 'hunter2', apiKey: 'k', accessToken: 't', Authorization: 'u', client_secret: 'v' },
    'ann',
  ],
  [
    'nothing that looks like one',
    {
      a: `sk-${'a1'.repeat(12)}`,
      b: 'curl -H "Authorization: Bearer abcdefgh1234"',
      c: 'postgres://ann:hunter2@db/work',
      path: './src',
    },
    './src',
  ],
  ['nothing of what is no object', ['a'], ''],
])('UAP-10 the preview of arguments has %s', (_what, input, preview) => {
  expect(callTitle(tools, call('mystery', { input })).subject).toBe(preview);
});

test('an option is called as the agent says in English; elsewhere by its kind, with what stands behind a colon', () => {
  const option = { name: 'Always allow: npm test', kind: 'allow_always' as const };

  expect(optionName(option, 'en')).toBe('Always allow: npm test');
  expect(optionName(option, 'zh')).toBe('始终允许：npm test');
  expect(optionName({ name: 'Allow always', kind: 'allow_always' }, 'zh')).toBe('始终允许');
  expect(optionName({ name: 'Allow for this session', kind: 'allow_always' }, 'zh')).toBe(
    '始终允许（Allow for this session）',
  );
  expect(optionName({ name: 'Blue', kind: 'answer' }, 'zh')).toBe('Blue');
});
