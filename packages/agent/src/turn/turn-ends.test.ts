import { setImmediate as nextRound, setTimeout as wait } from 'node:timers/promises';
import { type AgentEvent, DragomanError, type ModelEvent, type ToolPart } from '@dragoman/protocol';
import { expect, onTestFinished, test, vi } from 'vitest';
import { z } from 'zod';
import type { AgentModel } from '../agent-model.ts';
import { calls, fails, says, scriptedModel } from '../scripted-model.fixture.ts';
import type { Session } from '../session/session.ts';
import { Tool } from '../tools/tool.ts';
import { testTurn } from './run-turn.fixture.ts';

const never = new Promise<never>(() => {});
const nothing: unknown = undefined;
const noRetries = { retries: 0, firstDelayMs: 1, maxDelayMs: 1 };

/** A model whose every answer is that function. */
function model(stream: AgentModel['model']['stream']): AgentModel {
  return { ...scriptedModel([]), model: { stream } };
}

function toolOf(execute: Tool.Info['execute'], more: Partial<Tool.Info> = {}): Tool.Info {
  return Tool.define({
    id: 'work',
    description: 'Works.',
    parameters: z.looseObject({}),
    isReadOnly: true,
    execute,
    ...more,
  });
}

function toolParts(session: Session): ToolPart[] {
  return session.state.messages.flatMap(({ parts }) => parts.filter((part): part is ToolPart => part.type === 'tool'));
}

function eventsOf(session: Session): AgentEvent[] {
  const events: AgentEvent[] = [];
  session.subscribe({ event: ({ event }) => events.push(event) });
  return events;
}

test('a model that does not obey when it is called off is left alone, and what it says later is not written down', async () => {
  let sayMore: ((event: ModelEvent) => void) | undefined;
  const deaf = model((_call, sink) => {
    sayMore = (event) => sink.push(event);
    return never;
  });
  const turn = await testTurn(deaf, [], {
    stream: { firstEventMs: 1, idleMs: 1 },
    retry: noRetries,
    graceMs: 1,
  });

  const { error } = await turn.run();

  expect(error).toMatchObject({ code: 'timed-out' });
  const before = turn.session.state;
  sayMore!({ type: 'text-start', id: 't' });
  sayMore!({ type: 'text-delta', id: 't', delta: 'hello?' });
  expect(turn.session.state).toBe(before);
});

test('a deaf model does not hold up a turn that is called off', async () => {
  const stop = new AbortController();
  const deaf = model(() => {
    stop.abort();
    return never;
  });
  const turn = await testTurn(deaf, [], { graceMs: 1 });

  expect((await turn.run({ abort: stop.signal })).error?.code).toBe('aborted');
});

test('an answer that ends without a word about it is tried again, and is an error in the end', async () => {
  const half: ModelEvent[] = [
    { type: 'text-start', id: 't' },
    { type: 'text-delta', id: 't', delta: 'half a' },
  ];
  const turn = await testTurn(scriptedModel([half, says('whole')]));
  expect(await turn.run()).toMatchObject({ text: 'whole', error: undefined });

  const cut = await testTurn(scriptedModel([half]), [], { retry: noRetries });
  expect(await cut.run()).toMatchObject({
    text: 'half a',
    error: { code: 'model', message: "The model's answer was cut off." },
  });
});

test('an answer without an end is stopped when it is longer than any answer may be', async () => {
  const endless = model(async (_call, sink, signal) => {
    sink.push({ type: 'tool-input-start', id: 'c', toolName: 'work' });
    while (!signal.aborted) {
      sink.push({ type: 'tool-input-delta', id: 'c', delta: '\n'.repeat(10_000) });
      await nextRound();
    }
  });
  const turn = await testTurn(endless, [toolOf(async () => ({ title: '', output: '' }))]);

  const { error } = await turn.run();

  expect(error).toEqual({
    code: 'output-limit',
    message: 'The model was stopped because its answer is longer than 1000000 characters.',
    details: { limit: 1_000_000 },
  });
  expect(toolParts(turn.session)).toMatchObject([
    { state: { status: 'error', error: expect.stringMatching(/^Not run/) } },
  ]);
});

