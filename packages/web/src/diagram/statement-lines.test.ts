import { expect, test } from 'vitest';
import { statementLines } from './statement-lines.ts';

test.each([
  ['graph TD; A[Start] --> B; B --> C;', 'graph TD\n A[Start] --> B\n B --> C\n'],
  ['flowchart LR\n  A["a; b"] --> B{x; y}\n  B --> C', 'flowchart LR\n  A["a; b"] --> B{x; y}\n  B --> C'],
  ['graph TD\n  A["open --> B\n  B --> C; C --> D', 'graph TD\n  A["open --> B\n  B --> C\n C --> D'],
  ['sequenceDiagram\n  A->>B: one; two', 'sequenceDiagram\n  A->>B: one; two'],
])('%j has one statement on a line', (text, lines) => {
  expect(statementLines(text)).toBe(lines);
});
