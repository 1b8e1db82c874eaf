/** Where in a trace something happens, as W3C's Trace Context passes it from program to program. */
export interface TraceContext {
  traceId: string;
  spanId: string;
  isSampled: boolean;
  /** What other systems on the way want to keep with it. */
  state: string;
}

/** A longer one may be dropped by anybody. */
const LONGEST_STATE = 512;
const TRACEPARENT = /^(?!ff)([\da-f]{2})-(?!0{32})([\da-f]{32})-(?!0{16})([\da-f]{16})-([\da-f]{2})(-.*)?$/;

/** Reads what came as `traceparent` and `tracestate`. What is not as the standard says counts as nothing. */
export function parseTraceContext(traceparent: unknown, tracestate?: unknown): TraceContext | undefined {
  const parts = typeof traceparent === 'string' ? TRACEPARENT.exec(traceparent.trim()) : null;
  if (parts === null) return undefined;
  const [, version, traceId, spanId, flags, rest] = parts;
  if (version === '00' && rest !== undefined) return undefined;
  const isState =
    typeof tracestate === 'string' && /^[\x20-\x7e]*$/.test(tracestate) && tracestate.length <= LONGEST_STATE;
  return {
    traceId: traceId!,
    spanId: spanId!,
    isSampled: (Number.parseInt(flags!, 16) & 1) === 1,
    state: isState ? tracestate : '',
  };
}

/** A place in a trace on its way to another program: header fields, or those of MCP's `_meta`. */
export type TraceFields = { traceparent: string; tracestate?: string };

/** The same for the next program. */
export function toTraceFields({ traceId, spanId, isSampled, state }: TraceContext): TraceFields {
  const traceparent = `00-${traceId}-${spanId}-${isSampled ? '01' : '00'}`;
  return state === '' ? { traceparent } : { traceparent, tracestate: state };
}
