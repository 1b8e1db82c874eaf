import { termHash } from './term-hash.ts';

/** Gives each term a small number. Only hashes are kept: a million terms as strings would take a hundred megabytes. */
export class TermNumbers {
  #hashes = new Float64Array(1 << 15);
  #slots = new Int32Array(1 << 16);
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** The hash of the term with this number. */
  hash(number: number): number {
    return this.#hashes[number]!;
  }

  number(term: string): number {
    const hash = termHash(term);
    const mask = this.#slots.length - 1;
    let slot = slotOf(hash, mask);
    for (;;) {
      const number = this.#slots[slot]! - 1;
      if (number < 0) break;
      if (this.#hashes[number] === hash) return number;
      slot = (slot + 1) & mask;
    }
    const number = this.#size++;
    if (number === this.#hashes.length) this.#grow();
    this.#hashes[number] = hash;
    this.#slots[this.#emptySlot(hash)] = number + 1;
    return number;
  }

  #emptySlot(hash: number): number {
    const mask = this.#slots.length - 1;
    let slot = slotOf(hash, mask);
    while (this.#slots[slot] !== 0) slot = (slot + 1) & mask;
    return slot;
  }

  #grow(): void {
    const hashes = new Float64Array(this.#hashes.length * 2);
    hashes.set(this.#hashes);
    const known = this.#hashes.length;
    this.#hashes = hashes;
    this.#slots = new Int32Array(this.#slots.length * 2);
    for (let number = 0; number < known; number++) this.#slots[this.#emptySlot(hashes[number]!)] = number + 1;
  }
}

/** The low half of the hash is well mixed; that is enough. */
function slotOf(hash: number, mask: number): number {
  return (hash % 0x1_0000_0000) & mask;
}
