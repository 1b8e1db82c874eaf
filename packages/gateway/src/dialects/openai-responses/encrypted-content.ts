import type { ProviderMetadata } from '@dragoman/protocol';
import { isJsonObject } from '../../tools/json-object.ts';

/** Stands before what we packed ourselves; OpenAI's own content is base64 and holds no dot. */
const PACKED = 'dragoman.';

/**
 * What came with a thought, as the text that a client carries from one call to the next without looking inside.
 *
 * OpenAI's own content goes as it is while the item has OpenAI's id, for it is refused under another. Everything else,
 * such as another provider's signature, is packed, so that a model of any provider gets its thoughts back.
 */
export function toEncryptedContent(metadata: ProviderMetadata | undefined, itemId: string): string | undefined {
  if (metadata === undefined) return undefined;
  const { openai, ...others } = metadata;
  const isOpenAiOnly = Object.keys(others).length === 0;
  if (isOpenAiOnly && openai?.['itemId'] === itemId) {
    const { encryptedContent } = openai;
    return typeof encryptedContent === 'string' ? encryptedContent : undefined;
  }
  return PACKED + Buffer.from(JSON.stringify(metadata)).toString('base64url');
}

/** The other way. An id without content is worth nothing, as nobody kept the item. */
export function openEncryptedContent(
  text: string | null | undefined,
  itemId: string | null | undefined,
  parseJson: (text: string) => unknown,
): ProviderMetadata | undefined {
  if (text === undefined || text === null || text === '') return undefined;
  if (!text.startsWith(PACKED))
    return { openai: { ...(typeof itemId === 'string' ? { itemId } : {}), encryptedContent: text } };
  const metadata = parseJson(Buffer.from(text.slice(PACKED.length), 'base64url').toString());
  const isMetadata = isJsonObject(metadata) && Object.values(metadata).every(isJsonObject);
  return isMetadata ? (metadata as ProviderMetadata) : undefined;
}
