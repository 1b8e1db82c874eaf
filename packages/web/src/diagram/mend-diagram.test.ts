import { expect, test } from 'vitest';
import { mendDiagram } from './mend-diagram.ts';

test.each([
  ['graph TD\n  A[Call run()] --> B[(Store)]', 'graph TD\n  A["Call run()"] --> B[(Store)]'],
  ['flowchart LR\n  A["a; b"] --> B{x; y}', 'flowchart LR\n  A["a; b"] --> B{"x; y"}'],
  ['flowchart LR\n  A -->|all (or none)| B{is [it]?}', 'flowchart LR\n  A -->|"all (or none)"| B{"is [it]?"}'],
  ['sequenceDiagram\n  A->>B: one; two &#35;', 'sequenceDiagram\n  A->>B: one#59; two &#35;'],
])('%j is mended by quoting what Mermaid reads otherwise', (text, mended) => {
  expect(mendDiagram(text)).toBe(mended);
});

test.each(['graph TD; A[Start] --> B', 'flowchart LR\n  A[[Sub]] --> B[/In/] --> C{{Six}}', 'pie\n  "a (b)" : 1', ''])(
  '%j has nothing to mend',
  (text) => {
    expect(mendDiagram(text)).toBe(undefined);
  },
);
