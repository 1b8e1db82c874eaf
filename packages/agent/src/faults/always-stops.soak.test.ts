import { foldSession, type LoggedEvent, type ModelEvent, type SessionState, type ToolPart } from '@dragoman/protocol';
import { agentErrorSchema } from '@dragoman/protocol/schemas';
import { isSoak, rounds, tempFolder } from '@dragoman/testkit';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { AgentModel } from '../agent-model.ts';
import { says, scriptedModel } from '../scripted-model.fixture.ts';
import { testStore } from '../session/session.fixture.ts';
import { SessionStore } from '../session/session-store.ts';
import type { TurnResult } from '../turn/record-turn.ts';
import { MOST_MISTAKES } from '../turn/run-tool-calls.ts';
import { wildBehaviour, wildModel, wildSettings, wildTools } from './wild-model.fixture.ts';
import { expectEnclosed, expectSettled, expectValid, expectWellFormed } from './well-formed.fixture.ts';
import { createWorking } from './working-session.fixture.ts';

interface Ended {
  result: TurnResult | undefined;
  events: LoggedEvent[];
  state: SessionState;
}

/** Gives the model a prompt and waits for the end of the turn. */
async function letLoose(
  model: AgentModel,
  store: SessionStore,
  outputFolder: string,
  settings = wildSettings,
): Promise<Ended> {
  const runner = await createWorking({
    store,
    model,
    tools: wildTools,
    settings,
    outputFolder,
    approver: () => new Promise(() => {}),
    approvalMs: 5,
  });
  const events: LoggedEvent[] = [];
  runner.subscribe({ event: (logged) => events.push(logged) });
  await runner.prompt({ text: 'go' });
  const result = await runner.idle();
  await runner.close();
  return { result, events, state: runner.state };
}

async function expectEnded({ result, events, state }: Ended, store: SessionStore): Promise<void> {
  expect(state.turn).toMatchObject({ finishedAt: expect.any(Number) as number });
  expect(result!.error).toEqual(state.turn!.error);
  if (result!.error !== undefined) agentErrorSchema.parse(result!.error);
  expectSettled(state);
  expectEnclosed(events.map(({ event }) => event));
  const stored = await store.read(state.info.id);
  expect(foldSession(stored)).toEqual(state);
  expectValid(stored, state);
}

test('however a model misbehaves, the turn ends within its budget, every call is settled and the log is whole [FR-04, FR-07, FR-22]', async () => {
  const store = new SessionStore(await testStore());
  const folder = tempFolder();
  const ends: Record<string, number> = {};
  await fc.assert(
    fc.asyncProperty(wildBehaviour, async (behaviour) => {
      const model = wildModel(behaviour);
      try {
        const ended = await letLoose(model, store, folder);
        await expectEnded(ended, store);
        for (const { prompt } of model.calls) expectWellFormed(prompt);
        const { steps, compactions } = { steps: 10, compactions: 3, ...wildSettings.budget };
        expect(ended.result!.counters.modelCalls).toBeLessThanOrEqual(steps + compactions);
        const code = ended.result!.error?.code ?? 'done';
        ends[code] = (ends[code] ?? 0) + 1;
      } finally {
        model.stop();
      }
    }),
    { seed: 7, numRuns: rounds(1_500), endOnFailure: true },
  );
  if (isSoak()) console.log('turns of misbehaving models ended:', ends);
  expect(Object.keys(ends).length).toBeGreaterThan(2);
});

const call = (id: string, toolName: string, input: string): ModelEvent[] => [
  { type: 'tool-input-start', id, toolName },
  { type: 'tool-input-delta', id, delta: input },
  { type: 'tool-input-end', id },
];
const calm = {
  ...wildSettings,
  stream: { firstEventMs: 60_000, idleMs: 60_000 },
  toolMs: 60_000,
  budget: { steps: 3 },
};

test('thousands of calls in one answer, all of one id, are run, settled and told apart', async () => {
  const store = new SessionStore(await testStore());
  const count = isSoak() ? 5_000 : 1_000;
  const many = Array.from({ length: count }, (_, index) => call('a', 'echo', `{"text":"${index}"}`)).flat();
  const model = scriptedModel([[...many, { type: 'finish', finishReason: 'stop' }], says('done')], {
    contextTokens: 0,
  });

  const ended = await letLoose(model, store, tempFolder(), calm);

  await expectEnded(ended, store);
  expect(ended.result).toMatchObject({ text: 'done', counters: { modelCalls: 2, toolCalls: count } });
  expectWellFormed(model.calls[1]!.prompt);
});

test.each([
  { tools: ['echo', 'write'], loop: { period: 2, count: 3 }, toolCalls: 6 },
  { tools: ['nosuch'], loop: { period: 1, count: MOST_MISTAKES }, toolCalls: MOST_MISTAKES },
  // What cannot be run does not hide the pattern of what is.
  { tools: ['echo', 'nosuch', 'write', 'fails'], loop: { period: 3, count: 3 }, toolCalls: 12 },
])(
  'a model that calls $tools over and over is stopped as a loop [FR-08, FR-09]',
  async ({ tools, loop, toolCalls }) => {
    const store = new SessionStore(await testStore());
    let step = 0;
    const model = scriptedModel([
      () => [
        ...call(`c${step}`, tools[step++ % tools.length]!, '{"text":"x"}'),
        { type: 'finish', finishReason: 'tool-calls' },
      ],
    ]);
    const ended = await letLoose(model, store, tempFolder(), { ...calm, budget: { steps: 2 * MOST_MISTAKES } });

    await expectEnded(ended, store);
    expect(ended.result).toMatchObject({ error: { code: 'loop', details: loop }, counters: { toolCalls } });
  },
);

test('outputs that are huge do not end the session: they are kept in files, and the view is shortened', async () => {
  const store = new SessionStore(await testStore());
  let step = 0;
  const model = scriptedModel(
    [
      (asked) =>
        asked.tools.length === 0
          ? says('## Goal\nGo on.')
          : step++ < 6
            ? [...call(`c${step}`, 'huge', `{"text":"${step}"}`), { type: 'finish', finishReason: 'tool-calls' }]
            : says('done'),
    ],
    { contextTokens: 60_000, maxOutputTokens: 1_000 },
  );

  const ended = await letLoose(model, store, tempFolder(), { ...calm, budget: { steps: 20, compactions: 10 } });

  await expectEnded(ended, store);
  expect(ended.result).toMatchObject({ text: 'done', error: undefined });
  for (const { prompt } of model.calls) expectWellFormed(prompt);
  const calls = ended.state.messages.flatMap(({ parts }) =>
    parts.filter((part): part is ToolPart => part.type === 'tool'),
  );
  expect(calls.map(({ state }) => state.status)).toEqual(Array(6).fill('completed'));
});
