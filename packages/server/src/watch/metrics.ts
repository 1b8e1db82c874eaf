import { collectDefaultMetrics, Counter, Histogram, Registry } from 'prom-client';
import { LoopDelay } from './loop-delay.ts';

export interface RequestMeasure {
  method: string;
  route: string;
  status: number;
  ms: number;
}

/** The library would wake the process a hundred times a second to measure what nobody may read. */
const NEVER_MS = 2 ** 30;

/** What Prometheus reads. Rooms add their own measures to `registry`. */
export class Metrics {
  readonly registry = new Registry();
  /** For measures that name people or tokens. */
  readonly adminRegistry = new Registry();
  readonly contentType = this.registry.contentType;
  readonly #duration = new Histogram({
    name: 'dragoman_http_request_seconds',
    help: 'Duration of requests, up to the end of their answers.',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.001, 0.005, 0.02, 0.1, 0.5, 2, 10, 60],
    registers: [this.registry],
  });

  readonly #loopDelay = new LoopDelay();

  constructor() {
    collectDefaultMetrics({ register: this.registry, eventLoopMonitoringPrecision: NEVER_MS });
    this.#loopDelay.replaceMeasures(this.registry);
  }

  /** Tells how many spans were lost on their way to the collector of traces. */
  countDroppedSpans(dropped: () => number): void {
    new Counter({
      name: 'dragoman_trace_spans_dropped_total',
      help: 'Spans that the trace collector did not accept.',
      registers: [this.registry],
      collect() {
        this.reset();
        this.inc(dropped());
      },
    });
  }

  observeRequest({ method, route, status, ms }: RequestMeasure): void {
    this.#duration.observe({ method, route, status }, ms / 1000);
  }

  async read(isAdmin: boolean): Promise<string> {
    const everybody = await this.registry.metrics();
    this.#loopDelay.noteRead();
    return isAdmin ? everybody + (await this.adminRegistry.metrics()) : everybody;
  }
}
