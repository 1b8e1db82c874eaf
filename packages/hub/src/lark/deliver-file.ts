import type { Delivery, Receipt } from '../channels/channel.ts';
import { DeliveryError } from '../channels/delivery-error.ts';
import type { LarkBody } from './cards/lark-body.ts';
import { isNoImage, isNotFound, MAX_FILE_BYTES, MAX_IMAGE_BYTES, uploadFile, uploadImage } from './image-keys.ts';
import type { LarkApi } from './lark-api.ts';
import { toDeliveryError } from './lark-call-error.ts';
import { sendMessage } from './send-message.ts';

type FileBody = Exclude<LarkBody, { type: 'card' }>;

/** Brings an image or a file into a chat as a message of its own. One that is there does not change any more. */
export async function deliverFile(api: LarkApi, delivery: Delivery<LarkBody>, body: FileBody): Promise<Receipt> {
  if (delivery.before !== undefined) return delivery.before.receipt;
  const { bytes, name } = await delivery.readAttachment(body.url).catch((error: unknown) => {
    if (!isNotFound(error)) throw toDeliveryError(error, 'make');
    throw new DeliveryError({ type: 'refused' }, 'The attachment no longer exists.', { cause: error });
  });
  const fileName = body.name || name || 'file';
  if (bytes.length === 0 || bytes.length > MAX_FILE_BYTES)
    throw new DeliveryError(
      { type: 'refused' },
      `The file is ${bytes.length} bytes; Lark allows 1 to ${MAX_FILE_BYTES}. Open it in the console instead.`,
    );
  const message = await upload(api, { isImage: body.type === 'image', name: fileName, bytes }, delivery.signal);
  try {
    const messageId = await sendMessage(api, {
      chat: delivery.chat,
      ...message,
      nonce: delivery.nonce,
      replyTo: delivery.replyTo,
      signal: delivery.signal,
    });
    return { messageId, isLasting: true, data: { type: 'file' } };
  } catch (error) {
    throw toDeliveryError(error, 'send');
  }
}

/** An image that Lark does not show is a file like any other. */
async function upload(
  api: LarkApi,
  { isImage, name, bytes }: { isImage: boolean; name: string; bytes: Uint8Array },
  signal: AbortSignal,
): Promise<{ type: 'image' | 'file'; content: object }> {
  try {
    if (isImage && bytes.length <= MAX_IMAGE_BYTES)
      return { type: 'image', content: { image_key: await uploadImage(api, bytes, signal) } };
  } catch (error) {
    if (!isNoImage(error)) throw toDeliveryError(error, 'make');
  }
  try {
    return { type: 'file', content: { file_key: await uploadFile(api, name, bytes, signal) } };
  } catch (error) {
    throw toDeliveryError(error, 'make');
  }
}
