import { expect, test } from 'vitest';
import { describeFiles } from './describe-files.ts';

test('COMPAT-10 files are counted under the names that people have for their languages, not by the rules that read them', () => {
  const paths = ['src/a.ts', 'helper.js', 'b.MJS', 'build.gradle', 'c.svelte', 'd.vue', 'e.rst', 'f.bin', 'js'];

  const { languages } = describeFiles(paths.map((path) => ({ path, size: 1 })));

  expect(languages.map(({ name, files }) => `${name} ${files}`)).toEqual([
    'javascript 2',
    'other 2',
    'typescript 1',
    'groovy 1',
    'svelte 1',
    'vue 1',
    'restructuredtext 1',
  ]);
});
