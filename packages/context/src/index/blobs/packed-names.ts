import { hash } from 'node:crypto';

const NAME_BYTES = 32;

/** Blob names as bytes, half the length of their text. */
export function packNames(names: Iterable<string>): Buffer {
  return Buffer.from([...names].join(''), 'hex');
}

export function unpackNames(packed: Uint8Array): string[] {
  const text = Buffer.from(packed.buffer, packed.byteOffset, packed.byteLength).toString('hex');
  const names: string[] = [];
  for (let start = 0; start < text.length; start += NAME_BYTES * 2)
    names.push(text.slice(start, start + NAME_BYTES * 2));
  return names;
}

const digests = new WeakMap<ReadonlySet<string>, string>();

/** The same for equal sets, whatever their order, and for no others. The set must not change afterwards. */
export function digestOfSet(names: ReadonlySet<string>): string {
  const known = digests.get(names);
  if (known !== undefined) return known;
  const digest = hash('sha256', [...names].sort().join(''));
  digests.set(names, digest);
  return digest;
}
