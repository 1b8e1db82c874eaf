// Counts the tests of several reports of vitest, of which a later one replaces what an earlier one says of the same test.
// Each report that should be there and is not counts as a failure.
'use strict';

const { existsSync, readFileSync } = require('node:fs');

const seen = new Map();
let missing = 0;
for (const file of process.argv.slice(2)) {
  if (!existsSync(file)) {
    if (!file.endsWith('-again.json')) missing++;
    continue;
  }
  for (const { name, status, message, assertionResults } of JSON.parse(readFileSync(file, 'utf8')).testResults) {
    // A file that could not be loaded has no tests and counts as one that failed.
    const tests =
      assertionResults.length > 0 ? assertionResults : [{ status, fullName: '', failureMessages: [message] }];
    seen.set(
      name,
      tests.map((test) => ({
        status: test.status,
        name: `${name} > ${test.fullName}`,
        text: test.failureMessages.join('\n'),
      })),
    );
  }
}
const of = (wanted) => [...seen.values()].flat().filter(({ status }) => status === wanted);
for (const { name, text } of of('failed')) process.stdout.write(`FAILED ${name}\n${text.slice(0, 2000)}\n`);
process.stdout.write(`${of('passed').length} passed, ${of('failed').length + missing} failed\n`);
