import { ASSIGNED_SECRETS, QUOTED_SECRETS, SECRETS_OF_SETTINGS, SETTINGS_FILE } from './assigned-secrets.ts';
import { maskKeyLine, maskPrivateKeyLines } from './private-keys.ts';
import { markSecrets, secretSearch } from './secret-search.ts';
import { SECRET_TOKENS } from './secret-tokens.ts';
import { toEnd, type Turns } from './turns.ts';

const OF_CODE = secretSearch([...SECRET_TOKENS, ...QUOTED_SECRETS, ...ASSIGNED_SECRETS]);
const OF_SETTINGS = secretSearch([...SECRET_TOKENS, ...QUOTED_SECRETS, ...ASSIGNED_SECRETS, ...SECRETS_OF_SETTINGS]);

/**
 * The text of a file without what looks like a secret, line for line.
 *
 * What is shown of a file goes to a model, and with it to whoever serves that model. Names, quotes and the rest of a
 * line stay, so that the code still reads; so do values that only stand for a secret. Takes time in proportion to the
 * length, whatever the text.
 */
export function redactSource(text: string, path = ''): string {
  return toEnd(redactSourceInTurns(text, path));
}

/** The same, a piece at a time: what is long must not keep others waiting. */
export function* redactSourceInTurns(text: string, path: string): Turns<string> {
  const withoutKeys = yield* maskPrivateKeyLines(text);
  return (yield* markSecrets(withoutKeys, SETTINGS_FILE.test(path) ? OF_SETTINGS : OF_CODE)).text;
}

/** The same for a line of which the others are not known: it may stand in the middle of a private key. */
export function* redactSourceLine(line: string, path = ''): Turns<string> {
  return maskKeyLine(line) ?? (yield* redactSourceInTurns(line, path));
}
