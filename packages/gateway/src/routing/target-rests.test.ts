import { DragomanError } from '@dragoman/protocol';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ProviderRefusal, toConnectionError } from '../upstreams/upstream-error.ts';
import { judgeFailure, type TargetFailure } from './judge-failure.ts';
import { testTarget } from './target.fixture.ts';
import { type Target, targetName } from './target.ts';
import { TargetRests } from './target-rests.ts';

const A = testTarget({}, 'a');
const B: Target = { ...A, model: 'b' };
const BUSY = new ProviderRefusal('unavailable', 'x', { status: 500, body: '', headers: {} }, { isRetryable: true });
const GONE = toConnectionError('test', Object.assign(new Error('x'), { code: 'ECONNREFUSED' }));

function openRests() {
  const clock = { now: 1_000_000 };
  const rests = new TargetRests(() => clock.now);
  const fail = (target: Target, error: DragomanError) =>
    rests.begin(target).failed(error.code, judgeFailure(error) as TargetFailure);
  return { clock, rests, fail };
}

test('a target that failed rests, and is due afterwards for one call', () => {
  const { clock, rests, fail } = openRests();
  fail(A, BUSY);

  expect([rests.standing(A), rests.standing(B)]).toEqual(['resting', 'well']);
  clock.now += 4_999;
  expect(rests.standing(A)).toBe('resting');
  clock.now += 1;
  expect(rests.standing(A)).toBe('due');
  const probe = rests.begin(A);
  expect(rests.standing(A)).toBe('resting');
  probe.answered();
  expect(rests.standing(A)).toBe('well');
});

test('each failure after a rest makes the next one longer, up to five minutes', () => {
  const { clock, rests, fail } = openRests();
  const lengths = Array.from({ length: 8 }, () => {
    fail(A, BUSY);
    const restMs = rests.restOf(A)!.until - clock.now;
    clock.now += restMs;
    return restMs / 1000;
  });

  expect(lengths).toEqual([5, 10, 20, 40, 80, 160, 300, 300]);
});

test('calls that fail together count as one failure', () => {
  const { clock, rests } = openRests();
  const calls = Array.from({ length: 50 }, () => rests.begin(A));
  for (const call of calls) call.failed(BUSY.code, judgeFailure(BUSY) as TargetFailure);

  expect(rests.restOf(A)).toMatchObject({ failures: 1, until: clock.now + 5_000 });
});

test('a provider is left alone as long as it asks for, up to a quarter of an hour', () => {
  const { clock, rests, fail } = openRests();
  fail(
    A,
    new ProviderRefusal(
      'rate-limited',
      'x',
      { status: 429, body: '', headers: {} },
      { isRetryable: true, retryAfterMs: 42_000 },
    ),
  );
  fail(
    B,
    new ProviderRefusal(
      'rate-limited',
      'x',
      { status: 429, body: '', headers: {} },
      { isRetryable: true, retryAfterMs: 86_400_000 },
    ),
  );

  expect(rests.restOf(A)).toMatchObject({ code: 'rate-limited', isAsked: true, until: clock.now + 42_000 });
  expect(rests.restOf(B)).toMatchObject({ isAsked: true, until: clock.now + 900_000 });
});

test('where nobody can be reached, all models of the provider rest, and one call tries for all', () => {
  const { clock, rests, fail } = openRests();
  fail(A, GONE);

  expect([rests.standing(A), rests.standing(B)]).toEqual(['resting', 'resting']);
  clock.now += 5_000;
  const probe = rests.begin(B);
  expect([rests.standing(A), rests.standing(B)]).toEqual(['resting', 'resting']);
  probe.failed(BUSY.code, judgeFailure(BUSY) as TargetFailure);
  expect([rests.standing(A), rests.standing(B)]).toEqual(['well', 'resting']);
});

test('a client that leaves while it tries a target leaves that to the next', () => {
  const { clock, rests, fail } = openRests();
  fail(A, BUSY);
  clock.now += 5_000;
  rests.begin(A).left();

  expect(rests.standing(A)).toBe('due');
});

test('an answer that was asked for before the failure does not end the rest', () => {
  const { rests, fail } = openRests();
  const early = rests.begin(A);
  fail(A, BUSY);
  early.answered();

  expect(rests.standing(A)).toBe('resting');
});

