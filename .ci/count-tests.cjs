// Counts the tests of several reports of vitest, of which a later one replaces what an earlier one says of the same test.
// A report that is missing and is not of a second run counts as a failure.
'use strict';

const { existsSync, readFileSync } = require('node:fs');

const seen = new Map();
let missing = 0;
for (const file of process.argv.slice(2)) {
  if (!existsSync(file)) {
    if (!file.includes('-again')) missing++;
    continue;
  }
  for (const { name, status, message, assertionResults } of JSON.parse(readFileSync(file, 'utf8')).testResults) {
    // A file that could not be loaded has no tests and counts as one that failed.
    const tests =
      assertionResults.length > 0 ? assertionResults : [{ status, fullName: '', failureMessages: [message] }];
    const times = new Map();
    for (const { fullName, status: outcome, failureMessages } of tests) {
      // Two tests of a file may have one name.
      times.set(fullName, (times.get(fullName) ?? 0) + 1);
      if (file.includes('-again') && outcome !== 'passed' && outcome !== 'failed') continue;
      seen.set(`${name} > ${fullName}${'\t'.repeat(times.get(fullName) - 1)}`, {
        status: outcome,
        text: failureMessages.join('\n'),
      });
    }
  }
}
const count = (wanted) => [...seen.values()].filter(({ status }) => status === wanted).length;
for (const [name, { status, text }] of seen)
  if (status === 'failed') process.stdout.write(`FAILED ${name}\n${text.slice(0, 2000)}\n`);
const skipped = seen.size - count('passed') - count('failed');
process.stdout.write(`${count('passed')} passed, ${count('failed') + missing} failed, ${skipped} skipped\n`);
