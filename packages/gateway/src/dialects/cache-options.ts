import type { ProviderMetadata } from '@dragoman/protocol';

/** Where the client wants the provider to cache, kept for the provider that understands it. */
export function cacheOptions(cacheControl: Readonly<Record<string, unknown>> | null | undefined): {
  providerOptions?: ProviderMetadata;
} {
  return cacheControl === undefined || cacheControl === null
    ? {}
    : { providerOptions: { anthropic: { cacheControl } } };
}
