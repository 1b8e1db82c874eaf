import type { DragomanError, ModelSink } from '@dragoman/protocol';
import { isSecretParameter, maskAddresses, redactText, spellings } from '@dragoman/protocol/secrets';
import type { ProviderConfig } from '../config/gateway-config.ts';

/** Stands for what was taken out. */
export const REDACTED = '[REDACTED]';
/** A cause has a cause; what goes round in a circle must come to an end. */
const MOST_CAUSES = 8;
/** Fewer characters of a secret tell nothing, and words end in them by chance. */
export const SHORTEST_HALF = 5;

/** Servers of one's own want something in the place of a key, such as `ollama`. */
const NO_KEY = /^[a-z]{1,8}$/;

const known = new WeakMap<ProviderConfig, readonly string[]>();

/**
 * What a provider was given in confidence, in every spelling: its keys, headers, and what stands in its query and its address.
 * Services like to repeat what they refuse, and the address they were asked at.
 */
export function providerSecrets(provider: ProviderConfig): readonly string[] {
  let secrets = known.get(provider);
  if (secrets === undefined) {
    secrets = spellings(valuesOf(provider));
    known.set(provider, secrets);
  }
  return secrets;
}

/** A text without what the provider was given in confidence, and without what looks like a secret. */
export function withoutProviderSecrets(text: string, provider: ProviderConfig): string {
  return redactText(hideProviderSecrets(text, provider)).text;
}

/** A text without what the provider was given in confidence. */
export function hideProviderSecrets(text: string, provider: ProviderConfig): string {
  return providerSecrets(provider).reduce((hidden, secret) => hidden.replaceAll(secret, REDACTED), text);
}

/** The same for all that an error says, to whoever asked and in the log. */
export function hideInError(error: DragomanError, provider: ProviderConfig): DragomanError {
  for (let told: unknown = error, depth = 0; told instanceof Error && depth < MOST_CAUSES; told = told.cause, depth++) {
    const message = withoutHalf(withoutProviderSecrets(told.message, provider), provider);
    if (message === told.message) continue;
    // Of what was aborted the message can only be read.
    Object.defineProperties(told, {
      message: { value: message, configurable: true },
      stack: { value: (told.stack ?? '').replace(told.message, () => message), configurable: true },
    });
  }
  return error;
}

/** What a provider says is cut somewhere, and that may be in the middle of a secret. */
function withoutHalf(message: string, provider: ProviderConfig): string {
  for (const secret of providerSecrets(provider))
    for (let length = Math.min(secret.length, message.length); length >= SHORTEST_HALF; length--)
      if (message.endsWith(secret.slice(0, length))) return `${message.slice(0, -length)}${REDACTED}`;
  return message;
}

/** An answer that may end in an error, which is passed on without secrets. */
export function withoutSecretsInErrors(sink: ModelSink, provider: ProviderConfig): ModelSink {
  return {
    push(event) {
      if (event.type === 'error') hideInError(event.error, provider);
      sink.push(event);
    },
  };
}

function valuesOf({ apiKey, headers, query, baseUrl, path }: ProviderConfig): string[] {
  const inAddress: string[] = [];
  // In a text an address ends at a quote.
  maskAddresses(`${baseUrl ?? 'x://y'}${path ?? ''}`.replaceAll("'", '%27'), (secret) => {
    inAddress.push(secret);
    return '';
  });
  return [
    ...(apiKey === undefined ? [] : [apiKey].flat()).map((key) => key.reveal()).filter((key) => !NO_KEY.test(key)),
    ...Object.entries(headers)
      .map(([name, value]) => [name, value.reveal()] as const)
      .filter(([name, value]) => isSecretParameter(name, value))
      .flatMap(([, value]) => [value, value.replace(/^\w+ +/, '')]),
    ...Object.entries(query)
      .map(([name, value]) => [name, value.reveal()] as const)
      .filter(([name, value]) => isSecretParameter(name, value))
      .map(([, value]) => value),
    ...inAddress,
  ];
}
