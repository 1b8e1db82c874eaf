import { ASSIGNED_SECRETS, QUOTED_SECRETS } from './assigned-secrets.ts';
import { redactPrivateKeys } from './private-keys.ts';
import { markSecrets, secretSearch, type SecretSearch, toEnd } from './secret-search.ts';
import { SECRET_TOKENS } from './secret-tokens.ts';

const OF_PEOPLE = secretSearch([...SECRET_TOKENS, ...ASSIGNED_SECRETS]);
const OF_TOOLS = secretSearch([...SECRET_TOKENS, ...QUOTED_SECRETS, ...ASSIGNED_SECRETS]);

/** A text without its secrets, and how many there were. */
export interface Redacted {
  text: string;
  count: number;
}

/**
 * What somebody said, without the secrets that are known by their look or by what they are assigned to, and how many there were.
 *
 * The same text always gives the same result, so a prompt that grows turn by turn keeps its beginning, and with it the
 * provider's cache. Takes time in proportion to the length, whatever the text. Inside JSON the result is still JSON.
 */
export function redactText(text: string): Redacted {
  return toEnd(redactTextInTurns(text));
}

/** The same, a piece at a time: what is long must not keep others waiting. */
export function redactTextInTurns(text: string): Generator<undefined, Redacted> {
  return redact(text, OF_PEOPLE);
}

/** The same for what went into a tool or came out of it: also where code and data give a value to the name of a secret. */
export function redactToolTextInTurns(text: string): Generator<undefined, Redacted> {
  return redact(text, OF_TOOLS);
}

/** All at once. */
export function redactToolText(text: string): Redacted {
  return toEnd(redactToolTextInTurns(text));
}

function* redact(text: string, search: SecretSearch): Generator<undefined, Redacted> {
  const withoutKeys = redactPrivateKeys(text);
  const marked = yield* markSecrets(withoutKeys.text, search);
  return { text: marked.text, count: withoutKeys.count + marked.count };
}
