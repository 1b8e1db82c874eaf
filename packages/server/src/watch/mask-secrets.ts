import { MASK, redactText, spellings } from '@dragoman/protocol/secrets';

/** Takes out of a line what the configuration holds in confidence, as it is now and in any spelling, and what looks like a secret. */
export function maskSecrets(confidential: () => readonly string[]): (line: string) => string {
  let values: readonly string[] | undefined;
  let spelt: readonly string[] = [];
  return (line) => {
    if (values !== confidential()) spelt = spellings((values = confidential()));
    return redactText(spelt.reduce((left, secret) => left.replaceAll(secret, MASK), line)).text;
  };
}
