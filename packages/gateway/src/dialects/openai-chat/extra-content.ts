import type { ProviderMetadata } from '@dragoman/protocol';

/** What Google's own service of this protocol puts beside a call, and wants back there. */
interface ExtraContent {
  google?: { thought_signature?: string | null | undefined } | null | undefined;
}

/** For clients that know it; for all others the signature is a part of the call's id. */
export function toExtraContent(metadata: ProviderMetadata | undefined): { extra_content?: ExtraContent } {
  const signature = metadata?.['google']?.['thoughtSignature'];
  return typeof signature === 'string' ? { extra_content: { google: { thought_signature: signature } } } : {};
}

export function fromExtraContent(content: ExtraContent | null | undefined): ProviderMetadata | undefined {
  const signature = content?.google?.thought_signature;
  return signature ? { google: { thoughtSignature: signature } } : undefined;
}
