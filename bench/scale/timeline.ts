interface Happening {
  atMs: number;
  happen: () => void;
}

/** What happens in the order of its time, in a time of its own. */
export class Timeline {
  readonly #heap: Happening[] = [];
  #nowMs = 0;

  get nowMs(): number {
    return this.#nowMs;
  }

  at(atMs: number, happen: () => void): void {
    const heap = this.#heap;
    let index = heap.push({ atMs, happen }) - 1;
    while (index > 0) {
      const parent = (index - 1) >> 1;
      if (heap[parent]!.atMs <= atMs) break;
      [heap[index], heap[parent]] = [heap[parent]!, heap[index]!];
      index = parent;
    }
  }

  /** Lets everything happen up to a time, with what follows from it. */
  runUntil(endMs: number): void {
    while (this.#heap.length > 0 && this.#heap[0]!.atMs <= endMs) {
      const next = this.#takeFirst();
      this.#nowMs = next.atMs;
      next.happen();
    }
    this.#nowMs = endMs;
  }

  #takeFirst(): Happening {
    const heap = this.#heap;
    const first = heap[0]!;
    const last = heap.pop()!;
    if (heap.length === 0) return first;
    heap[0] = last;
    for (let index = 0; ;) {
      const [left, right] = [index * 2 + 1, index * 2 + 2];
      let smallest = index;
      if (left < heap.length && heap[left]!.atMs < heap[smallest]!.atMs) smallest = left;
      if (right < heap.length && heap[right]!.atMs < heap[smallest]!.atMs) smallest = right;
      if (smallest === index) return first;
      [heap[index], heap[smallest]] = [heap[smallest]!, heap[index]!];
      index = smallest;
    }
  }
}
