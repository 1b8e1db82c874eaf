import { AsyncLocalStorage } from 'node:async_hooks';
import { DragomanError } from '@dragoman/protocol';
import { type Attributes, Span, type SpanKind } from './span.ts';
import { toTraceFields, type TraceContext, type TraceFields } from './trace-context.ts';
import type { Tracer } from './tracer.ts';

/** Where we are: inside a span of ours, or behind one of another program. */
interface Place {
  context: TraceContext;
}

/** There is none where traces are off, which then cost one comparison. */
let tracing: { tracer: Tracer; places: AsyncLocalStorage<Place>; hasContents: boolean } | undefined;

/** Traces from now on, in this whole process, with what was said where that is wanted. Returns how to end it. */
export function turnTracingOn(tracer: Tracer, hasContents: boolean): () => void {
  const turnedOn = { tracer, places: new AsyncLocalStorage<Place>(), hasContents };
  tracing = turnedOn;
  return () => {
    if (tracing === turnedOn) tracing = undefined;
  };
}

export function isTracing(): boolean {
  return tracing !== undefined;
}

/** Whether spans say what was said. */
export function isTracingContents(): boolean {
  return tracing?.hasContents === true;
}

/** The span that we are inside of. */
export function activeSpan(): Span | undefined {
  const place = tracing?.places.getStore();
  return place instanceof Span ? place : undefined;
}

/** What another program is told to go on with this trace. */
export function activeTraceFields(): TraceFields | undefined {
  const place = tracing?.places.getStore();
  return place === undefined ? undefined : toTraceFields(place.context);
}

/** Begins a span inside of the active one, or of what another program told. Whoever begins it ends it. */
export function startSpan(name: string, kind: SpanKind, parent?: TraceContext): Span | undefined {
  return tracing?.tracer.start(name, kind, parent ?? tracing.places.getStore()?.context);
}

/** Does something inside of a span, or behind one of another program. */
export function withinSpan<Result>(place: Place | undefined, work: () => Result): Result {
  return tracing === undefined || place === undefined ? work() : tracing.places.run(place, work);
}

/** Does something as a span of its own: it fails where the work throws, and ends with it. */
export async function inSpan<Result>(
  name: string,
  kind: SpanKind,
  attributes: () => Attributes,
  work: (span: Span | undefined) => Promise<Result>,
): Promise<Result> {
  if (tracing === undefined) return work(undefined);
  const span = startSpan(name, kind)!;
  span.set(attributes());
  try {
    return await withinSpan(span, () => work(span));
  } catch (error) {
    span.fail(error instanceof DragomanError ? error.code : error instanceof Error ? error.name : 'internal');
    throw error;
  } finally {
    span.end();
  }
}
