import { expect, test } from 'vitest';
import { TABLE_FILE, withRequirementsTable } from './requirements-table.ts';

test('the table tells for every number of the specification which tests, or which command, show it', () => {
  const files = new Map([
    [TABLE_FILE, 'Before.\n<!-- requirements -->\nold\n<!-- end of requirements -->\nAfter.\n'],
    [
      'requirements.tsv',
      'id\tseed\tstatus\tstatement\tnote\n' +
        'FR-1\t002\tdone\tx\t§1\nNFR-1\t002\tdone\tx\t§2\nACC-1\t002\tdone\tx\theld by: npm run check:types; §3\nUAP-1\t004\tdone\tx\t\n',
    ],
    ['packages/agent/src/a.test.ts', "test('FR-1 it works', () => {});\ntest('UAP-1', () => {});\n"],
    ['e2e/b.test.ts', "test('it works from outside [FR-1]', () => {});\n"],
    ['bench/agent.bench.ts', "limit('a call [NFR-1]', 1, 2);\n"],
  ]);

  expect(withRequirementsTable(files)).toBe(`Before.
<!-- requirements -->
| number | shown by |
| --- | --- |
| FR-1 | [src/a.test.ts](src/a.test.ts)<br>[e2e/b.test.ts](../../e2e/b.test.ts) |
| NFR-1 | [bench/agent.bench.ts](../../bench/agent.bench.ts) |
| ACC-1 | \`npm run check:types\` |
<!-- end of requirements -->
After.
`);
});
