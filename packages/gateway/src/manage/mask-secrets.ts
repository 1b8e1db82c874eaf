import { MASK } from '@dragoman/server/base';
import type { ProviderConfig } from '../config/gateway-config.ts';
import { redactText } from '../policy/redact-text.ts';

/** Shorter ones are no secrets, and would be found in every other word. */
const SHORTEST_SECRET = 8;
/** Most of a query is no secret, such as the version of an interface. */
const SECRET_NAME = /key|token|secret|sig|auth|pass|code/i;

/** A text without what the provider was given in confidence: services like to repeat the key they refuse. */
export function maskSecrets(text: string, { apiKey, headers, query, baseUrl }: ProviderConfig): string {
  const secrets = [
    ...(apiKey === undefined ? [] : [apiKey].flat()).map((key) => key.reveal()),
    ...Object.values(headers)
      .map((value) => value.reveal())
      .flatMap((value) => [value, value.replace(/^\w+ +/, '')]),
    ...Object.entries(query).flatMap(([name, value]) => (SECRET_NAME.test(name) ? [value.reveal()] : [])),
    ...(baseUrl === undefined ? [] : [passwordIn(baseUrl)]),
  ].filter((secret) => secret.length >= SHORTEST_SECRET);
  const spellings = secrets.flatMap((secret) => [
    secret,
    encodeURIComponent(secret),
    JSON.stringify(secret).slice(1, -1),
  ]);
  // The longest first: one may be the beginning of another.
  spellings.sort((one, other) => other.length - one.length);
  return redactText(spellings.reduce((masked, secret) => masked.replaceAll(secret, MASK), text)).text;
}

/** An address as it may be shown. */
export function maskUserInfo(url: string): string {
  return url.replace(/^(\w+:\/\/)[^/?#]*@/, `$1${MASK}@`);
}

function passwordIn(url: string): string {
  try {
    return decodeURIComponent(new URL(url).password);
  } catch {
    return '';
  }
}