test('the time of a turn ends it in the middle of an answer and of a call', async () => {
  const slow = model(async (_call, sink, signal) => {
    sink.push({ type: 'text-start', id: 't' });
    for (let word = 0; !signal.aborted; word++) {
      sink.push({ type: 'text-delta', id: 't', delta: `word ${word} ` });
      await wait(1);
    }
  });
  const answering = await testTurn(slow, [], { budget: { wallMs: 20 } });
  expect((await answering.run()).error).toMatchObject({ code: 'budget', details: { budget: 'wallMs', limit: 20 } });

  let clock = 0;
  const working = await testTurn(
    scriptedModel([calls(['work', {}])]),
    [
      toolOf((_input, { abort }) => {
        clock = 20;
        return wait(60_000, { title: '', output: '' }, { signal: abort });
      }),
    ],
    { budget: { wallMs: 20 } },
  );
  expect((await working.run({ now: () => clock })).error).toMatchObject({
    code: 'budget',
    details: { budget: 'wallMs' },
  });
  expect(toolParts(working.session)[0]!.state.status).toBe('error');
  expect(working.session.state.messages.at(-1)!.info).toMatchObject({ finish: 'error', error: { code: 'budget' } });
});

test('a fault in the middle of shortening leaves nothing open', async () => {
  const said: ModelEvent[] = [
    { type: 'text-start', id: 't' },
    { type: 'text-delta', id: 't', delta: Array.from({ length: 3_000 }, (_, index) => `word${index}`).join(' ') },
    { type: 'text-end', id: 't' },
  ];
  const faulty = scriptedModel(
    [
      (call) => {
        if (call.tools.length === 0) throw nothing;
        return [
          ...said,
          ...calls(['work', { call: call.prompt.length }]).slice(0, -1),
          { type: 'finish', finishReason: 'stop' },
        ];
      },
    ],
    { contextTokens: 12_000, maxOutputTokens: 1_000 },
  );
  const turn = await testTurn(faulty, [toolOf(async () => ({ title: '', output: 'x' }))]);
  const events = eventsOf(turn.session);

  const { error } = await turn.run();

  expect(error).toBeDefined();
  const count = (type: AgentEvent['type']) => events.filter((event) => event.type === type).length;
  expect(count('finish-step')).toBe(count('start-step'));
  expect(
    turn.session.state.messages.every(({ info }) => info.role === 'user' || info.time.completed !== undefined),
  ).toBe(true);
});

test('only so many calls run side by side, however many the model makes at once', async () => {
  let [running, most] = [0, 0];
  const busy = toolOf(async () => {
    most = Math.max(most, ++running);
    await nextRound();
    running--;
    return { title: '', output: '' };
  });
  const many = Array.from({ length: 300 }, (_, index): [string, object] => ['work', { index }]);
  const turn = await testTurn(scriptedModel([calls(...(many as Parameters<typeof calls>)), says('done')]), [busy]);

  const { text, counters } = await turn.run();

  expect([text, counters.toolCalls]).toEqual(['done', 300]);
  expect(most).toBeGreaterThan(1);
  expect(most).toBeLessThanOrEqual(16);
});

test('a tool that does not obey is left alone, and what it says or asks later changes nothing', async () => {
  let context: Tool.Context | undefined;
  const deaf = toolOf(
    (_input, given) => {
      context = given;
      return never;
    },
    { timeoutMs: () => 1 },
  );
  let asked = 0;
  const turn = await testTurn(scriptedModel([calls(['work', {}]), says('done')]), [deaf], { graceMs: 1 });

  const { text } = await turn.run({ permit: async () => void asked++ });

  expect(text).toBe('done');
  expect(toolParts(turn.session)[0]!.state).toMatchObject({
    status: 'error',
    error: 'The tool "work" took longer than 1 ms and was stopped.',
  });
  const before = turn.session.state;
  context!.metadata({ title: 'still here' });
  await expect(context!.ask([])).rejects.toThrow('This call has ended.');
  expect(turn.session.state).toBe(before);
  expect(asked).toBe(1);
});

test('a tool that never says what it is about to touch, or never gets ready, is given up in time', async () => {
  const silent = toolOf(async () => ({ title: '', output: '' }), { subjects: () => never, timeoutMs: () => 5 });
  const turn = await testTurn(scriptedModel([calls(['work', {}]), says('done')]), [silent], { graceMs: 1 });

  expect((await turn.run()).text).toBe('done');
  expect(toolParts(turn.session)[0]!.state).toMatchObject({
    status: 'error',
    error: 'The tool "work" took longer than 5 ms and was stopped.',
  });

  const stop = new AbortController();
  const stuck = await testTurn(
    scriptedModel([calls(['work', {}])]),
    [toolOf(async () => ({ title: '', output: '' }), { isReadOnly: false })],
    { graceMs: 1 },
  );
  const ended = await stuck.run({
    abort: stop.signal,
    stepFiles: () => ({
      beforeChange: () => {
        stop.abort();
        return never;
      },
      afterStep: async () => undefined,
    }),
  });
  expect(ended.error?.code).toBe('aborted');
});

