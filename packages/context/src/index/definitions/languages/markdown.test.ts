import { expect, test } from 'vitest';
import { outline } from '../outline.fixture.ts';

test('a section reaches to the next heading of its rank, and fences hide headings', () => {
  const text = `
Title
=====

Text.

## Install \`now\`

\`\`\`sh
# not a heading
\`\`\`

### Linux

x

## Use [it](http://x)

y
`;

  expect(outline('a.md', text)).toEqual([
    '1-18 section Title',
    '6-15 section Title > Install now',
    '12-15 section Install now > Linux',
    '16-18 section Title > Use it',
  ]);
});
