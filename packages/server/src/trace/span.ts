import type { TraceContext } from './trace-context.ts';

export type SpanKind = 'internal' | 'server' | 'client' | 'producer' | 'consumer';
export type AttributeValue = string | number | boolean | readonly string[];
export type Attributes = Readonly<Record<string, AttributeValue | undefined>>;

/** Texts in a span are cut here; names and codes are short. */
const LONGEST_TEXT = 256;

/** Something that took a while, inside of something else. */
export class Span {
  readonly name: string;
  readonly kind: SpanKind;
  readonly context: TraceContext;
  readonly parentSpanId: string | undefined;
  readonly startedAt = now();
  endedAt: number | undefined;
  readonly attributes: Record<string, AttributeValue> = {};
  /** Why it failed, by a code. */
  failure: string | undefined;
  readonly #onEnd: (span: Span) => void;

  constructor(
    name: string,
    kind: SpanKind,
    context: TraceContext,
    parentSpanId: string | undefined,
    onEnd: (span: Span) => void,
  ) {
    this.name = name.slice(0, LONGEST_TEXT);
    this.kind = kind;
    this.context = context;
    this.parentSpanId = parentSpanId;
    this.#onEnd = onEnd;
  }

  set(attributes: Attributes): void {
    if (!this.context.isSampled) return;
    for (const [name, value] of Object.entries(attributes))
      if (value !== undefined) this.attributes[name] = typeof value === 'string' ? value.slice(0, LONGEST_TEXT) : value;
  }

  /** A text of any length. Whoever sets it has bounded it, and taken out what is secret. */
  setText(name: string, text: string): void {
    if (this.context.isSampled) this.attributes[name] = text;
  }

  fail(code: string): void {
    this.failure = code;
    this.set({ 'error.type': code });
  }

  /** Ends it once; what comes later is not part of it. */
  end(): void {
    if (this.endedAt !== undefined) return;
    this.endedAt = now();
    if (this.context.isSampled) this.#onEnd(this);
  }
}

/** Milliseconds since 1970, with their fractions. */
function now(): number {
  return performance.timeOrigin + performance.now();
}
