/**
 * How much of a call a card shows, in bytes.
 *
 * Which card a call stands in must not depend on how its result turns out, or what people look at would move while they
 * look. So each call has the same room in a card, whatever comes of it, and where a card is over its limit all its calls
 * show less.
 */
export interface Detail {
  input: number;
  output: number;
  diff: number;
  /** Calls inside of a call: how many, and how many bytes of each. */
  children: number;
  childOutput: number;
  title: number;
  images: number;
  /** Words are not even formatted: the last resort. */
  isPlain: boolean;
}

/** From everything to nearly nothing. */
export const DETAILS: readonly Detail[] = [
  { input: 1500, output: 2500, diff: 4000, children: 20, childOutput: 800, title: 120, images: 4, isPlain: false },
  { input: 900, output: 1200, diff: 1800, children: 20, childOutput: 300, title: 120, images: 4, isPlain: false },
  { input: 500, output: 500, diff: 700, children: 12, childOutput: 0, title: 100, images: 4, isPlain: false },
  { input: 200, output: 160, diff: 0, children: 6, childOutput: 0, title: 60, images: 2, isPlain: false },
  { input: 0, output: 0, diff: 0, children: 0, childOutput: 0, title: 40, images: 0, isPlain: false },
  { input: 0, output: 0, diff: 0, children: 0, childOutput: 0, title: 40, images: 0, isPlain: true },
];

/** What a question shows of a call: there is a card for it alone. */
export const FULL_DETAIL: Detail = {
  input: 6000,
  output: 0,
  diff: 6000,
  children: 0,
  childOutput: 0,
  title: 200,
  images: 0,
  isPlain: false,
};
