import { expect, test } from 'vitest';
import { RunnerPresence } from './runner-presence.ts';

/** The presence as one of several processes on a PostgreSQL knows it, a clock to set, and the others that live. */
function testPresence() {
  const clock = { now: 1_000_000 };
  const alive = new Set(['here', 'there']);
  const processes = {
    id: 'here',
    isAlive: (id: string) => alive.has(id),
    met: (id: string) => void alive.add(id),
  };
  return { clock, alive, presence: new RunnerPresence('postgres', () => clock.now, processes) };
}

const alone = { id: 'here', isAlive: (id: string) => id === 'here', met: () => {} };

test('a runner at another process is connected as long as that process lives', () => {
  const { alive, presence } = testPresence();
  const runner = { id: 'run_1', last_seen_at: 0, connected_to: 'there' };

  expect(presence.isConnected(runner)).toBe(true);
  alive.delete('there');
  expect(presence.isConnected(runner)).toBe(false);
});

test('a runner that left its process is away at once', () => {
  const { clock, presence } = testPresence();

  expect(presence.isConnected({ id: 'run_1', last_seen_at: clock.now, connected_to: '' })).toBe(false);
});

test('a process that was not known lives when it tells of a runner', () => {
  const { presence } = testPresence();

  presence.heardOf('run_1', true, 'new');

  expect(presence.isConnected({ id: 'run_1', last_seen_at: 0, connected_to: 'new' })).toBe(true);
});

test('a runner at a process of an older version is connected as long as it gives a sign of life', () => {
  const { clock, presence } = testPresence();
  const runner = { id: 'run_1', last_seen_at: clock.now, connected_to: null };

  expect(presence.isConnected(runner)).toBe(true);
  clock.now += 39_999;
  expect(presence.isConnected(runner)).toBe(true);
  clock.now += 1;
  expect(presence.isConnected(runner)).toBe(false);
});

test('a runner that moves to another process has not left, although its stream ends here', () => {
  const { presence } = testPresence();
  const stream = new AbortController();
  presence.enter('run_1', stream);

  presence.heardOf('run_1', true, 'there');

  expect(stream.signal.aborted).toBe(true);
  expect(presence.leave('run_1', stream)).toBe(false);
  expect(presence.isConnected({ id: 'run_1', last_seen_at: 0, connected_to: 'there' })).toBe(true);
});

test('a runner that left an older process is away at once, and a later sign of life counts more than news that came late', () => {
  const { clock, presence } = testPresence();
  presence.heardOf('run_1', false, 'older');
  expect(presence.isConnected({ id: 'run_1', last_seen_at: clock.now - 10, connected_to: null })).toBe(false);

  clock.now += 15_000;

  expect(presence.isConnected({ id: 'run_1', last_seen_at: clock.now, connected_to: null })).toBe(true);
});

test('that a runner left another process says nothing of its stream here', () => {
  const { presence } = testPresence();
  presence.enter('run_1', new AbortController());

  presence.heardOf('run_1', false, 'there');

  expect(presence.isConnected({ id: 'run_1', last_seen_at: 0, connected_to: '' })).toBe(true);
});

test('with SQLite only a stream that is open here counts', () => {
  const presence = new RunnerPresence('sqlite', () => 1000, alone);
  const stream = new AbortController();
  const row = (last_seen_at: number) => ({ id: 'run_1', last_seen_at, connected_to: null });

  expect(presence.isConnected(row(1000))).toBe(false);
  presence.enter('run_1', stream);
  expect(presence.isConnected(row(0))).toBe(true);
  presence.leave('run_1', stream);
  expect(presence.isConnected(row(1000))).toBe(false);
});
