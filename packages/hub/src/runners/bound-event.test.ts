import type { RunnerEvent } from '@dragoman/protocol';
import { expect, test } from 'vitest';
import { boundEvent } from './bound-event.ts';

const long = 'x'.repeat(100_000);
const cut = (chars: number) => `${'x'.repeat(chars - 1)}…`;

test('news of any usual length stay as they are', () => {
  const events: RunnerEvent[] = [
    { type: 'agent-updated', agentSessionId: 's', title: 'A title', model: 'm', models: [{ id: 'm', name: 'M' }] },
    { type: 'agent-state', state: 'failed', cwd: '/code', branch: 'main', error: { code: 'c', message: 'Why.' } },
    { type: 'turn-finished', turnId: 't', reason: 'failed', error: { code: 'c', message: 'Why.', fix: 'How.' } },
    { type: 'reverted', messageId: 'm', files: ['a.ts'] },
    { type: 'block-delta', blockId: 'b', delta: long },
  ];

  for (const event of events) expect(boundEvent(event)).toEqual(event);
});

test('what stands in the row of a session is cut, and a path or id that is too long is left out', () => {
  expect(
    boundEvent({
      type: 'agent-updated',
      agentSessionId: long,
      title: long,
      model: long,
      mode: long,
      models: [{ id: long }, { id: 'm', name: long, description: long }],
      commands: Array.from({ length: 2_000 }, () => ({ name: 'c', description: long })),
    }),
  ).toEqual({
    type: 'agent-updated',
    title: cut(1_000),
    model: cut(500),
    mode: cut(500),
    models: [{ id: 'm', name: cut(500), description: cut(1_000) }],
    commands: Array.from({ length: 1_000 }, () => ({ name: 'c', description: cut(1_000) })),
  });
  expect(
    boundEvent({
      type: 'agent-state',
      state: 'failed',
      cwd: long,
      branch: long,
      error: { code: long, message: long, fix: long },
    }),
  ).toEqual({
    type: 'agent-state',
    state: 'failed',
    branch: cut(500),
    error: { code: cut(500), message: cut(4_000), fix: cut(4_000) },
  });
});

test.each<RunnerEvent>([
  { type: 'turn-started', turnId: long },
  { type: 'prompt-taken', turnId: 't', promptId: long },
  { type: 'approval-withdrawn', approvalId: long },
  { type: 'approval-asked', approval: { id: long, title: 't', options: [] } },
  { type: 'block-delta', blockId: long, delta: 'x' },
])('an event with an id that is none is not read: $type', (event) => {
  expect(boundEvent(event)).toBeUndefined();
});
