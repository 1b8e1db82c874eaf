import type { ModelEvent, ToolPart } from '@dragoman/protocol';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { says, scriptedModel } from '../scripted-model.fixture.ts';
import type { Session } from '../session/session.ts';
import { Tool } from '../tools/tool.ts';
import { testTurn } from './run-turn.fixture.ts';

const echo = Tool.define({
  id: 'echo',
  description: 'Says it again.',
  parameters: z.object({ text: z.string() }),
  isReadOnly: true,
  execute: async ({ text }) => ({ title: text, output: text }),
});

const call = (id: string, text: string): ModelEvent[] => [
  { type: 'tool-input-start', id, toolName: 'echo' },
  { type: 'tool-input-delta', id, delta: JSON.stringify({ text }) },
  { type: 'tool-input-end', id },
];
const finish: ModelEvent = { type: 'finish', finishReason: 'tool-calls' };

function toolParts(session: Session): ToolPart[] {
  return session.state.messages.flatMap(({ parts }) => parts.filter((part): part is ToolPart => part.type === 'tool'));
}

test('calls whose ids the model uses twice, in one answer or in two, are known by ids of their own [FR-15, FR-22]', async () => {
  const model = scriptedModel([
    [...call('c', 'one'), ...call('c', 'two'), ...call('', 'three'), finish],
    [...call('c', 'four'), ...call('d', 'five'), finish],
    says('done'),
  ]);
  const turn = await testTurn(model, [echo]);

  await turn.run();

  const parts = toolParts(turn.session);
  expect(parts.map(({ state }) => state.status === 'completed' && state.output)).toEqual([
    'one',
    'two',
    'three',
    'four',
    'five',
  ]);
  const ids = parts.map(({ callID }) => callID);
  expect(new Set(ids).size).toBe(5);
  expect([ids[0], ids[4]]).toEqual(['c', 'd']); // What is unique stays as the provider knows it.
  expect(ids.every((id) => id !== '')).toBe(true);
  const sent = model.calls[2]!.prompt.flatMap((message) =>
    message.role === 'assistant' || message.role === 'tool'
      ? message.content.flatMap((piece) => ('toolCallId' in piece ? [[message.role, piece.toolCallId]] : []))
      : [],
  );
  expect(sent).toEqual([
    ...ids.slice(0, 3).map((id) => ['assistant', id]),
    ...ids.slice(0, 3).map((id) => ['tool', id]),
    ...ids.slice(3).map((id) => ['assistant', id]),
    ...ids.slice(3).map((id) => ['tool', id]),
  ]);
});

test('a call that is tried again keeps the id it had [ACC-14]', async () => {
  const { DragomanError } = await import('@dragoman/protocol');
  const busy = new DragomanError('unavailable', 'busy', { isRetryable: true });
  const model = scriptedModel([
    [...call('c', 'half'), { type: 'error', error: busy }],
    [...call('c', 'whole'), finish],
    says('done'),
  ]);
  const turn = await testTurn(model, [echo]);

  await turn.run();

  expect(toolParts(turn.session)).toMatchObject([{ callID: 'c', state: { status: 'completed', output: 'whole' } }]);
});

test('a block that begins again before it was ended is two blocks, and both are ended [FR-01, FR-02]', async () => {
  const answer: ModelEvent[] = [
    { type: 'reasoning-start', id: 'r' },
    { type: 'reasoning-delta', id: 'r', delta: 'one' },
    { type: 'reasoning-start', id: 'r' },
    { type: 'reasoning-delta', id: 'r', delta: 'two' },
    { type: 'text-delta', id: 'unknown', delta: 'never begun' },
    { type: 'text-end', id: 'unknown' },
    { type: 'text-start', id: 't' },
    { type: 'text-delta', id: 't', delta: 'left open' },
    { type: 'finish', finishReason: 'stop' },
  ];
  const turn = await testTurn(scriptedModel([answer]));

  await turn.run();

  const { parts } = turn.session.state.messages[1]!;
  expect(parts.flatMap((part) => ('text' in part ? [part.text] : []))).toEqual(['one', 'two', 'left open']);
  const times = parts.flatMap((part) => (part.type === 'reasoning' || part.type === 'text' ? [part.time!] : []));
  expect(times.map(({ start, end }) => end! >= start)).toEqual([true, true, true]);
});
