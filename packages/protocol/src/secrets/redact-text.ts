import { ASSIGNED_SECRETS, QUOTED_SECRETS, SETTING_LINES } from './assigned-secrets.ts';
import { mayHoldPrivateKey, redactPrivateKeys } from './private-keys.ts';
import { redactJson } from './redact-json.ts';
import { redactValue } from './redact-value.ts';
import { hasHint, markSecrets, secretSearch, type SecretSearch } from './secret-search.ts';
import { SECRET_TOKENS } from './secret-tokens.ts';
import { type Redacted, type RedactInTurns, toEnd, type Turns } from './turns.ts';

const OF_PEOPLE = secretSearch([...SECRET_TOKENS, ...ASSIGNED_SECRETS, ...SETTING_LINES]);
const OF_TOOLS = secretSearch([...SECRET_TOKENS, ...QUOTED_SECRETS, ...ASSIGNED_SECRETS, ...SETTING_LINES]);

/** Longer texts are looked at a piece at a time. */
const SHORT_TEXT = 16 * 1024;

/** Whether a text is short and certainly holds no secret: `redactText` would leave it as it is. Most are, and this is quick. */
export function isPlainText(text: string): boolean {
  return text.length <= SHORT_TEXT && !hasHint(text, OF_PEOPLE) && !mayHoldPrivateKey(text);
}

/**
 * What somebody said, without the secrets that are known by their look or by what they are assigned to, and how many there were.
 *
 * The same text always gives the same result, so a prompt that grows turn by turn keeps its beginning, and with it the
 * provider's cache. Takes time in proportion to the length, whatever the text.
 */
export function redactText(text: string): Redacted {
  return toEnd(redactTextInTurns(text));
}

/** The same, a piece at a time: what is long must not keep others waiting. */
export function redactTextInTurns(text: string): Turns<Redacted> {
  return redact(text, OF_PEOPLE);
}

/**
 * The same for what went into a tool or came out of it: also where code and data give a value to the name of a secret. JSON
 * in it loses the fields with such names, whatever their values look like, and is still JSON of the same shape.
 */
export function redactToolText(text: string): Redacted {
  return toEnd(redactToolTextInTurns(text));
}

/** The same, a piece at a time. */
export function redactToolTextInTurns(text: string): Turns<Redacted> {
  return redactJson(text, (piece) => redact(piece, OF_TOOLS));
}

/** A value of JSON without its secrets. Without any the value itself comes back, else a copy. */
export function redactToolValue<Value>(
  value: Value,
  redactText: RedactInTurns = redactToolTextInTurns,
): { value: Value; count: number } {
  return toEnd(redactValue(value, redactText));
}

/** The same, a piece at a time. */
export function redactToolValueInTurns<Value>(value: Value): Turns<{ value: Value; count: number }> {
  return redactValue(value, redactToolTextInTurns);
}

/** The same for what people wrote: a text loses what is known by its look, and a field with the name of a secret all of it. */
export function redactValueInTurns<Value>(value: Value): Turns<{ value: Value; count: number }> {
  return redactValue(value, redactTextInTurns);
}

function* redact(text: string, search: SecretSearch): Turns<Redacted> {
  const withoutKeys = yield* redactPrivateKeys(text);
  const marked = yield* markSecrets(withoutKeys.text, search);
  return { text: marked.text, count: withoutKeys.count + marked.count };
}
