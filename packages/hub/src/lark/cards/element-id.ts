/**
 * The id of an element, the same for as long as what it shows is there: what is streamed into it goes by this id.
 *
 * Lark takes at most 20 letters, digits and underscores, beginning with a letter; ids of blocks are an agent's own and
 * may be anything, so they are hashed (two 32-bit halves, which is plenty within one card).
 */
export function elementId(kind: string, key: string): string {
  return `${kind}_${half(key, 0xde_ad_be_ef)}${half(key, 0x41_c6_ce_57)}`;
}

/** A 32-bit FNV-1a with a last mix, as seven characters. */
function half(text: string, seed: number): string {
  let hash = seed;
  for (let index = 0; index < text.length; index += 1) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01_00_01_93);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85_eb_ca_6b);
  hash ^= hash >>> 13;
  return (hash >>> 0).toString(36).padStart(7, '0');
}
