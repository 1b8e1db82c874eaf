import type { AttributeValue, Span, SpanKind } from './span.ts';

/** OpenTelemetry's numbers. */
const KINDS: Record<SpanKind, number> = { internal: 1, server: 2, client: 3, producer: 4, consumer: 5 };
const STATUS_ERROR = 2;
const SAMPLED = 1;

/** Spans as a request of OTLP over HTTP in its JSON form. */
export function toOtlpJson(spans: readonly Span[], resource: Readonly<Record<string, AttributeValue>>): string {
  return JSON.stringify({
    resourceSpans: [
      {
        resource: { attributes: toAttributes(resource) },
        scopeSpans: [{ scope: { name: 'dragoman' }, spans: spans.map(toOtlpSpan) }],
      },
    ],
  });
}

function toOtlpSpan(span: Span): object {
  const { context, parentSpanId, failure } = span;
  return {
    traceId: context.traceId,
    spanId: context.spanId,
    ...(context.state === '' ? {} : { traceState: context.state }),
    ...(parentSpanId === undefined ? {} : { parentSpanId }),
    flags: SAMPLED,
    name: span.name,
    kind: KINDS[span.kind],
    startTimeUnixNano: toNanos(span.startedAt),
    endTimeUnixNano: toNanos(span.endedAt!),
    attributes: toAttributes(span.attributes),
    ...(failure === undefined ? {} : { status: { code: STATUS_ERROR, message: failure } }),
  };
}

function toAttributes(attributes: Readonly<Record<string, AttributeValue>>): object[] {
  return Object.entries(attributes).map(([key, value]) => ({ key, value: toValue(value) }));
}

function toValue(value: AttributeValue): object {
  if (typeof value === 'string') return { stringValue: value };
  if (typeof value === 'boolean') return { boolValue: value };
  if (typeof value === 'number') return Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value };
  return { arrayValue: { values: value.map((text) => ({ stringValue: text })) } };
}

/** A number cannot hold so many digits. */
function toNanos(ms: number): string {
  const whole = Math.floor(ms);
  return String(BigInt(whole) * 1_000_000n + BigInt(Math.round((ms - whole) * 1_000_000)));
}
