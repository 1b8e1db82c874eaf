import { isUtf8 } from 'node:buffer';
import { ToolError } from '../tool.ts';

/** How a file's text is written. `latin1` stands for any old encoding with one byte a letter: bytes and letters map one to one. */
export type TextEncoding = 'utf8' | 'utf8-bom' | 'utf16le' | 'utf16be' | 'latin1';

/** A file's text without its byte order mark, and what is needed to write it back as it was. */
export interface DecodedText {
  text: string;
  encoding: TextEncoding;
}

const SAMPLE_BYTES = 8192;
const BOM: Record<TextEncoding, readonly number[]> = {
  utf8: [],
  'utf8-bom': [0xef, 0xbb, 0xbf],
  utf16le: [0xff, 0xfe],
  utf16be: [0xfe, 0xff],
  latin1: [],
};
/** Control characters that have no business in text; tab, line feeds, escape and the like do. */
const MAX_CONTROL_SHARE = 0.1;

/** The text of a whole file; nothing when it is binary. */
export function decodeText(bytes: Buffer): DecodedText | undefined {
  const encoding = sniffEncoding(bytes);
  if (encoding === 'binary') return undefined;
  if (encoding === 'utf16le' || encoding === 'utf16be') {
    if (bytes.length % 2 === 1) return undefined;
    const units = bytes.subarray(2);
    return { encoding, text: (encoding === 'utf16le' ? units : Buffer.from(units).swap16()).toString('utf16le') };
  }
  if (!isUtf8(bytes)) return { encoding: 'latin1', text: bytes.toString('latin1') };
  return { encoding, text: bytes.toString('utf8', BOM[encoding].length) };
}

/** The bytes of a text, so that what was decoded and not changed is written back byte for byte. */
export function encodeText({ text, encoding }: DecodedText): Buffer {
  const mark = Buffer.from(BOM[encoding]);
  switch (encoding) {
    case 'utf8':
    case 'utf8-bom':
      return Buffer.concat([mark, Buffer.from(text, 'utf8')]);
    case 'utf16le':
      return Buffer.concat([mark, Buffer.from(text, 'utf16le')]);
    case 'utf16be':
      return Buffer.concat([mark, Buffer.from(text, 'utf16le').swap16()]);
    case 'latin1': {
      const foreign = /[^\0-\xff]/u.exec(text)?.[0];
      if (foreign !== undefined)
        throw new ToolError(
          `The file is not in UTF-8 but in an older encoding that has no "${foreign}". Write the text without it, or convert the file to UTF-8 first.`,
        );
      return Buffer.from(text, 'latin1');
    }
  }
}

/** What the beginning of a file says about its encoding. A sample that ends inside a letter is still understood. */
export function sniffEncoding(head: Buffer): TextEncoding | 'binary' {
  for (const encoding of ['utf8-bom', 'utf16le', 'utf16be'] as const)
    if (BOM[encoding].every((byte, index) => head[index] === byte)) return encoding;
  const sample = head.subarray(0, SAMPLE_BYTES);
  let controls = 0;
  for (const byte of sample) {
    if (byte === 0) return 'binary';
    if (byte < 8 || (byte > 13 && byte < 27) || (byte > 27 && byte < 32)) controls++;
  }
  if (controls > sample.length * MAX_CONTROL_SHARE) return 'binary';
  return isUtf8(withoutBrokenEnd(head)) ? 'utf8' : 'latin1';
}

function withoutBrokenEnd(bytes: Buffer): Buffer {
  for (let back = 1; back <= 3 && back <= bytes.length; back++) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (byte >= 0xc0) return bytes.subarray(0, bytes.length - back);
    if (byte < 0x80) return bytes;
  }
  return bytes;
}
