import { type AgentEvent, DragomanError, type ModelEvent, type ToolPart } from '@dragoman/protocol';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { calls, fails, says, scriptedModel } from '../scripted-model.fixture.ts';
import type { Session } from '../session/session.ts';
import { Tool, ToolError } from '../tools/tool.ts';
import { testTurn } from './run-turn.fixture.ts';

const echo = () =>
  Tool.define({
    id: 'echo',
    description: 'Says it again.',
    parameters: z.object({ text: z.string() }),
    isReadOnly: true,
    execute: async ({ text }) => ({ title: text, output: text }),
  });

function eventsOf(session: Session): AgentEvent[] {
  const events: AgentEvent[] = [];
  session.subscribe({ event: ({ event }) => events.push(event) });
  return events;
}

function toolParts(session: Session): ToolPart[] {
  return session.state.messages.flatMap(({ parts }) => parts.filter((part): part is ToolPart => part.type === 'tool'));
}

test('a turn asks, runs the call, and asks again until the model is done [NFR-05, FR-06]', async () => {
  const model = scriptedModel([calls(['echo', { text: 'hello' }]), says('done')]);
  const turn = await testTurn(model, [echo()]);

  const result = await turn.run();

  expect(result).toEqual({ text: 'done', counters: { modelCalls: 2, toolCalls: 1 }, error: undefined });
  expect(turn.session.state.counters).toEqual({ modelCalls: 2, toolCalls: 1 });
  expect(turn.session.state.messages.map(({ info, parts }) => [info.role, ...parts.map(({ type }) => type)])).toEqual([
    ['user', 'text'],
    ['assistant', 'step-start', 'tool', 'step-finish'],
    ['assistant', 'step-start', 'text', 'step-finish'],
  ]);
  expect(model.calls[1]!.prompt.slice(1)).toEqual([
    { role: 'user', content: [{ type: 'text', text: 'go' }] },
    {
      role: 'assistant',
      content: [{ type: 'tool-call', toolCallId: expect.any(String), toolName: 'echo', input: '{"text":"hello"}' }],
    },
    {
      role: 'tool',
      content: [
        {
          type: 'tool-result',
          toolCallId: expect.any(String),
          toolName: 'echo',
          content: [{ type: 'text', text: 'hello' }],
          isError: false,
        },
      ],
      providerOptions: { anthropic: { cacheControl: { type: 'ephemeral' } } },
    },
  ]);
});

test('thinking and text that interleave become parts of their own, in their places, with times [FR-01, FR-02, FR-03]', async () => {
  const answer: ModelEvent[] = [
    { type: 'reasoning-start', id: 'a' },
    { type: 'reasoning-delta', id: 'a', delta: 'first ' },
    { type: 'reasoning-start', id: 'b' },
    { type: 'reasoning-delta', id: 'b', delta: 'second' },
    { type: 'text-start', id: 'a' },
    { type: 'reasoning-delta', id: 'a', delta: 'thought' },
    { type: 'text-delta', id: 'a', delta: 'said' },
    { type: 'reasoning-end', id: 'b' },
    { type: 'reasoning-end', id: 'a', providerMetadata: { anthropic: { signature: 's' } } },
    { type: 'text-end', id: 'a' },
    { type: 'finish', finishReason: 'stop' },
  ];
  const turn = await testTurn(scriptedModel([answer]));
  const events = eventsOf(turn.session);

  await turn.run();

  const parts = turn.session.state.messages[1]!.parts;
  expect(parts.slice(1, 4)).toMatchObject([
    { type: 'reasoning', text: 'first thought', metadata: { anthropic: { signature: 's' } } },
    { type: 'reasoning', text: 'second' },
    { type: 'text', text: 'said' },
  ]);
  for (const part of parts) {
    if (part.type !== 'reasoning') continue;
    expect(part.time.end).toBeGreaterThanOrEqual(part.time.start);
    const own = events.filter((event) => 'partID' in event && event.partID === part.id).map(({ type }) => type);
    expect(own[0]).toBe('reasoning-start');
    expect(own.at(-1)).toBe('reasoning-end');
  }
});

