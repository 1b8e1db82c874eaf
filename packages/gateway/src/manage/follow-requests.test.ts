import { expect, test } from 'vitest';
import { CallWatch } from '../metering/call-watch.ts';
import { followRequests } from './follow-requests.ts';

/** A reader that says when it can take more. */
function openReader() {
  const gone = new AbortController();
  const got: string[] = [];
  let drained: (() => void) | undefined;
  return {
    got,
    stream: {
      signal: gone.signal,
      send(json: string): void | Promise<void> {
        got.push(json);
        return drained === undefined ? undefined : new Promise<void>((resolve) => (drained = resolve));
      },
      end: () => gone.abort(),
    },
    beSlow: () => (drained = () => {}),
    catchUp: () => {
      const go = drained;
      drained = undefined;
      go?.();
    },
  };
}

function refuse(calls: CallWatch, at: number): void {
  calls.refused({
    id: `call_${at}`,
    at: at * 1000,
    userName: 'ada',
    tokenName: 'desk',
    dialect: 'augment',
    route: '',
    target: '',
    isStreamed: false,
    totalMs: 1,
    finishReason: 'error',
    errorCode: 'not-found',
    attempts: 0,
    redactions: 0,
    repairs: 0,
  });
}

const idsOf = (got: string[]) => got.map((json) => (JSON.parse(json) as { id: string }).id);

test('a slow reader gets what happened meanwhile when it has caught up, in order', async () => {
  const calls = new CallWatch();
  const reader = openReader();
  followRequests(calls, reader.stream);

  refuse(calls, 1);
  reader.beSlow();
  for (const at of [2, 3, 4]) refuse(calls, at);
  expect(idsOf(reader.got)).toEqual(['call_1', 'call_2']);
  reader.catchUp();
  await expect.poll(() => idsOf(reader.got)).toEqual(['call_1', 'call_2', 'call_3', 'call_4']);
  refuse(calls, 5);
  expect(idsOf(reader.got).at(-1)).toBe('call_5');
});

test('a reader that takes nothing is sent away before much has gathered for it', () => {
  const calls = new CallWatch();
  const reader = openReader();
  followRequests(calls, reader.stream);
  reader.beSlow();

  for (let at = 1; at <= 600; at++) refuse(calls, at);

  expect(reader.stream.signal.aborted).toBe(true);
  expect(reader.got).toHaveLength(1);
  expect(calls.refusals).toHaveLength(200);
  expect(calls.counters).toEqual({ calls: 0, failed: 0, refused: 600 });
});
