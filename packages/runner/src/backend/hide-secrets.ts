import { hideValues } from '@dragoman/protocol/secrets';

/** A text with the names of secrets in place of their values, for what a program says that was given them. */
export function hideSecrets(text: string, secrets: Iterable<readonly [name: string, value: string]>): string {
  // A value may be a part of another one.
  return [...secrets]
    .toSorted(([, one], [, other]) => other.length - one.length)
    .reduce((hidden, [name, value]) => hideValues(hidden, [value], `[${name}]`), text);
}