test('every model call stands between one start and one finish of its step, also one that fails or is called off [FR-04, FR-05]', async () => {
  const stop = new AbortController();
  const endings = [
    [says('fine')],
    [fails(new DragomanError('bad-request', 'no'))],
    [
      (): ModelEvent[] => {
        stop.abort();
        return says('too late');
      },
    ],
  ];
  const reasons: string[] = [];
  for (const steps of endings) {
    const turn = await testTurn(scriptedModel(steps));
    const events = eventsOf(turn.session);
    await turn.run({ abort: stop.signal });
    const bounds = events.filter(({ type }) => type === 'start-step' || type === 'finish-step').map(({ type }) => type);
    expect(bounds).toEqual(['start-step', 'finish-step']);
    const last = turn.session.state.messages.at(-1)!.parts.at(-1)!;
    if (last.type === 'step-finish') reasons.push(last.reason);
  }
  expect(reasons).toEqual(['stop', 'error', 'aborted']);
});

test('the second identical call is told so, the third is not run and ends the turn [FR-07, FR-08, FR-09]', async () => {
  let runs = 0;
  const same = Tool.define({
    ...echo(),
    execute: async () => {
      runs++;
      return { title: 'same', output: 'same' };
    },
  });
  const turn = await testTurn(scriptedModel([() => calls(['echo', { text: 'x' }])]), [same]);

  const { error, counters } = await turn.run();

  expect(runs).toBe(2);
  expect(counters).toEqual({ modelCalls: 3, toolCalls: 3 });
  expect(error).toEqual({
    code: 'loop',
    message:
      'The turn was stopped: the tool "echo" was called 3 times in a row with the same input and the same result.',
    details: { tool: 'echo', count: 3, period: 1 },
  });
  const [first, second, third] = toolParts(turn.session).map(({ state }) => state);
  expect(first).toMatchObject({ status: 'completed', output: 'same' });
  expect(second).toMatchObject({ status: 'completed', output: expect.stringContaining('2 times in a row') });
  expect(third).toMatchObject({ status: 'error', error: expect.stringContaining('Not run') });
});

test('three identical calls in one step are a loop as well [FR-08]', async () => {
  const same = [0, 1, 2].map((): [string, object] => ['echo', { text: 'x' }]) as Parameters<typeof calls>;
  const turn = await testTurn(scriptedModel([() => calls(...same)]), [echo()]);

  const { error, counters } = await turn.run();

  expect(error?.code).toBe('loop');
  expect(counters).toEqual({ modelCalls: 1, toolCalls: 3 });
  expect(toolParts(turn.session).map(({ state }) => state.status)).toEqual(['completed', 'completed', 'error']);
});

test('where a person is asked and lets it go on, the loop goes on', async () => {
  const asked: number[] = [];
  const turn = await testTurn(
    scriptedModel([
      () => calls(['echo', { text: 'x' }]),
      () => calls(['echo', { text: 'x' }]),
      () => calls(['echo', { text: 'x' }]),
      says('done'),
    ]),
    [echo()],
  );

  const { error } = await turn.run({
    allowLoop: async ({ count }) => {
      asked.push(count);
      return true;
    },
  });

  expect(error).toBeUndefined();
  expect(asked).toEqual([3]);
});

