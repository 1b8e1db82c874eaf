import { type RawBuilder, sql } from 'kysely';

/** Up to `below`, times are counted in steps of so many milliseconds: to about one in a hundred. */
const STEPS = [
  { below: 1_000, step: 10 },
  { below: 10_000, step: 100 },
  { below: 100_000, step: 1_000 },
] as const;
const LAST_STEP = 10_000;
/** Whatever takes longer counts as this long, so that there are at most a few hundred different times. */
const LONGEST = 3_600_000;

/** A time in a column, as the middle of its step; in the words of every store. */
export function stepOf(column: RawBuilder<number>): RawBuilder<number | null> {
  const within = (step: number) => sql`${column} / ${sql.lit(step)} * ${sql.lit(step)} + ${sql.lit(step / 2)}`;
  const cases = STEPS.map(({ below, step }) => sql`when ${column} < ${sql.lit(below)} then ${within(step)}`);
  return sql`case when ${column} is null then null ${sql.join(cases, sql` `)}
    when ${column} >= ${sql.lit(LONGEST)} then ${sql.lit(LONGEST)} else ${within(LAST_STEP)} end`;
}

/** How long calls took, counted by step. */
export class Latencies {
  readonly #counts = new Map<number, number>();
  #total = 0;

  add(ms: number, count: number): void {
    this.#counts.set(ms, (this.#counts.get(ms) ?? 0) + count);
    this.#total += count;
  }

  merge(other: Latencies): void {
    for (const [ms, count] of other.#counts) this.add(ms, count);
  }

  /** The time within which half of the calls, and 95 of 100, were done; nothing where there were none. */
  told(): { median: number; p95: number } | undefined {
    if (this.#total === 0) return undefined;
    const sorted = [...this.#counts].toSorted(([one], [other]) => one - other);
    return { median: this.#within(sorted, 0.5), p95: this.#within(sorted, 0.95) };
  }

  #within(sorted: readonly (readonly [number, number])[], share: number): number {
    let left = Math.ceil(this.#total * share);
    for (const [ms, count] of sorted) {
      left -= count;
      if (left <= 0) return ms;
    }
    return sorted.at(-1)![0];
  }
}
