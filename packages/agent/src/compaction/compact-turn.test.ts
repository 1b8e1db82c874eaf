import { type ModelCall, type ModelEvent, DragomanError } from '@dragoman/protocol';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { CLEARED_OUTPUT } from '../prompt/to-model-message.ts';
import { calls, fails, says, scriptedModel } from '../scripted-model.fixture.ts';
import { Tool } from '../tools/tool.ts';
import { testTurn } from '../turn/run-turn.fixture.ts';

let page = 0;
/** A tool whose outputs fill the view: about two thousand tokens each. */
const book = () =>
  Tool.define({
    id: 'book',
    description: 'Reads a page.',
    parameters: z.object({ page: z.number() }),
    isReadOnly: true,
    execute: async ({ page: asked }) => ({
      title: `page ${asked}`,
      output: `page ${asked}: ${'lorem ipsum '.repeat(1_000)}`,
    }),
  });
/** The provider does not count, so everything is estimated. */
const turnPage = (): ModelEvent[] => [
  ...calls(['book', { page: ++page }]).slice(0, -1),
  { type: 'finish', finishReason: 'tool-calls' },
];
/** As long as a page, but said by the model: it cannot be pruned. */
const tellPage = (): ModelEvent[] => [
  { type: 'text-start', id: 't' },
  { type: 'text-delta', id: 't', delta: Array.from({ length: 1_000 }, (_, index) => `word${index}`).join(' ') },
  { type: 'text-end', id: 't' },
  ...turnPage(),
];
const isSummaryCall = (call: ModelCall) => call.tools.length === 0;
const usage = (inputTokens: number): ModelEvent[] => [
  ...says('done').slice(0, 3),
  { type: 'finish', finishReason: 'stop', usage: { inputTokens, outputTokens: 10 } },
];
const small = { contextTokens: 12_000, maxOutputTokens: 1_000 };

test('a turn that outgrows the model is summed up before the next call, and goes on [FR-52, FR-53, FR-54, ACC-15]', async () => {
  let pages = 0;
  const model = scriptedModel(
    [(call) => (isSummaryCall(call) ? says('## Goal\nRead the book.') : pages++ < 8 ? tellPage() : says('done'))],
    small,
  );
  const turn = await testTurn(model, [book()]);

  const { text, error } = await turn.run();

  expect([text, error]).toEqual(['done', undefined]);
  const summaries = model.calls.filter(isSummaryCall);
  expect(summaries.length).toBeGreaterThan(0);
  expect(summaries[0]!.prompt[0]).toMatchObject({
    role: 'system',
    content: expect.stringContaining('## State of the work'),
  });
  expect(turn.session.state.messages.some(({ parts }) => parts.some(({ type }) => type === 'compaction'))).toBe(true);
});

test('after it the prompt is well formed: system, summary, recent messages, every call with its result [ACC-06, FR-55]', async () => {
  let pages = 0;
  const model = scriptedModel(
    [(call) => (isSummaryCall(call) ? says('## Goal\nRead the book.') : pages++ < 8 ? tellPage() : says('done'))],
    small,
  );
  const turn = await testTurn(model, [book()]);
  await turn.run();

  const { prompt } = model.calls.at(-1)!;
  expect(prompt[0]).toMatchObject({ role: 'system', content: 'You are a test.' });
  expect(prompt[1]).toMatchObject({
    role: 'user',
    content: [{ text: expect.stringContaining('<summary>\n## Goal\nRead the book.') }],
  });
  const called = prompt.flatMap((message) =>
    message.role === 'assistant'
      ? message.content.flatMap((piece) => (piece.type === 'tool-call' ? [piece.toolCallId] : []))
      : [],
  );
  const answered = prompt.flatMap((message) =>
    message.role === 'tool' ? message.content.map(({ toolCallId }) => toolCallId) : [],
  );
  expect(answered).toEqual(called);
  // Nothing is deleted: every page that was read is still in the session.
  const stored = turn.session.state.messages.flatMap(({ parts }) => parts.filter(({ type }) => type === 'tool'));
  expect(stored).toHaveLength(8);
});

