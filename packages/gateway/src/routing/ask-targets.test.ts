import { DragomanError } from '@dragoman/protocol';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type GatewayConfigInput, testConfig } from '../gateway.fixture.ts';
import { RefusedCall } from '../policy/refused-call.ts';
import { ProviderRefusal, toConnectionError } from '../upstreams/upstream-error.ts';
import { askTargets } from './ask-targets.ts';
import { resolveRoute } from './resolve-route.ts';
import { targetName } from './target.ts';
import { TargetWatch } from './target-watch.ts';

const PROVIDERS: GatewayConfigInput['providers'] = {
  a: { type: 'openai-chat', prices: { '*': { input: 3, output: 15 } } },
  b: { type: 'openai-chat', prices: { '*': { input: 1, output: 5 } } },
  c: { type: 'openai-chat' },
};
type RouteInput = NonNullable<GatewayConfigInput['routes']>[string];

const busy = (retryAfterMs?: number) => refusal('unavailable', 503, retryAfterMs);
const limited = (retryAfterMs?: number) => refusal('rate-limited', 429, retryAfterMs);
const TOO_LONG = new DragomanError('context-overflow', 'too long');
const LOST = toConnectionError('x', Object.assign(new Error('x'), { code: 'ECONNRESET' }));
const SILENT = toConnectionError('x', Object.assign(new Error('x'), { code: 'UND_ERR_HEADERS_TIMEOUT' }));

function refusal(code: 'unavailable' | 'rate-limited', status: number, retryAfterMs?: number): ProviderRefusal {
  return new ProviderRefusal(
    code,
    'x',
    { status, body: '', headers: {} },
    {
      isRetryable: true,
      ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
    },
  );
}

/** A route whose targets answer as the test says; those of which nothing is said answer well. */
function openRoute(route: RouteInput, options: { random?: () => number } = {}) {
  const clock = { now: 0 };
  const waits: number[] = [];
  const watch = new TargetWatch({
    now: () => clock.now,
    random: options.random ?? (() => 0.5),
    wait: async (ms, signal) => {
      waits.push(ms);
      clock.now += ms;
      signal.throwIfAborted();
    },
  });
  const resolved = resolveRoute('r', testConfig({ providers: PROVIDERS, routes: { r: route } }));
  const script: Record<string, DragomanError[]> = {};
  const beginMs: Record<string, number> = {};
  const asked: string[] = [];
  const ask = async (conversation?: string, signal = new AbortController().signal, asksEachOnce = false) => {
    asked.length = 0;
    const error = await askTargets({
      route: resolved,
      watch,
      asksEachOnce,
      isStreamed: true,
      conversation: () => conversation,
      signal,
      attempt: async (target, begun) => {
        const name = targetName(target);
        asked.push(name);
        const failure = script[name]?.shift();
        if (failure !== undefined) return failure;
        clock.now += beginMs[name] ?? 0;
        begun();
        return undefined;
      },
    });
    return { asked: [...asked], ...(error === undefined ? {} : { error: error.code }) };
  };
  return { ask, script, clock, watch, waits, beginMs, targets: resolved.targets };
}

test('a target that failed is passed over, tried by one call after its rest, and back when that was answered', async () => {
  const { ask, script, clock } = openRoute(['a/m', 'b/m']);
  script['a/m'] = [busy(), busy()];

  expect(await ask()).toEqual({ asked: ['a/m', 'b/m'] });
  expect(await ask()).toEqual({ asked: ['b/m'] });
  clock.now = 5_000;
  expect(await ask()).toEqual({ asked: ['a/m', 'b/m'] });
  clock.now = 14_999;
  expect(await ask()).toEqual({ asked: ['b/m'] });
  clock.now = 15_000;
  expect(await ask()).toEqual({ asked: ['a/m'] });
  expect(await ask()).toEqual({ asked: ['a/m'] });
});

test('what is wrong with the call ends it, and the target is asked again at once', async () => {
  const { ask, script } = openRoute(['a/m', 'b/m']);
  script['a/m'] = [new ProviderRefusal('bad-request', 'x', { status: 400, body: '', headers: {} })];

  expect(await ask()).toEqual({ asked: ['a/m'], error: 'bad-request' });
  expect(await ask()).toEqual({ asked: ['a/m'] });
});

