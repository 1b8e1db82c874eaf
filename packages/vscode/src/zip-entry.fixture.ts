import { inflateRawSync } from 'node:zlib';

/** The text of one file of a zip, found as readers do: through the directory at its end. */
export function zipEntry(zip: Buffer, name: string): string {
  const end = zip.lastIndexOf('PK\x05\x06', undefined, 'latin1');
  for (let at = zip.readUInt32LE(end + 16); zip.readUInt32LE(at) === 0x02014b50;) {
    const [nameLength, more, comment] = [
      zip.readUInt16LE(at + 28),
      zip.readUInt16LE(at + 30),
      zip.readUInt16LE(at + 32),
    ];
    if (zip.toString('utf8', at + 46, at + 46 + nameLength) === name) {
      const header = zip.readUInt32LE(at + 42);
      const start = header + 30 + zip.readUInt16LE(header + 26) + zip.readUInt16LE(header + 28);
      const packed = zip.subarray(start, start + zip.readUInt32LE(at + 20));
      const STORED = 0;
      return (zip.readUInt16LE(at + 10) === STORED ? packed : inflateRawSync(packed)).toString();
    }
    at += 46 + nameLength + more + comment;
  }
  throw new Error(`the zip has no ${name}`);
}