test('a provider whose settings have changed starts anew', () => {
  const { rests, fail } = openRests();
  fail(A, GONE);
  const mended = testTarget({ baseUrl: 'http://127.0.0.1:2/v1' }, 'a');

  expect(rests.standing(mended)).toBe('well');
  expect(rests.list({ test: A.provider })).toEqual([
    { name: 'test', code: 'unavailable', since: 1_000_000, until: 1_005_000, isAsked: false, failures: 1 },
  ]);
  expect(rests.list({ test: mended.provider })).toEqual([]);
});

test('what clients ask wrongly, or a client that leaves, makes nobody rest', () => {
  const codes = ['bad-request', 'not-found', 'context-overflow', 'too-large', 'cancelled', 'config-invalid'] as const;
  expect(codes.map((code) => judgeFailure(new DragomanError(code, 'x')).kind)).toEqual([
    'answered',
    'answered',
    'answered',
    'answered',
    'unknown',
    'answered',
  ]);
});

test('a call that fails late does not let a second one try the target', () => {
  const { clock, rests, fail } = openRests();
  const late = rests.begin(A);
  fail(A, BUSY);
  clock.now += 5_000;
  rests.begin(A);
  late.failed(BUSY.code, judgeFailure(BUSY) as TargetFailure);
  clock.now += 60_000;

  expect(rests.standing(A)).toBe('resting');
});

test('no more than five hundred rests are remembered', () => {
  const { rests, fail } = openRests();
  for (let number = 0; number < 600; number++) fail({ ...A, model: `m${number}` }, BUSY);

  expect(rests.list({ test: A.provider })).toHaveLength(500);
  expect(rests.standing({ ...A, model: 'm599' })).toBe('resting');
});

test('whatever happens, at most one call tries a target, and only after its rest', () => {
  const step = fc.oneof(
    fc.record({ do: fc.constant('begin' as const), model: fc.constantFrom('a', 'b') }),
    fc.record({
      do: fc.constantFrom('answer' as const, 'fail' as const, 'lose' as const, 'leave' as const),
      at: fc.nat(20),
    }),
    fc.record({ do: fc.constant('wait' as const), ms: fc.constantFrom(1_000, 6_000, 60_000) }),
  );
  fc.assert(
    fc.property(fc.array(step, { minLength: 30, maxLength: 120 }), (steps) => {
      const { clock, rests } = openRests();
      const open: { call: ReturnType<TargetRests['begin']>; isProbe: boolean; model: string }[] = [];
      for (const taken of steps) {
        if (taken.do === 'wait') clock.now += taken.ms;
        else if (taken.do === 'begin') {
          const target = { ...A, model: taken.model };
          const standing = rests.standing(target);
          if (standing === 'resting') continue;
          const until = rests.restOf(target)?.until ?? 0;
          if (until > clock.now) throw new Error('asked while it rests');
          open.push({ call: rests.begin(target), isProbe: standing === 'due', model: taken.model });
        } else if (open.length > 0) {
          const [{ call }] = open.splice(taken.at % open.length, 1) as [(typeof open)[number]];
          if (taken.do === 'answer') call.answered();
          else if (taken.do === 'leave') call.left();
          else {
            const error = taken.do === 'fail' ? BUSY : GONE;
            call.failed(error.code, judgeFailure(error) as TargetFailure);
          }
        }
        for (const model of ['a', 'b'])
          expect(open.filter((one) => one.isProbe && one.model === model).length).toBeLessThanOrEqual(1);
      }
    }),
    { numRuns: 500 },
  );
});

test('an answer that another process got ends the rests that began before it', () => {
  const { clock, rests, fail } = openRests();
  fail(A, BUSY);
  rests.answeredElsewhere(targetName(A), clock.now - 1);
  expect(rests.standing(A)).toBe('resting');
  rests.answeredElsewhere(targetName(B), clock.now + 1);
  expect(rests.standing(A)).toBe('resting');
  rests.answeredElsewhere(targetName(A), clock.now + 1);
  expect(rests.standing(A)).toBe('well');

  fail(A, GONE);
  rests.answeredElsewhere(targetName(B), clock.now + 1);
  expect(rests.standing(A)).toBe('well');
});
