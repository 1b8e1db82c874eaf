// Names the test files of a report of vitest in which something failed, one a line.
'use strict';

const { existsSync, readFileSync } = require('node:fs');

const [file] = process.argv.slice(2);
const results = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')).testResults : [];
for (const { name, status } of results) if (status === 'failed') process.stdout.write(`${name}\n`);
