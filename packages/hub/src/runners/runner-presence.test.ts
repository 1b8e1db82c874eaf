import { expect, test } from 'vitest';
import { RunnerPresence } from './runner-presence.ts';

/** The presence as one of several processes on a PostgreSQL knows it, and a clock to set. */
function testPresence() {
  const clock = { now: 1_000_000 };
  return { clock, presence: new RunnerPresence('postgres', () => clock.now) };
}

test('a runner at another process is connected as long as it gives a sign of life', () => {
  const { clock, presence } = testPresence();
  const runner = { id: 'run_1', last_seen_at: clock.now };

  expect(presence.isConnected(runner)).toBe(true);
  clock.now += 39_999;
  expect(presence.isConnected(runner)).toBe(true);
  clock.now += 1;
  expect(presence.isConnected(runner)).toBe(false);
});

test('a runner that moves to another process has not left, although its stream ends here', () => {
  const { clock, presence } = testPresence();
  const stream = new AbortController();
  presence.enter('run_1', stream);

  presence.heardOf('run_1', true);

  expect(stream.signal.aborted).toBe(true);
  expect(presence.leave('run_1', stream)).toBe(false);
  expect(presence.isConnected({ id: 'run_1', last_seen_at: clock.now })).toBe(true);
});

test('a runner that left is away at once, and a later sign of life counts more than news that came late', () => {
  const { clock, presence } = testPresence();
  presence.heardOf('run_1', false);
  expect(presence.isConnected({ id: 'run_1', last_seen_at: clock.now - 10 })).toBe(false);

  clock.now += 15_000;

  expect(presence.isConnected({ id: 'run_1', last_seen_at: clock.now })).toBe(true);
});

test('that a runner left another process says nothing of its stream here', () => {
  const { presence } = testPresence();
  presence.enter('run_1', new AbortController());

  presence.heardOf('run_1', false);

  expect(presence.isConnected({ id: 'run_1', last_seen_at: 0 })).toBe(true);
});

test('with SQLite only a stream that is open here counts', () => {
  const presence = new RunnerPresence('sqlite', () => 1000);
  const stream = new AbortController();

  expect(presence.isConnected({ id: 'run_1', last_seen_at: 1000 })).toBe(false);
  presence.enter('run_1', stream);
  expect(presence.isConnected({ id: 'run_1', last_seen_at: 0 })).toBe(true);
  presence.leave('run_1', stream);
  expect(presence.isConnected({ id: 'run_1', last_seen_at: 1000 })).toBe(false);
});
