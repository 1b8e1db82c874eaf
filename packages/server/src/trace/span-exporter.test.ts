import { startTraceCollector } from '@dragoman/testkit';
import { expect, test } from 'vitest';
import { SpanExporter } from './span-exporter.ts';
import { Tracer } from './tracer.ts';

async function open(statuses: number[] = [200]) {
  const collector = await startTraceCollector();
  collector.answer(...statuses);
  const told: string[] = [];
  const exporter = new SpanExporter({
    url: collector.url,
    headers: { 'x-key': 'k' },
    resource: { 'service.name': 'test' },
    onTrouble: (message) => told.push(message),
  });
  const tracer = new Tracer(1, exporter.add);
  const end = (count: number) => {
    for (let number = 0; number < count; number++) tracer.start(`span ${number}`, 'internal', undefined).end();
  };
  return { collector, exporter, tracer, told, end };
}

test('spans arrive with their times, attributes, state and why they failed', async () => {
  const { collector, exporter, tracer, told } = await open();
  const outer = tracer.start('outer', 'server', undefined);
  const inner = tracer.start('inner', 'client', { ...outer.context, state: 'v=1' });
  inner.set({ text: 'a', whole: 7, part: 0.5, yes: true, list: ['b', 'c'], nothing: undefined });
  inner.fail('timed-out');
  inner.end();
  inner.end();
  outer.end();
  await exporter.close();

  expect(collector.spans).toEqual([
    {
      traceId: outer.context.traceId,
      spanId: inner.context.spanId,
      parentSpanId: outer.context.spanId,
      traceState: 'v=1',
      flags: 1,
      name: 'inner',
      kind: 3,
      ms: expect.any(Number) as number,
      attributes: { text: 'a', whole: 7, part: 0.5, yes: true, list: ['b', 'c'], 'error.type': 'timed-out' },
      status: { code: 2, message: 'timed-out' },
    },
    expect.objectContaining({ name: 'outer', kind: 2, spanId: outer.context.spanId }),
  ]);
  expect(collector.spans.every(({ ms }) => ms >= 0 && ms < 60_000)).toBe(true);
  expect(collector.requests).toMatchObject([
    { path: '/v1/traces', headers: { 'x-key': 'k', 'content-type': 'application/json' } },
  ]);
  expect(told).toEqual([]);
});

test('many spans come in several requests, and none is lost while the collector is busy for a moment', async () => {
  const { collector, exporter, end } = await open([503, 200]);
  end(1200);
  await expect.poll(() => collector.requests.length).toBeGreaterThan(0);
  await exporter.close();

  expect(collector.spans).toHaveLength(1200);
  expect(exporter.dropped).toBe(0);
});

test('a collector that takes nothing costs a bounded number of spans, which are counted and told once', async () => {
  const { exporter, told, end } = await open([503]);
  end(6000);
  await exporter.close();

  expect(exporter.dropped).toBe(6000);
  expect(told).toHaveLength(1);
});

test('what the collector refuses for good is dropped', async () => {
  const { collector, exporter, told, end } = await open([400]);
  end(3);
  await exporter.close();

  expect([collector.requests.length, exporter.dropped]).toEqual([1, 3]);
  expect(told).toEqual(['3 spans were dropped so far: it answered 400.']);
});

test('a trace of another program is kept as it says, and one of ours by its share', () => {
  const ended: string[] = [];
  const none = new Tracer(0, ({ name }) => ended.push(name));
  const parent = { traceId: 'a'.repeat(32), spanId: 'b'.repeat(16), isSampled: true, state: '' };
  none.start('ours', 'internal', undefined).end();
  none.start('asked for', 'internal', parent).end();
  const all = new Tracer(1, ({ name }) => ended.push(name));
  all.start('not asked for', 'internal', { ...parent, isSampled: false }).end();

  expect(ended).toEqual(['asked for']);
});