test('what was covered, the summary and pruned outputs carry the time of it [FR-56, FR-20]', async () => {
  let pages = 0;
  const model = scriptedModel(
    [(call) => (isSummaryCall(call) ? says('## Goal\nRead the book.') : pages++ < 8 ? tellPage() : says('done'))],
    small,
  );
  const turn = await testTurn(model, [book()]);
  await turn.run();

  const { messages } = turn.session.state;
  const [prompt] = messages;
  const marker = messages.find(({ parts }) => parts.some(({ type }) => type === 'compaction'))!;
  const summary = messages.find(({ info }) => info.role === 'assistant' && info.summary === true)!;
  expect(prompt!.info.time.compacted).toEqual(expect.any(Number));
  expect(summary.info.time.compacted).toEqual(expect.any(Number));
  expect(marker.info).toMatchObject({ summary: { title: 'A test', body: '## Goal\nRead the book.', diffs: [] } });
  expect(messages.filter(({ info }) => info.role === 'user' && info.summary !== undefined)).toEqual(
    messages.filter(({ parts }) => parts.some(({ type }) => type === 'compaction')),
  );
});

test('old outputs go first, and when that is enough nothing is summed up [FR-56]', async () => {
  let pages = 0;
  const model = scriptedModel([() => (pages++ < 10 ? turnPage() : says('done'))], {
    contextTokens: 14_000,
    maxOutputTokens: 1_000,
  });
  const turn = await testTurn(model, [book()]);

  await turn.run();

  expect(model.calls.filter(isSummaryCall)).toHaveLength(0);
  const pruned = turn.session.state.messages.flatMap(({ parts }) =>
    parts.filter(
      (part) => part.type === 'tool' && part.state.status === 'completed' && part.state.time.compacted !== undefined,
    ),
  );
  expect(pruned.length).toBeGreaterThan(0);
  expect(JSON.stringify(model.calls.at(-1)!.prompt)).toContain(CLEARED_OUTPUT);
});

test('a provider that always reports a nearly full context ends the turn after two compactions, with an error of its own', async () => {
  const model = scriptedModel(
    [
      (call) =>
        isSummaryCall(call)
          ? usage(58_000)
          : [
              ...turnPage().slice(0, -1),
              { type: 'finish', finishReason: 'tool-calls', usage: { inputTokens: 58_000, outputTokens: 10 } },
            ],
    ],
    { contextTokens: 60_000, maxOutputTokens: 8_192 },
  );
  const turn = await testTurn(model, [book()]);

  const { error } = await turn.run();

  expect(error).toMatchObject({ code: 'context-overflow' });
  expect(model.calls.filter(isSummaryCall)).toHaveLength(2);
});

test('a prompt that the provider refuses as too long is shortened and sent again', async () => {
  let refused = 0;
  const model = scriptedModel([
    turnPage,
    turnPage,
    (call) => {
      if (isSummaryCall(call)) return says('a summary');
      return refused++ === 0 ? fails(new DragomanError('context-overflow', 'prompt is too long')) : says('done');
    },
  ]);
  const turn = await testTurn(model, [book()]);

  const { text, error } = await turn.run();

  expect([text, error]).toEqual(['done', undefined]);
  const marker = turn.session.state.messages.flatMap(({ parts }) => parts.filter(({ type }) => type === 'compaction'));
  expect(marker).toMatchObject([{ auto: true, overflow: true }]);
});

test('a summary that cannot be had ends the turn with the reason', async () => {
  const model = scriptedModel(
    [(call) => (isSummaryCall(call) ? fails(new DragomanError('forbidden', 'no key')) : tellPage())],
    small,
  );
  const turn = await testTurn(model, [book()]);

  const { error } = await turn.run();

  expect(error).toMatchObject({ code: 'model', message: 'no key' });
});

test('where it is turned off the conversation is sent as it is', async () => {
  let pages = 0;
  const model = scriptedModel([() => (pages++ < 8 ? turnPage() : says('done'))], small);
  const turn = await testTurn(model, [book()], { compaction: { auto: false, threshold: 1 } });

  const { text } = await turn.run();

  expect(text).toBe('done');
  expect(turn.session.state.messages.some(({ info }) => info.time.compacted !== undefined)).toBe(false);
});

test('a model that calls tools instead of summing up does not leave calls open', async () => {
  const model = scriptedModel([(call) => (isSummaryCall(call) ? turnPage() : tellPage())], small);
  const turn = await testTurn(model, [book()]);

  const { error } = await turn.run();

  expect(error).toEqual({ code: 'context-overflow', message: 'The model returned no summary.' });
  const parts = turn.session.state.messages.flatMap(({ parts }) => parts);
  expect(parts.filter((part) => part.type === 'tool').at(-1)!.state).toMatchObject({
    status: 'error',
    error: 'Not run: a summary calls no tools.',
  });
});
