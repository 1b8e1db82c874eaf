/**
 * How large a picture is; undefined for what is none of the kinds Telegram takes as a photo.
 *
 * PNG and GIF tell it at their beginning. For JPEG and WebP, whose size is further in, some size that is allowed is given.
 */
export function readImageSize(bytes: Uint8Array): { width: number; height: number } | undefined {
  const data = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const begins = (hex: string, at = 0) => data.subarray(at, at + hex.length / 2).toString('hex') === hex;
  if (begins('89504e470d0a1a0a') && data.length >= 24) return checked(data.readUInt32BE(16), data.readUInt32BE(20));
  if (begins('47494638') && data.length >= 10) return checked(data.readUInt16LE(6), data.readUInt16LE(8));
  if (begins('ffd8ff') || (begins('52494646') && begins('57454250', 8))) return { width: 800, height: 600 };
  return undefined;
}

function checked(width: number, height: number): { width: number; height: number } | undefined {
  return width > 0 && height > 0 ? { width, height } : undefined;
}
