// Says which tests of a failed run may run a second time: those that `flaky-tests.tsv` names, and only where nothing else
// failed. Prints one line a file: its path, a tab, and a pattern of the tests' names. Prints nothing where the failure counts.
'use strict';

const { existsSync, readFileSync } = require('node:fs');
const { join, relative } = require('node:path');

const [report] = process.argv.slice(2);
const root = join(__dirname, '..');
const listed = new Set(
  readFileSync(join(__dirname, 'flaky-tests.tsv'), 'utf8')
    .split('\n')
    .slice(1)
    .filter(Boolean)
    .map((line) => line.split('\t').slice(0, 2).join('\t')),
);

const results = existsSync(report) ? JSON.parse(readFileSync(report, 'utf8')).testResults : [];
const failed = results.flatMap(({ name, status, assertionResults }) => {
  const tests = assertionResults.filter((test) => test.status === 'failed');
  // A file that could not be loaded has no tests.
  if (status === 'failed' && tests.length === 0) return [{ file: relative(root, name), name: '' }];
  // As vitest writes a name where it is looked for.
  const named = ({ ancestorTitles, title }) => [...ancestorTitles, title].join(' > ');
  return tests.map((test) => ({ file: relative(root, name), name: named(test) }));
});
if (failed.every(({ file, name }) => listed.has(`${file}\t${name}`))) {
  const escaped = (name) => name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  for (const file of new Set(failed.map((test) => test.file))) {
    const names = failed.filter((test) => test.file === file).map(({ name }) => escaped(name));
    process.stdout.write(`${file}\t^(?:${names.join('|')})$\n`);
  }
}
