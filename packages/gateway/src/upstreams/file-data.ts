import type { PromptFile } from '@dragoman/protocol';

/** A file as an address: the one it has, or its bytes as a data URL. */
export function fileUrl(file: PromptFile): string {
  return file.data.type === 'url' ? file.data.url : `data:${file.mediaType};base64,${file.data.base64}`;
}

/** How closely OpenAI's models shall look at a picture. */
export function imageDetail({ providerOptions }: PromptFile): { detail?: string } {
  const detail = providerOptions?.['openai']?.['imageDetail'];
  return typeof detail === 'string' ? { detail } : {};
}
