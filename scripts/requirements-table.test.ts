import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { TABLE_FILE, withRequirementsTable } from './requirements-table.ts';

test('the agent’s README tells for every number of its specification which tests show it', () => {
  const readme = readFileSync(TABLE_FILE, 'utf8');
  expect(readme, 'run: npm run requirements-table').toBe(withRequirementsTable(readme));
  expect(readme).not.toMatch(/^\| [A-Z]+-\d+ \|  \|$/m);
});
