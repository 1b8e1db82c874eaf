/** Where a document tells its own encoding, it does so in its first bytes. */
const HEAD_BYTES = 1024;

/**
 * Bytes to text in the encoding they are in: what a byte order mark says, else the server, else the document itself;
 * else UTF-8, and where they are not that, Windows-1252, as browsers do.
 */
export function decodeText(bytes: Uint8Array, contentType: string): string {
  const label = markedEncoding(bytes) ?? charsetOf(contentType) ?? declaredEncoding(bytes);
  return decodeAs(label, bytes) ?? decodeAs('utf-8', bytes, true) ?? decodeAs('windows-1252', bytes)!;
}

/** Whether the bytes are text, where nobody says what they are. */
export function looksLikeText(bytes: Uint8Array): boolean {
  if (markedEncoding(bytes) !== undefined) return true;
  // A character may be cut in two at the end of what is looked at.
  const head = bytes.subarray(0, 8192);
  if (head.includes(0)) return false;
  return (
    decodeAs('utf-8', head.length < bytes.length ? head.subarray(0, wholeCharacters(head)) : head, true) !== undefined
  );
}

function decodeAs(label: string | undefined, bytes: Uint8Array, fatal = false): string | undefined {
  if (label === undefined) return undefined;
  try {
    return new TextDecoder(label, { fatal }).decode(bytes);
  } catch {
    return undefined;
  }
}

function markedEncoding(bytes: Uint8Array): string | undefined {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return 'utf-8';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  return bytes[0] === 0xff && bytes[1] === 0xfe ? 'utf-16le' : undefined;
}

function charsetOf(contentType: string): string | undefined {
  return /;\s*charset\s*=\s*["']?([^"';\s]+)/i.exec(contentType)?.[1];
}

/** `<meta charset="…">`, `<meta http-equiv … content="…; charset=…">` or `<?xml … encoding="…"?>`. */
function declaredEncoding(bytes: Uint8Array): string | undefined {
  const head = Buffer.from(bytes.subarray(0, HEAD_BYTES)).toString('latin1');
  return (
    /<meta\s[^>]{0,200}?charset\s*=\s*["']?([\w:.-]+)/i.exec(head)?.[1] ??
    /^\s*<\?xml\s[^>]{0,200}?encoding\s*=\s*["']([\w:.-]+)/i.exec(head)?.[1]
  );
}

function wholeCharacters(bytes: Uint8Array): number {
  let end = bytes.length;
  while (end > 0 && end > bytes.length - 4 && (bytes[end - 1]! & 0xc0) === 0x80) end--;
  return end > 0 && bytes[end - 1]! >= 0xc0 ? end - 1 : bytes.length;
}
