import { mayHoldPrivateKey, redactSourceInTurns, type Turns } from '@dragoman/protocol/secrets';

/** A private key is known by its first and its last line, which may stand so far outside, in lines and in characters. */
export const LINES_AROUND = 260;
const CHARACTERS_AROUND = 20_000;
/** Other secrets are known by a name, which may stand a line or two above. */
const LINES_NEAR = 3;

/**
 * The lines from one index to before another without their secrets. Only those and what is around them is looked at: a file can
 * be long, and an answer shows little of it.
 */
export function* redactLines(lines: readonly string[], from: number, to: number, path: string): Turns<string[]> {
  let first = from;
  for (let left = CHARACTERS_AROUND; first > Math.max(0, from - LINES_AROUND); first--)
    if ((left -= lines[first - 1]!.length) < 0) break;
  let last = to;
  for (let left = CHARACTERS_AROUND; last < Math.min(lines.length, to + LINES_AROUND); last++)
    if ((left -= lines[last]!.length) < 0) break;
  if (!mayHoldPrivateKey(lines.slice(first, last).join('\n'))) {
    first = Math.max(first, from - LINES_NEAR);
    last = Math.min(last, to + LINES_NEAR);
  }
  const text = yield* redactSourceInTurns(lines.slice(first, last).join('\n'), path);
  return text.split('\n').slice(from - first, to - first);
}
