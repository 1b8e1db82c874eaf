import { DragomanError } from '@dragoman/protocol';
import type { HeardFile } from '../channels/heard.ts';
import { type ImageType, imageTypeOf } from './image-type.ts';
import type { LarkApi } from './lark-api.ts';
import { LarkCallError } from './lark-call-error.ts';
import type { MessageResource } from './read-message.ts';

/** More than the hub takes as an attachment, so that it can say its own limit. */
const MAX_DOWNLOAD_BYTES = 20_000_000;
const DOWNLOAD_MS = 60_000;

/** A file that came with a message: its bytes stay with Lark until they are needed. */
export function heardFile(api: LarkApi, messageId: string, resource: MessageResource): HeardFile {
  // What kind of image it is, is only seen in its bytes.
  let type: ImageType | undefined;
  return {
    kind: resource.kind,
    get name() {
      return type === undefined ? resource.name : `image.${type.ending}`;
    },
    get mediaType() {
      return type?.mediaType ?? resource.mediaType;
    },
    read: async (signal) => {
      try {
        const bytes = await api.download({
          method: 'GET',
          path: `im/v1/messages/${encodeURIComponent(messageId)}/resources/${encodeURIComponent(resource.key)}`,
          query: { type: resource.type },
          signal,
          timeoutMs: DOWNLOAD_MS,
          maxBytes: MAX_DOWNLOAD_BYTES,
        });
        if (resource.kind === 'image') type = imageTypeOf(bytes);
        return bytes;
      } catch (error) {
        throw unreadable(resource.name, error);
      }
    },
  };
}

function unreadable(name: string, error: unknown): DragomanError {
  if (error instanceof LarkCallError && error.code === 234037)
    return new DragomanError(
      'too-large',
      `${name} is larger than 100 MB, the limit for downloads from Lark. Send a smaller file.`,
    );
  if (error instanceof LarkCallError && error.isTooLarge)
    return new DragomanError('too-large', `${name} is larger than ${MAX_DOWNLOAD_BYTES} bytes. Send a smaller file.`);
  return new DragomanError(
    'unavailable',
    `${name} could not be downloaded from Lark: ${error instanceof Error ? error.message : 'it did not answer.'} Send it again.`,
    { cause: error },
  );
}
