import type { LarkFault, LarkFaultHook, LarkCall } from './lark-calls.ts';

/** What can be wanted of faults that come at random. */
export interface RandomLarkFaultsOptions {
  /** The share of calls that something goes wrong with. */
  rate?: number;
  /** What may go wrong; each as likely as the others. */
  kinds?: readonly LarkFault[];
  /** Which calls are left alone. */
  isSpared?: (call: LarkCall) => boolean;
}

const KINDS: readonly LarkFault[] = [
  { status: 429, code: 99991400, msg: 'request trigger frequency limit', headers: { 'x-ogw-ratelimit-reset': '1' } },
  { status: 500, code: 1663, msg: 'internal error' },
  { status: 503, code: 2200, msg: 'Internal Service Error' },
  'drop-before',
  'drop-after',
];

/** Faults at random, the same for the same seed and the same order of calls. */
export function randomLarkFaults(seed: number, options: RandomLarkFaultsOptions = {}): LarkFaultHook {
  const { rate = 0.1, kinds = KINDS, isSpared = () => false } = options;
  const random = generator(seed);
  return (call) => {
    if (isSpared(call) || random() >= rate) return undefined;
    return kinds[Math.floor(random() * kinds.length)];
  };
}

/** Numbers from 0 to 1 by Mulberry32: short, and good enough for dice. */
function generator(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}
