import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseTraceContext, toTraceFields } from './trace-context.ts';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const SPAN = '00f067aa0ba902b7';

test('what another program says is read and passed on', () => {
  expect(parseTraceContext(`00-${TRACE}-${SPAN}-01`, 'vendor=a,other=b')).toEqual({
    traceId: TRACE,
    spanId: SPAN,
    isSampled: true,
    state: 'vendor=a,other=b',
  });
  expect(parseTraceContext(`00-${TRACE}-${SPAN}-00`)?.isSampled).toBe(false);
  expect(parseTraceContext(`cc-${TRACE}-${SPAN}-03-more`)?.isSampled).toBe(true);
  expect(parseTraceContext(`00-${TRACE}-${SPAN}-01`, 'x'.repeat(513))?.state).toBe('');
  expect(parseTraceContext(`00-${TRACE}-${SPAN}-01`, 'a=b\nc: d')?.state).toBe('');
});

test.each([
  undefined,
  7,
  '',
  `ff-${TRACE}-${SPAN}-01`,
  `00-${'0'.repeat(32)}-${SPAN}-01`,
  `00-${TRACE}-${'0'.repeat(16)}-01`,
  `00-${TRACE.toUpperCase()}-${SPAN}-01`,
  `00-${TRACE}-${SPAN}-01-more`,
  `00-${TRACE}-${SPAN}`,
])('what is not as the standard says counts as nothing: %s', (traceparent) => {
  expect(parseTraceContext(traceparent)).toBeUndefined();
});

test('whatever is passed on is read again as it was', () => {
  const hex = (length: number) =>
    fc.stringMatching(new RegExp(`^[0-9a-f]{${length}}$`)).filter((text) => !/^0+$/.test(text));
  const context = fc.record({
    traceId: hex(32),
    spanId: hex(16),
    isSampled: fc.boolean(),
    state: fc.constantFrom('', 'a=b', 'vendor@x=1,b=2'),
  });
  fc.assert(
    fc.property(context, (given) => {
      const { traceparent, tracestate } = toTraceFields(given);
      expect(parseTraceContext(traceparent, tracestate)).toEqual(given);
    }),
  );
});
