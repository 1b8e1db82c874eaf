import { Registry } from 'prom-client';
import { expect, onTestFinished, test, vi } from 'vitest';
import { LoopDelay } from './loop-delay.ts';
import { Metrics } from './metrics.ts';

test('the event loop is measured while somebody reads the measures, and left alone when nobody does any more', () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const delay = new LoopDelay();
  delay.replaceMeasures(new Registry());
  expect(delay.isMeasuring).toBe(false);

  delay.noteRead();
  vi.advanceTimersByTime(119_000);
  delay.noteRead();
  vi.advanceTimersByTime(119_000);
  expect(delay.isMeasuring).toBe(true);
  vi.advanceTimersByTime(1_000);
  expect(delay.isMeasuring).toBe(false);
});

test('each measure of the event loop is told once, under the name that Prometheus knows', async () => {
  const metrics = new Metrics();
  onTestFinished(() => metrics.registry.clear());
  const told = (await metrics.read(false)).split('\n').filter((line) => line.startsWith('nodejs_eventloop_lag_'));
  expect(told.map((line) => line.split(' ')[0]).toSorted((one, next) => one!.localeCompare(next!))).toEqual([
    'nodejs_eventloop_lag_max_seconds',
    'nodejs_eventloop_lag_mean_seconds',
    'nodejs_eventloop_lag_min_seconds',
    'nodejs_eventloop_lag_p50_seconds',
    'nodejs_eventloop_lag_p90_seconds',
    'nodejs_eventloop_lag_p99_seconds',
    'nodejs_eventloop_lag_seconds',
    'nodejs_eventloop_lag_stddev_seconds',
  ]);
});
