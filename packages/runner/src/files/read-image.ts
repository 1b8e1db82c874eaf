import { DragomanError, type ImagePiece } from '@dragoman/protocol';
import { MOST_IMAGE_BYTES } from '@dragoman/protocol/schemas';
import { imageTypeOf } from './image-type.ts';
import { insidePath, printable } from './inside-path.ts';
import { refuseSecret } from './read-file.ts';
import { withPlainFile } from './with-plain-file.ts';

const PIECE_BYTES = 1024 * 1024;
/** Enough to tell what it is. */
const HEAD_BYTES = 4096;

/**
 * A piece of an image of a session's folder. Only what is an image by its bytes is given, whichever piece is asked for:
 * a page of HTML that is called `plan.png` stays on the machine.
 */
export async function readSessionImage(root: string, path: string, from: number): Promise<ImagePiece> {
  const inside = await insidePath(root, path);
  for (const name of [inside.path, inside.realPath]) refuseSecret(root, name);
  return withPlainFile(inside.real, path, async ({ size, version, read }) => {
    const mediaType = imageTypeOf(await read(0, HEAD_BYTES), inside.realPath);
    if (mediaType === undefined)
      throw new DragomanError(
        'bad-request',
        `${printable(path)} is not an image that can be shown; PNG, JPEG, GIF, WebP, AVIF and SVG can be`,
      );
    if (size > MOST_IMAGE_BYTES)
      throw new DragomanError(
        'bad-request',
        `${printable(path)} is ${size} bytes; images of up to ${MOST_IMAGE_BYTES} bytes are shown`,
      );
    return { mediaType, size, version, data: (await read(from, PIECE_BYTES)).toString('base64') };
  });
}
