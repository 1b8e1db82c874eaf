import type { PromptFile } from '@dragoman/protocol';

/** A file as an address: the one it has, or its bytes as a data URL. */
export function fileUrl(file: PromptFile): string {
  return file.data.type === 'url' ? file.data.url : `data:${file.mediaType};base64,${file.data.base64}`;
}
