import type { Blob } from '../../blob-server.ts';
import { isUnsafePath } from '../../sync/filter/built-in-rules.ts';
import { checkContent } from '../../sync/filter/check-content.ts';

/**
 * Why a good blob is acknowledged and not kept; undefined when it is kept.
 *
 * Our own sync never sends these. Other clients may, and would offer one that is refused again and again.
 */
export function whyLeftOut({ path, content }: Blob): string | undefined {
  if (isUnsafePath(path)) return 'The path is one of those that hold secrets; nothing of the file is kept.';
  if (content.includes('PRIVATE KEY') && checkContent(Buffer.from(content), Infinity) === 'private-key')
    return 'The content holds a private key; nothing of the file is kept.';
  return undefined;
}
