type TypedArray = Uint8Array | Uint16Array | Uint32Array | Float64Array;

/** A typed array that gets longer as it is filled. */
export class GrowingArray<Array extends TypedArray> {
  #items: Array;
  readonly #make: new (length: number) => Array;
  length = 0;

  constructor(make: new (length: number) => Array, capacity = 1024) {
    this.#make = make;
    this.#items = new make(capacity);
  }

  push(item: number): void {
    if (this.length === this.#items.length) this.#reserve(this.length + 1);
    this.#items[this.length++] = item;
  }

  append(items: Uint8Array): void {
    this.#reserve(this.length + items.length);
    this.#items.set(items, this.length);
    this.length += items.length;
  }

  /** Room for so many more, all zero, to be filled: valid until the next push. */
  extend(count: number): Array {
    this.#reserve(this.length + count);
    this.length += count;
    return this.#items.subarray(this.length - count, this.length).fill(0) as Array;
  }

  at(index: number): number {
    return this.#items[index]!;
  }

  /** What was pushed, without a copy: valid until the next push. */
  view(): Array {
    return this.#items.subarray(0, this.length) as Array;
  }

  clear(): void {
    this.length = 0;
  }

  #reserve(length: number): void {
    if (length <= this.#items.length) return;
    const items = new this.#make(Math.max(length, this.#items.length * 2));
    items.set(this.#items.subarray(0, this.length));
    this.#items = items;
  }
}
