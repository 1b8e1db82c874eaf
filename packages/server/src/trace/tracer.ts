import { randomBytes } from 'node:crypto';
import { Span, type SpanKind } from './span.ts';
import type { TraceContext } from './trace-context.ts';

/** Begins spans, and hands those over that are to be kept. */
export class Tracer {
  readonly #sampling: number;
  readonly #onEnd: (span: Span) => void;

  /** `sampling` is the share of traces that begin here and are kept, from 0 to 1. Those of others are kept as they say. */
  constructor(sampling: number, onEnd: (span: Span) => void) {
    this.#sampling = sampling;
    this.#onEnd = onEnd;
  }

  start(name: string, kind: SpanKind, parent: TraceContext | undefined): Span {
    const random = randomBytes(24).toString('hex');
    const context: TraceContext = {
      traceId: parent?.traceId ?? random.slice(0, 32),
      spanId: random.slice(32),
      isSampled: parent?.isSampled ?? Math.random() < this.#sampling,
      state: parent?.state ?? '',
    };
    return new Span(name, kind, context, parent?.spanId, this.#onEnd);
  }
}
