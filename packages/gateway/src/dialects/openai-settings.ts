import { DragomanError, type ProviderMetadata } from '@dragoman/protocol';

/** The tier that a client asks for; `auto` leaves it to the provider. */
export function askedTier(tier: string | null | undefined): string | undefined {
  return tier === 'auto' || tier === '' ? undefined : (tier ?? undefined);
}

/** A form of answers that only some providers know. */
export function unknownFormat(place: string): DragomanError {
  return new DragomanError('bad-request', `${place}: expected text, json_object or json_schema.`);
}

/** How closely a picture shall be looked at, for providers that can be told. */
export function detailOptions(detail: string | null | undefined): { providerOptions?: ProviderMetadata } {
  if (detail === undefined || detail === null || detail === 'auto') return {};
  return { providerOptions: { openai: { imageDetail: detail } } };
}
