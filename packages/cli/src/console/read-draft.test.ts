import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { tempFolder } from '@dragoman/testkit';
import { expect, test } from 'vitest';
import { openSetup } from '../load-setup.ts';
import { readDraft } from './read-draft.ts';

const agent = { backend: 'uap', command: ['agent'] };

test('a draft is read as it would be in the file, and a name that nothing can have is refused', () => {
  const { source } = openSetup({}, [], { DRAGOMAN_HOME: tempFolder() });
  const read = (name: string) => readDraft(source, { path: ['agents', name], value: agent, field: 'agent' });

  expect(read('constructor').agents['constructor']).toMatchObject(agent);
  expect(() => read('__proto__')).toThrow('agents.__proto__: this name is not allowed. Choose another one.');
});

test('where the file itself is broken by now, that is said, and not that the server has failed', () => {
  const home = tempFolder();
  const { source } = openSetup({}, [], { DRAGOMAN_HOME: home });
  writeFileSync(join(home, 'dragoman.json'), '{ "providers": 5 }');

  const read = () => readDraft(source, { path: ['agents', 'mine'], value: agent, field: 'agent' });

  expect(read).toThrow(expect.objectContaining({ code: 'conflict' }) as Error);
  expect(read).toThrow(
    /^The configuration has a mistake:\n.*dragoman\.json:1:16 {2}providers: .*\nFix the file first\.$/,
  );
});