test('a target that does not have the model is followed by the next, and does not rest', async () => {
  const { ask, script } = openRoute(['a/m', 'b/m']);
  script['a/m'] = [
    new ProviderRefusal('not-found', 'x', { status: 404, body: '', headers: {} }, { isRetryable: true }),
  ];

  expect(await ask()).toEqual({ asked: ['a/m', 'b/m'] });
  expect(await ask()).toEqual({ asked: ['a/m'] });
});

test('a target that cannot be told what is asked is passed over, and what another said is told', async () => {
  const { ask, script } = openRoute(['a/m', 'b/m', 'c/m']);
  const refused = new RefusedCall('bad-request', 'no images', { isRetryable: true });
  script['a/m'] = [refused, refused];
  script['b/m'] = [SILENT];
  script['c/m'] = [refused];

  expect(await ask()).toEqual({ asked: ['a/m', 'b/m', 'c/m'], error: 'timed-out' });
  expect(await ask()).toEqual({ asked: ['a/m', 'c/m'] });
});

test('where all rest, the one that comes back first is asked all the same', async () => {
  const { ask, script, clock } = openRoute(['a/m', 'b/m']);
  script['a/m'] = [limited(), limited()];
  script['b/m'] = [
    new ProviderRefusal('forbidden', 'x', { status: 403, body: '', headers: {} }, { isRetryable: true }),
  ];

  expect(await ask()).toEqual({ asked: ['a/m', 'b/m'], error: 'forbidden' });
  clock.now = 1_000;
  expect(await ask()).toEqual({ asked: ['a/m'], error: 'rate-limited' });
  expect(await ask()).toEqual({ asked: ['a/m'] });
});

test('one that did not ask to be left alone is asked before one that did, and the only one is always asked', async () => {
  const { ask, script } = openRoute(['a/m', 'b/m']);
  script['a/m'] = [limited(3_000)];
  script['b/m'] = [SILENT, SILENT];
  await ask();

  expect(await ask()).toEqual({ asked: ['b/m'], error: 'timed-out' });
  const only = openRoute(['a/m']);
  only.script['a/m'] = [limited(30_000)];
  expect(await only.ask()).toEqual({ asked: ['a/m'], error: 'rate-limited' });
  expect(await only.ask()).toEqual({ asked: ['a/m'] });
});

test('a test of a route passes over nobody, and asks nobody twice', async () => {
  const { ask, script } = openRoute(['a/m']);
  script['a/m'] = [limited(60_000), busy()];
  await ask();

  expect(await ask(undefined, undefined, true)).toEqual({ asked: ['a/m'], error: 'unavailable' });
});

test.each([
  ['a connection that was lost', LOST],
  ['a failure of the provider', busy()],
  [
    'a provider that is overloaded',
    new ProviderRefusal('unavailable', 'x', { status: 529, body: '', headers: {} }, { isRetryable: true }),
  ],
  ['a short wait that the provider asks for', limited(1_500)],
])('%s is followed by one more call to the last target', async (_, error) => {
  const { ask, script, waits } = openRoute(['a/m', 'b/m']);
  script['a/m'] = [busy()];
  script['b/m'] = [error];

  expect(await ask()).toEqual({ asked: ['a/m', 'b/m', 'b/m'] });
  expect(waits).toEqual([(error.retryAfterMs ?? 300) + 150]);
});

test.each([
  ['an answer that did not begin in time', SILENT],
  ['a long wait that the provider asks for', busy(3_000)],
  ['a limit without a word on how long it lasts', limited()],
])('%s is not followed by another call to the same target', async (_, error) => {
  const { ask, script } = openRoute(['a/m']);
  script['a/m'] = [error];

  expect(await ask()).toMatchObject({ asked: ['a/m'], error: error.code });
});