test('the time that a person takes to answer a running tool is not the tool’s time', async () => {
  const asking = toolOf(
    async (_input, { ask }) => {
      await ask([]);
      return { title: '', output: 'answered' };
    },
    { timeoutMs: () => 60_000 },
  );
  let questions = 0;
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  onTestFinished(() => void vi.useRealTimers());
  const turn = await testTurn(scriptedModel([calls(['work', {}]), says('done')]), [asking], { graceMs: 1 });

  await turn.run({
    permit: async () => {
      if (questions++ > 0) await vi.advanceTimersByTimeAsync(3_600_000);
    },
  });

  expect(toolParts(turn.session)[0]!.state).toMatchObject({ status: 'completed', output: 'answered' });
});

test('what a tool returns beside its text is kept as far as it can be written down', async () => {
  const circle: Record<string, unknown> = { size: 10n };
  circle['self'] = circle;
  const odd = toolOf(async (_input, { metadata }) => {
    metadata({ metadata: circle });
    return { title: '', output: 'fine', metadata: { when: new Date(0), nothing: undefined, ...circle } };
  });
  const dated = toolOf(
    async () => ({ title: '', output: 'fine', metadata: { when: new Date(0), nothing: undefined } }),
    {
      id: 'dated',
    },
  );
  const turn = await testTurn(scriptedModel([calls(['work', {}], ['dated', {}]), says('done')]), [odd, dated]);

  expect(await turn.run()).toMatchObject({ text: 'done', error: undefined });

  await turn.session.stored();
  expect(toolParts(turn.session).map(({ state }) => state.status === 'completed' && state.metadata)).toEqual([
    undefined,
    { when: '1970-01-01T00:00:00.000Z' },
  ]);
});

test('a turn that is called off while it waits to try again does not wait any longer', async () => {
  const stop = new AbortController();
  const busy = new DragomanError('rate-limited', 'busy', { isRetryable: true, retryAfterMs: 300_000 });
  const turn = await testTurn(scriptedModel([fails(busy)]));
  turn.session.subscribe({
    event: ({ event }) => {
      if (event.type === 'part-added') setImmediate(() => stop.abort());
    },
  });

  expect((await turn.run({ abort: stop.signal })).error?.code).toBe('aborted');
});

test('when a loop ends the turn, the calls behind it are not run; when it is called off, none is', async () => {
  const tool = toolOf(async () => ({ title: '', output: 'same' }));
  const same = (count: number) => Array.from({ length: count }, (): [string, object] => ['work', { same: true }]);
  const loop = await testTurn(scriptedModel([calls(...(same(5) as Parameters<typeof calls>))]), [tool]);
  expect((await loop.run()).error?.code).toBe('loop');
  const ends = (session: Session) =>
    toolParts(session).map(({ state }) => (state.status === 'error' ? state.error : state.status));
  expect(ends(loop.session)).toEqual([
    'completed',
    'completed',
    expect.stringMatching(/^Not run: The turn was stopped: the tool "work"/),
    'Not run: the turn was ended.',
    'Not run: the turn was ended.',
  ]);

  const stop = new AbortController();
  const stopping = toolOf(
    async () => {
      stop.abort();
      return { title: '', output: 'done all the same' };
    },
    { isReadOnly: false },
  );
  const off = await testTurn(scriptedModel([calls(['work', { a: 1 }], ['work', { a: 2 }])]), [stopping]);
  expect((await off.run({ abort: stop.signal })).error?.code).toBe('aborted');
  expect(ends(off.session)).toEqual(['completed', 'Interrupted: the turn was cancelled.']);
});

test('a content filter and an answer of nothing but its limit are errors of their own', async () => {
  for (const [finishReason, code] of [
    ['content-filter', 'content-filter'],
    ['length', 'output-limit'],
  ] as const) {
    const turn = await testTurn(scriptedModel([[{ type: 'finish', finishReason }]]));
    expect((await turn.run()).error?.code).toBe(code);
  }
});