test('arguments that are no JSON and tools that do not exist are told to the model, which goes on', async () => {
  const model = scriptedModel([calls(['echo', '{"nope":']), calls(['no_such_tool', {}]), says('done')]);
  const turn = await testTurn(model, [echo()]);

  const { error, text } = await turn.run();

  expect([error, text]).toEqual([undefined, 'done']);
  expect(toolParts(turn.session).map(({ state }) => state.status === 'error' && state.error)).toEqual([
    expect.stringMatching(/^The arguments are not valid JSON .* They were: \{"nope":$/),
    'There is no tool named "no_such_tool". The tools are: echo.',
  ]);
});

test('a model that makes the same mistake again and again is told each time, and finds its way or is stopped in the end', async () => {
  const mistakes = (count: number) => {
    let calls_ = 0;
    return scriptedModel([() => (calls_++ < count ? calls(['echo', '{"nope":']) : says('done'))]);
  };
  const patient = await testTurn(mistakes(20), [echo()]);
  const endless = await testTurn(mistakes(1_000), [echo()]);

  expect(await patient.run()).toMatchObject({ text: 'done', error: undefined, counters: { toolCalls: 20 } });
  expect((await endless.run()).error).toMatchObject({ code: 'loop', details: { tool: 'echo', count: 50, period: 1 } });
});

test('arguments that do not fit become a result that says what was wrong, and the tool is not run [FR-28]', async () => {
  const turn = await testTurn(scriptedModel([calls(['echo', { text: 5 }]), says('done')]), [echo()]);

  await turn.run();

  expect(toolParts(turn.session)[0]!.state).toMatchObject({
    status: 'error',
    error:
      'The arguments do not fit the tool "echo": text: Invalid input: expected string, received number. They were: {"text":5}. Call it again with arguments that fit.',
  });
});

test('a tool knows its place, and is called off with the turn [FR-29]', async () => {
  const stop = new AbortController();
  let seen: Partial<Tool.Context> = {};
  const waits = Tool.define({
    ...echo(),
    execute: (_input, context) =>
      new Promise<Tool.Result>((_resolve, reject) => {
        const { sessionID, messageID, callID, cwd } = context;
        seen = { sessionID, messageID, callID, cwd };
        context.abort.addEventListener('abort', () => reject(context.abort.reason as Error));
        stop.abort();
      }),
  });
  const turn = await testTurn(scriptedModel([calls(['echo', { text: 'x' }])]), [waits]);

  const { error } = await turn.run({ abort: stop.signal });

  const [part] = toolParts(turn.session);
  expect(error?.code).toBe('aborted');
  expect(seen).toEqual({
    sessionID: turn.session.id,
    messageID: part!.messageID,
    callID: part!.callID,
    cwd: turn.session.state.info.cwd,
  });
  expect(part!.state).toMatchObject({ status: 'error', error: 'Interrupted: the turn was cancelled.' });
});

test('what a running tool says of itself is seen at once, and its start stays [FR-30]', async () => {
  const states: unknown[] = [];
  const tells = Tool.define({
    ...echo(),
    execute: async (_input, context) => {
      context.metadata({ title: 'half way', metadata: { percent: 50 } });
      return { title: 'all', output: '' };
    },
  });
  const turn = await testTurn(scriptedModel([calls(['echo', { text: 'x' }]), says('done')]), [tells]);
  turn.session.subscribe({
    event: ({ event }, state) => {
      if (event.type !== 'tool-metadata' && event.type !== 'tool-state') return;
      const part = state.messages.at(-1)!.parts.at(-1) as ToolPart;
      states.push(part.state);
    },
  });

  await turn.run();

  const [before, after] = states as { time: { start: number } }[];
  expect(after).toMatchObject({ status: 'running', title: 'half way', metadata: { percent: 50 } });
  expect(after!.time.start).toBe(before!.time.start);
});

test('a call that takes too long is stopped, and the turn goes on', async () => {
  const slow = Tool.define({
    ...echo(),
    timeoutMs: () => 5,
    execute: (_input, { abort }) =>
      new Promise<Tool.Result>((_resolve, reject) =>
        abort.addEventListener('abort', () => reject(new DOMException('', 'AbortError'))),
      ),
  });
  const turn = await testTurn(scriptedModel([calls(['echo', { text: 'x' }]), says('done')]), [slow]);

  const { text } = await turn.run();

  expect(text).toBe('done');
  expect(toolParts(turn.session)[0]!.state).toMatchObject({
    status: 'error',
    error: 'The tool "echo" took longer than 5 ms and was stopped.',
  });
});

test('a call that is tried again leaves a retry part, and nothing of what it had written [ACC-14]', async () => {
  const half: ModelEvent[] = [
    { type: 'text-start', id: 't' },
    { type: 'text-delta', id: 't', delta: 'half a sen' },
  ];
  const busy = new DragomanError('rate-limited', 'busy', { isRetryable: true, retryAfterMs: 1 });
  const turn = await testTurn(scriptedModel([fails(busy, half), says('whole')]));

  const { text, counters } = await turn.run();

  expect([text, counters]).toEqual(['whole', { modelCalls: 1, toolCalls: 0 }]);
  expect(turn.session.state.messages[1]!.parts).toMatchObject([
    { type: 'step-start' },
    { type: 'retry', attempt: 1, error: { code: 'model', message: 'busy' } },
    { type: 'text', text: 'whole' },
    { type: 'step-finish', reason: 'stop' },
  ]);
});

test('a model that stays silent is given up in time', async () => {
  const silent = scriptedModel([
    (_call, signal) => new Promise<ModelEvent[]>((resolve) => signal.addEventListener('abort', () => resolve([]))),
  ]);
  const turn = await testTurn(silent, [], {
    stream: { firstEventMs: 5, idleMs: 5 },
    retry: { retries: 0, firstDelayMs: 1, maxDelayMs: 1 },
  });

  const { error } = await turn.run();

  expect(error).toMatchObject({ code: 'timed-out', message: 'The model did not start answering within 0.005 s.' });
});

test('a model that writes the same over and over is stopped [FR-07]', async () => {
  const endless: ModelEvent[] = [
    { type: 'text-start', id: 't' },
    ...Array.from({ length: 400 }, (): ModelEvent => ({
      type: 'text-delta',
      id: 't',
      delta: 'I will now try again. ',
    })),
    { type: 'text-end', id: 't' },
    { type: 'finish', finishReason: 'stop' },
  ];
  const turn = await testTurn(scriptedModel([endless]));

  const { error, text } = await turn.run();

  expect(error).toMatchObject({ code: 'loop', details: { kind: 'text' } });
  expect(text.length).toBeLessThan(2_000);
});

test('a tool that is registered while the turn runs can be used in its next step [NFR-08]', async () => {
  const model = scriptedModel([calls(['echo', { text: 'x' }]), calls(['late', {}]), says('done')]);
  const late = Tool.define({
    id: 'late',
    description: 'Comes late.',
    parameters: z.object({}),
    execute: async () => ({ title: 'late', output: 'here I am' }),
  });
  const turn = await testTurn(model, []);
  turn.registry.register(
    Tool.define({
      ...echo(),
      execute: async () => {
        turn.registry.register(late);
        return { title: '', output: '' };
      },
    }),
  );

  await turn.run();

  expect(model.calls.map(({ tools }) => tools.map(({ name }) => name))).toEqual([
    ['echo'],
    ['echo', 'late'],
    ['echo', 'late'],
  ]);
  expect(toolParts(turn.session)[1]!.state).toMatchObject({ status: 'completed', output: 'here I am' });
});

test('a tool that fails tells the model why, in its own words', async () => {
  const broken = Tool.define({
    ...echo(),
    execute: async ({ text }) => {
      if (text === 'a') throw new ToolError('The disk is full; free some space.');
      throw new TypeError('x is not a function');
    },
  });
  const turn = await testTurn(scriptedModel([calls(['echo', { text: 'a' }], ['echo', { text: 'b' }]), says('')]), [
    broken,
  ]);

  await turn.run();

  expect(toolParts(turn.session).map(({ state }) => state.status === 'error' && state.error)).toEqual([
    'The disk is full; free some space.',
    'The tool "echo" failed: x is not a function',
  ]);
});

test('an answer that is cut off or empty is told as such, and not taken for an answer', async () => {
  const cut: ModelEvent[] = [...says('half an ans').slice(0, 3), { type: 'finish', finishReason: 'length' }];
  const empty: ModelEvent[] = [{ type: 'finish', finishReason: 'stop' }];
  const errors = [];
  for (const answer of [cut, empty]) errors.push((await (await testTurn(scriptedModel([answer]))).run()).error);

  expect(errors).toEqual([
    { code: 'output-limit', message: 'The model reached its output limit in the middle of the answer.' },
    { code: 'model', message: 'The model returned an empty answer.' },
  ]);
});

test('a turn ends when its budget of steps, tokens or money is used up', async () => {
  const busy = () => scriptedModel([(call) => calls(['echo', { text: String(call.prompt.length) }])]);
  const ends = [];
  for (const budget of [{ steps: 2 }, { tokens: 250 }, { cost: 0.0002 }]) {
    const model = { ...busy(), price: { input: 1, output: 1 } };
    const { error, counters } = await (await testTurn(model, [echo()], { budget })).run();
    ends.push([error?.code, error?.details?.['budget'], counters.modelCalls]);
  }
  expect(ends).toEqual([
    ['budget', 'steps', 2],
    ['budget', 'tokens', 3],
    ['budget', 'cost', 2],
  ]);
});

test('the front of the prompt stays the same, to the byte, from step to step', async () => {
  const model = scriptedModel([
    calls(['echo', { text: 'one' }]),
    calls(['echo', { text: 'two' }]),
    calls(['echo', { text: 'three' }]),
    says('done'),
  ]);
  await (await testTurn(model, [echo()])).run();

  const prompts = model.calls.map(({ prompt, tools }) => ({
    tools: JSON.stringify(tools),
    messages: prompt.map((message) => JSON.stringify({ ...message, providerOptions: undefined })),
  }));
  for (const [index, { tools, messages }] of prompts.entries()) {
    const next = prompts[index + 1];
    if (next === undefined) continue;
    expect(next.tools).toBe(tools);
    expect(next.messages.slice(0, messages.length)).toEqual(messages);
  }
});

test('a prompt that comes while it works is taken up at the next step', async () => {
  const model = scriptedModel([calls(['echo', { text: 'x' }]), says('also that')]);
  const turn = await testTurn(model, [echo()]);
  let isFirst = true;
  const { addPrompt } = await import('../session/session.fixture.ts');

  await turn.run({
    atBoundary: () => {
      if (!isFirst) return false;
      isFirst = false;
      addPrompt(turn.session, 'also do that');
      return true;
    },
  });

  expect(model.calls[1]!.prompt.at(-1)).toMatchObject({ role: 'user', content: [{ text: 'also do that' }] });
});

test('an assistant message says what it cost and who says so, and when it was complete [FR-21]', async () => {
  const told: ModelEvent[] = [
    ...says('x').slice(0, 3),
    {
      type: 'finish',
      finishReason: 'stop',
      usage: {
        inputTokens: 100,
        outputTokens: 30,
        reasoningTokens: 10,
        cacheReadTokens: 40,
        cacheWriteTokens: 20,
        cost: 0.5,
      },
    },
  ];
  const untold = told.with(3, {
    type: 'finish',
    finishReason: 'stop',
    usage: { inputTokens: 1_000_000, outputTokens: 0 },
  });
  const infos = [];
  for (const answer of [told, untold]) {
    const turn = await testTurn({ ...scriptedModel([answer]), price: { input: 3, output: 15 } });
    await turn.run();
    infos.push(turn.session.state.messages[1]!.info);
  }
  const { cwd, root } = { cwd: expect.any(String) as string, root: expect.any(String) as string };
  expect(infos).toMatchObject([
    {
      cost: 0.5,
      costSource: 'provider',
      tokens: { input: 40, output: 20, reasoning: 10, cache: { read: 40, write: 20 } },
      agent: 'build',
      path: { cwd, root },
      time: { completed: expect.any(Number) as number },
    },
    { cost: 3, costSource: 'computed' },
  ]);
});