test('a target that goes on failing is asked twice, and no third time', async () => {
  const { ask, script } = openRoute(['a/m']);
  script['a/m'] = [busy(), busy(), busy()];

  expect(await ask()).toEqual({ asked: ['a/m', 'a/m'], error: 'unavailable' });
});

test('a target that rests is not asked twice', async () => {
  const { ask, script } = openRoute(['a/m']);
  script['a/m'] = [busy(), busy(), busy()];
  await ask();

  expect(await ask()).toEqual({ asked: ['a/m'], error: 'unavailable' });
});

test('a client that leaves during the wait ends the call', async () => {
  const { ask, script, waits } = openRoute(['a/m']);
  script['a/m'] = [busy()];
  const leaving = new AbortController();
  const asked = ask(undefined, leaving.signal);
  leaving.abort();

  expect(await asked).toEqual({ asked: ['a/m'], error: 'unavailable' });
  expect(waits.length).toBeLessThanOrEqual(1);
});

test.each([
  ['order', ['a/gpt-4o', 'a/claude-sonnet-5', 'c/gemini-3']],
  ['weight', ['a/gpt-4o', 'a/claude-sonnet-5', 'c/gemini-3']],
  ['fastest', ['a/gpt-4o', 'a/claude-sonnet-5', 'c/gemini-3']],
  ['cheapest', ['b/own-model', 'b/deepseek-chat', 'a/claude-sonnet-5', 'c/gemini-3']],
] as const)(
  'with the policy %s a prompt that is too long goes to targets that are known to take more',
  async (policy, asked) => {
    const others = ['b/own-model', 'b/deepseek-chat', 'a/claude-sonnet-5', 'c/gemini-3'];
    const weights = Object.fromEntries(others.map((name) => [name, 0]));
    const { ask, script } = openRoute({
      targets: ['a/gpt-4o', ...others],
      policy,
      ...(policy === 'weight' ? { weights } : {}),
    });
    for (const name of ['a/gpt-4o', 'b/own-model', 'b/deepseek-chat', 'a/claude-sonnet-5']) script[name] = [TOO_LONG];

    expect(await ask()).toEqual({ asked });
  },
);

test('where nobody takes more, the client is told that the prompt is too long', async () => {
  const { ask, script } = openRoute(['a/claude-sonnet-5', 'b/gpt-4o', 'c/gemini-3']);
  script['a/claude-sonnet-5'] = [TOO_LONG];
  script['c/gemini-3'] = [SILENT];

  expect(await ask()).toEqual({ asked: ['a/claude-sonnet-5', 'c/gemini-3'], error: 'context-overflow' });
});

test('a conversation stays at the target that answered it, until that rests', async () => {
  const { ask, script } = openRoute({ targets: ['a/m', 'b/m'], policy: 'weight' });

  expect(await ask('one')).toEqual({ asked: ['a/m'] });
  expect(await ask('three')).toEqual({ asked: ['b/m'] });
  expect(await ask('one')).toEqual({ asked: ['a/m'] });
  script['a/m'] = [SILENT];
  expect(await ask('one')).toEqual({ asked: ['a/m', 'b/m'] });
  expect(await ask('one')).toEqual({ asked: ['b/m'] });
});

test('every server draws the same target for a conversation, and targets by their weights for all of them', async () => {
  const route: RouteInput = { targets: ['a/m', 'b/m'], policy: 'weight', weights: { 'a/m': 3, 'b/m': 1 } };
  const [here, there] = [openRoute(route), openRoute(route, { random: () => 0.99 })];
  let ofA = 0;
  for (let number = 0; number < 400; number++) {
    const drawn = await here.ask(`conversation ${number}`);
    expect(await there.ask(`conversation ${number}`)).toEqual(drawn);
    if (drawn.asked[0] === 'a/m') ofA++;
  }

  expect(ofA).toBe(301);
});

test('a conversation that moved on stays there, also when the first target is well again', async () => {
  const { ask, script, clock } = openRoute(['a/m', 'b/m']);
  script['a/m'] = [limited()];
  await ask('one');
  clock.now = 10_000;

  expect(await ask('two')).toEqual({ asked: ['a/m'] });
  expect(await ask('one')).toEqual({ asked: ['b/m'] });
  clock.now += 3_600_001;
  expect(await ask('one')).toEqual({ asked: ['a/m'] });
});

