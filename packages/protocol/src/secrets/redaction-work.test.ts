import fc from 'fast-check';
import { afterEach, expect, test, vi } from 'vitest';
import { ASSIGNED_SECRETS, QUOTED_SECRETS, SECRETS_OF_SETTINGS } from './assigned-secrets.ts';
import { redactSource } from './redact-source.ts';
import { redactText, redactToolText } from './redact-text.ts';
import { SECRET_TOKENS } from './secret-tokens.ts';

const HINTS = new Set(
  [...SECRET_TOKENS, ...QUOTED_SECRETS, ...ASSIGNED_SECRETS, ...SECRETS_OF_SETTINGS].flatMap(({ hints }) => hints),
);
const ANCHORS = [
  'Private-Lines: 1',
  '-----BEGIN PRIVATE KEY-----',
  '-----END PRIVATE KEY-----',
  btoa('-----BEGIN PRIVATE KEY-----'),
  btoa('-----BEGIN CERTIFICATE-----'),
];
/** What may stand before the lines of a key, and what a line of one looks like. */
const BETWEEN = [
  '',
  ' ',
  '\n',
  '\\n',
  '\n'.repeat(25),
  ' Comment: a\n',
  'Hash: ',
  '\nVersion: 2\n',
  '"',
  '+'.repeat(500),
];

/** Longer than anything that is read at once in search of the end of a secret. */
const LENGTH = 20_000;
/** Several kinds of secrets have the same hints, and each looks at what is around them. */
const MOST_READ = 50;

afterEach(() => {
  vi.restoreAllMocks();
});

/** How many characters patterns pass over for each of a text. */
function workOf(redact: (text: string) => unknown, piece: string): number {
  const text = piece.repeat(Math.ceil(LENGTH / piece.length));
  const exec = RegExp.prototype.exec;
  let read = 0;
  const counted = vi.spyOn(RegExp.prototype, 'exec').mockImplementation(function (this: RegExp, subject) {
    const from = this.lastIndex;
    const found = exec.call(this, subject);
    // What is read backwards, or only at its place, is at most as long as a line.
    read += (found === null ? subject.length : found.index + found[0].length) - (this.sticky ? subject.length : from);
    return found;
  });
  redact(text);
  counted.mockRestore();
  return read / text.length;
}

const READERS = [
  ['what people say', redactText],
  ['what tools are given and answer', redactToolText],
  ['the source of a file', redactSource],
] as const;

test('a text is read a limited number of times where anchors of private keys are repeated', () => {
  for (const anchor of ANCHORS)
    for (const before of ['', '\n', 'Hash: '])
      for (const after of BETWEEN) expect(workOf(redactToolText, before + anchor + after)).toBeLessThan(MOST_READ);
});

test.each(READERS)('%s is read a limited number of times, whatever is repeated in it', (_name, redact) => {
  const piece = fc.oneof(fc.constantFrom(...ANCHORS), fc.constantFrom(...HINTS), fc.constantFrom(...BETWEEN));
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 6 }), (pieces) => {
      expect(workOf(redact, `${pieces.join('')}.`)).toBeLessThan(MOST_READ);
    }),
  );
});
