import type { HubFile } from '@dragoman/protocol';

/** Hands a file of the server to the browser to save. */
export function download(
  { bytes, mediaType, name }: Omit<HubFile, 'name'> & { name?: string | undefined },
  otherwise: string,
): void {
  const url = URL.createObjectURL(new Blob([bytes], { type: mediaType }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name ?? otherwise;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