test('a route that is not sticky forgets who answered', async () => {
  const { ask, script, clock } = openRoute({ targets: ['a/m', 'b/m'], sticky: false });
  script['a/m'] = [limited()];
  await ask('one');
  clock.now = 10_000;
  await ask('two');

  expect(await ask('one')).toEqual({ asked: ['a/m'] });
});

test('weights decide how often a target is asked first', async () => {
  let draw = 0;
  const { ask } = openRoute(
    { targets: ['a/m', 'b/m', 'c/m'], policy: 'weight', weights: { 'a/m': 3, 'c/m': 0 } },
    { random: () => (draw = (draw + 0.01) % 1) },
  );
  const counts: Record<string, number> = {};
  for (let call = 0; call < 100; call++) {
    const [first] = (await ask()).asked;
    counts[first!] = (counts[first!] ?? 0) + 1;
  }

  expect(counts['c/m']).toBe(undefined);
  expect(counts['a/m']! / counts['b/m']!).toBeGreaterThan(2);
});

test('the cheapest comes first, and those without a price last', async () => {
  const { ask, script } = openRoute({ targets: ['c/m', 'a/m', 'b/m'], policy: 'cheapest' });
  script['b/m'] = [SILENT];
  script['a/m'] = [SILENT];

  expect(await ask()).toEqual({ asked: ['b/m', 'a/m', 'c/m'] });
});

test('the fastest comes first; each is measured once, and again when its measure is old or chance wants it', async () => {
  let draw = 0.5;
  const { ask, beginMs, clock } = openRoute(
    { targets: ['a/m', 'b/m', 'c/m'], policy: 'fastest' },
    { random: () => draw },
  );
  Object.assign(beginMs, { 'a/m': 900, 'b/m': 200, 'c/m': 500 });

  expect([await ask(), await ask(), await ask(), await ask()].map(({ asked }) => asked[0])).toEqual([
    'a/m',
    'b/m',
    'c/m',
    'b/m',
  ]);
  draw = 0;
  expect((await ask()).asked).toEqual(['c/m']);
  draw = 0.5;
  beginMs['b/m'] = 3_000;
  await ask();
  expect((await ask()).asked).toEqual(['c/m']);
  clock.now += 900_001;
  expect((await ask()).asked).toEqual(['a/m']);
});

test('a target that is well is always preferred to one that rests', async () => {
  const outcome = fc.constantFrom('well', 'busy', 'limited', 'silent');
  const call = fc.record({ outcomes: fc.tuple(outcome, outcome, outcome), waitMs: fc.constantFrom(0, 3_000, 40_000) });
  const policy = fc.constantFrom('order' as const, 'weight' as const, 'fastest' as const, 'cheapest' as const);
  await fc.assert(
    fc.asyncProperty(fc.array(call, { minLength: 5, maxLength: 30 }), policy, async (calls, chosen) => {
      const { ask, script, clock, watch, targets } = openRoute({ targets: ['a/m', 'b/m', 'c/m'], policy: chosen });
      for (const { outcomes, waitMs } of calls) {
        clock.now += waitMs;
        const restsUntil = new Map(
          targets.map((target) => [targetName(target), watch.rests.restOf(target)?.until ?? 0]),
        );
        const startedAt = clock.now;
        for (const [index, name] of ['a/m', 'b/m', 'c/m'].entries()) {
          const said = outcomes[index];
          script[name] =
            said === 'well' ? [] : [said === 'busy' ? busy() : said === 'limited' ? limited(9_000) : SILENT];
        }
        const { asked } = await ask();
        const isResting = (name: string) => restsUntil.get(name)! > startedAt;
        const firstResting = asked.findIndex(isResting);
        if (firstResting < 0) continue;
        const left = ['a/m', 'b/m', 'c/m'].filter(
          (name) => !isResting(name) && !asked.slice(0, firstResting).includes(name),
        );
        expect(left).toEqual([]);
      }
    }),
  );
});
