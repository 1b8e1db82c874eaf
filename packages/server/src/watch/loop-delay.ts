import { monitorEventLoopDelay } from 'node:perf_hooks';
import { Gauge, type Registry } from 'prom-client';

const RESOLUTION_MS = 10;
/** Whoever reads measures comes back within this time, or reads them no more. */
const READ_AGAIN_MS = 120_000;

type Delays = ReturnType<typeof monitorEventLoopDelay>;

const MEASURES: Readonly<Record<string, (delays: Delays) => number>> = {
  min: ({ min }) => min,
  max: ({ max }) => max,
  mean: ({ mean }) => mean,
  stddev: ({ stddev }) => stddev,
  p50: (delays) => delays.percentile(50),
  p90: (delays) => delays.percentile(90),
  p99: (delays) => delays.percentile(99),
};

/**
 * How late the event loop is. To know it the process has to wake up all the time, so it is measured only while somebody
 * reads it: from one reading to the next.
 */
export class LoopDelay {
  readonly #delays = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  #rest: NodeJS.Timeout | undefined;

  get isMeasuring(): boolean {
    return this.#rest !== undefined;
  }

  /** Takes the place of the measures of the same names. */
  replaceMeasures(registry: Registry): void {
    for (const [measure, read] of Object.entries(MEASURES)) {
      const name = `nodejs_eventloop_lag_${measure}_seconds`;
      const help = `The ${measure} of the event loop delays since the last reading.`;
      registry.removeSingleMetric(name);
      // All are read in one turn, and only then is measured anew.
      const collect = (gauge: Gauge) => gauge.set(this.#delays.count === 0 ? 0 : read(this.#delays) / 1e9);
      new Gauge({
        name,
        help,
        registers: [registry],
        collect() {
          collect(this);
        },
      });
    }
  }

  /** Somebody has read the measures. */
  noteRead(): void {
    clearTimeout(this.#rest);
    this.#delays.reset();
    this.#delays.enable();
    this.#rest = setTimeout(() => {
      this.#delays.disable();
      this.#rest = undefined;
    }, READ_AGAIN_MS).unref();
  }
}
