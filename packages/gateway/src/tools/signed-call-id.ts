import type { ProviderMetadata } from '@dragoman/protocol';

/**
 * What stands between the id of a call and the signature of the thought behind it: `b` for one that is base64, as Google's
 * are, and `t` for any other text. Services take no other characters in an id than these.
 */
const SIGNED = /^(.*?)__ts([bt])_([A-Za-z0-9_-]+)$/s;
/** The same inside a body. */
const SIGNED_IN_JSON = /"([A-Za-z0-9_.:-]*?)__ts[bt]_[A-Za-z0-9_-]+"/g;
const MARK = '__ts';

/**
 * The id under which a client gets to know a call.
 *
 * Gemini refuses a conversation whose calls have lost their signature, and most clients give nothing back but the id. So
 * the signature is a part of the id: that needs no memory, and outlives a restart, another server and a year.
 */
export function signCallId(id: string, metadata: ProviderMetadata | undefined): string {
  const signature = metadata?.['google']?.['thoughtSignature'];
  if (typeof signature !== 'string' || signature === '' || id.includes(MARK)) return id;
  const bytes = Buffer.from(signature, 'base64');
  return bytes.toString('base64') === signature
    ? `${id}${MARK}b_${bytes.toString('base64url')}`
    : `${id}${MARK}t_${Buffer.from(signature).toString('base64url')}`;
}

/** The call's own id, and what its provider wants back with it. */
export function openCallId(id: string): { toolCallId: string; providerOptions?: ProviderMetadata } {
  const [, toolCallId, kind, packed] = id.includes(MARK) ? (SIGNED.exec(id) ?? []) : [];
  if (toolCallId === undefined || packed === undefined) return { toolCallId: id };
  const bytes = Buffer.from(packed, 'base64url');
  const thoughtSignature = kind === 'b' ? bytes.toString('base64') : bytes.toString('utf8');
  return { toolCallId, providerOptions: { google: { thoughtSignature } } };
}

/** A body for a provider that knows nothing of this and may take only short ids: with the calls' own. */
export function withoutSignedIds(json: string): string {
  return json.includes(MARK) ? json.replaceAll(SIGNED_IN_JSON, '"$1"') : json;
}
