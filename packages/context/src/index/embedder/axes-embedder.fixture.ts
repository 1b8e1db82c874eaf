import { createHash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Embedder } from './embedder.ts';

/** Words of one row mean the same: they lie in one direction. */
const AXES = [
  ['retry', 'backoff', 'perseverance'],
  ['mail', 'letter', 'correspondence'],
  ['cache', 'remember', 'memoir'],
  ['colour', 'paint', 'palette'],
];

/** An embedder that knows a few words, and what was asked of it. */
export interface AxesEmbedder extends Embedder {
  calls: string[][];
  /** What it does instead of answering; nothing lets it answer again. */
  instead: ((texts: readonly string[], signal: AbortSignal | undefined) => Promise<Float32Array[]>) | undefined;
}

/** Makes one whose vectors have so many numbers. */
export function axesEmbedder(dimensions = 40, space = 'test/axes'): AxesEmbedder {
  const embedder: AxesEmbedder = {
    space,
    calls: [],
    instead: undefined,
    async embed(texts, signal) {
      embedder.calls.push([...texts]);
      await delay(0);
      return embedder.instead === undefined
        ? texts.map((text) => axesOf(text, dimensions))
        : embedder.instead(texts, signal);
    },
  };
  return embedder;
}

/**
 * The direction of a text: along each axis that one of its words is on, or one of its own where it has no such word. Axes use
 * all numbers, as those of real models do, and stand nearly at right angles.
 */
export function axesOf(text: string, dimensions: number): Float32Array {
  const vector = new Float32Array(dimensions);
  const known = AXES.filter((words) => words.some((word) => text.toLowerCase().includes(word)));
  for (const [name] of known.length > 0 ? known : [[text]]) {
    const signs = createHash('shake256', { outputLength: dimensions }).update(name!).digest();
    for (const [at, byte] of signs.entries()) vector[at] = vector[at]! + (byte < 128 ? -1 : 1);
  }
  return vector;
}
