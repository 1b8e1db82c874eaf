import { type BackendEvent, type ContentBlock } from '@dragoman/protocol';
import { rounds } from '@dragoman/testkit';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { BlockWriter } from '../../backend/block-writer.ts';
import type { Fields } from '../../backend/fields.ts';
import { foldMessages } from '../../backend/tested-backend.fixture.ts';
import { startAcp } from './acp.fixture.ts';
import { SessionUpdates } from './session-updates.ts';
import { ToolCalls } from './tool-calls.ts';

test('the example conversation of the protocol, told through ACP, is its three messages', async () => {
  const { run, messages } = await startAcp();

  await run([
    { update: { sessionUpdate: 'agent_thought_chunk', content: { type: 'text', text: '用户想要' } } },
    { update: { sessionUpdate: 'agent_thought_chunk', content: { type: 'text', text: '查看文件...' } } },
    {
      update: {
        sessionUpdate: 'tool_call',
        toolCallId: 'call_1',
        title: 'ls',
        status: 'in_progress',
        rawInput: { path: './src' },
      },
    },
    {
      update: {
        sessionUpdate: 'tool_call_update',
        toolCallId: 'call_1',
        status: 'completed',
        content: [{ type: 'content', content: { type: 'text', text: 'index.ts\nutils.ts' } }],
      },
    },
    {
      update: {
        sessionUpdate: 'agent_message_chunk',
        content: { type: 'text', text: '目录中包含 index.ts 和 utils.ts。' },
      },
    },
  ]);

  expect(messages()).toEqual([
    {
      role: 'assistant',
      content: [
        { type: 'thinking', thinking: '用户想要查看文件...' },
        { type: 'tool_use', id: 'call_1', name: 'ls', input: { path: './src' } },
      ],
    },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'call_1', content: 'index.ts\nutils.ts' }] },
    { role: 'assistant', content: [{ type: 'text', text: '目录中包含 index.ts 和 utils.ts。' }] },
  ]);
});

const id = fc.constantFrom('call_1', 'call_2', 'call_3');
const text = fc.constantFrom('a', 'b c', '\n', '```\nx\n```');
const content = fc.array(
  text.map((each) => ({ type: 'content', content: { type: 'text', text: each } })),
  { maxLength: 2 },
);
const update: fc.Arbitrary<Fields> = fc.oneof(
  fc.record({
    sessionUpdate: fc.constantFrom('agent_message_chunk', 'agent_thought_chunk'),
    content: text.map((each) => ({ type: 'text', text: each })),
    messageId: fc.constantFrom('m1', 'm2', undefined),
  }),
  fc.record(
    {
      sessionUpdate: fc.constantFrom('tool_call', 'tool_call_update'),
      toolCallId: id,
      title: text,
      kind: fc.constantFrom('read', 'execute', 'dream', null),
      status: fc.constantFrom('pending', 'in_progress', 'completed', 'failed', 'paused', null),
      rawInput: fc.anything(),
      rawOutput: fc.anything(),
      content: fc.oneof(content, fc.anything()),
      locations: fc.anything(),
    },
    { requiredKeys: ['sessionUpdate', 'toolCallId'] },
  ),
  fc.record({ sessionUpdate: fc.constantFrom('plan', 'usage_update', 'notice', 'x', 'config_option_update') }),
  fc.dictionary(fc.constantFrom('sessionUpdate', 'content', 'entries', 'title', 'used'), fc.anything()),
);

test('whatever an agent tells, in whatever order, every block is closed, no id is used twice and no text is lost', () => {
  fc.assert(
    fc.property(fc.array(fc.array(update, { maxLength: 20 }), { maxLength: 3 }), (turns) => {
      const events: BackendEvent[] = [];
      const { updates } = open((event) => events.push(structuredClone(event)));
      updates.opened({});
      for (const turn of turns) {
        updates.turnStarted();
        for (const each of turn) updates.take(each);
        updates.turnOver();
      }

      const blocks: ContentBlock[] = foldMessages(events).flatMap((message) => message.content);
      expect(joined(blocks, 'text')).toBe(told(turns.flat(), 'agent_message_chunk'));
      expect(joined(blocks, 'thinking')).toBe(told(turns.flat(), 'agent_thought_chunk'));
      const uses = blocks.flatMap((block) => (block.type === 'tool_use' ? [block.id] : []));
      const results = blocks.flatMap((block) => (block.type === 'tool_result' ? [block.tool_use_id] : []));
      expect(new Set(uses).size).toBe(uses.length);
      expect(new Set(results).size).toBe(results.length);
      for (const result of results) expect(uses).toContain(result);
    }),
    { numRuns: rounds(10000), seed: 6 },
  );
});

test('what is told while a session is opened is only what is about it now', () => {
  const events: BackendEvent[] = [];
  const { updates } = open((event) => events.push(event));

  updates.opening(false);
  updates.take({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: 'old' } });
  updates.take({ sessionUpdate: 'tool_call', toolCallId: 'call_1', title: 'old' });
  updates.take({ sessionUpdate: 'usage_update', used: 1, size: 2, cost: { amount: 3, currency: 'USD' } });
  updates.take({ sessionUpdate: 'available_commands_update', availableCommands: [{ name: 'init' }] });
  updates.opened({ modes: { currentModeId: 'x', availableModes: [{ id: 'x' }] } });
  updates.turnStarted();
  updates.take({ sessionUpdate: 'usage_update', used: 2, size: 2, cost: { amount: 3.5, currency: 'USD' } });
  updates.turnOver();

  expect(events.map((event) => (event.type === 'block-stop' ? event.block : event))).toEqual([
    { type: 'agent-updated', commands: [{ name: 'init' }] },
    { type: 'agent-updated', mode: 'x', modes: [{ id: 'x' }] },
    { type: 'usage', context_used: 2, context_size: 2, cost_usd: 0.5 },
  ]);
});

function open(emit: (event: BackendEvent) => void) {
  const writer = new BlockWriter(emit);
  const terminals = { follow: () => () => {}, outputOf: () => undefined };
  const calls = new ToolCalls({ writer, terminals, cwd: '/p', isContinued: false, onOver: () => {} });
  return { updates: new SessionUpdates({ writer, calls, emit }) };
}

function joined(blocks: readonly ContentBlock[], type: 'text' | 'thinking'): string {
  return blocks.map((block) => (block.type === type ? Object.values(block)[1] : '')).join('');
}

function told(updates: readonly Fields[], kind: string): string {
  return updates
    .filter((each) => each['sessionUpdate'] === kind)
    .map((each) => (each['content'] as { type?: string; text?: unknown } | null | undefined) ?? {})
    .map((each) => (each.type === 'text' && typeof each.text === 'string' ? each.text : ''))
    .join('');
}

const chunk = (words: string) => ({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: words } });

test('history that comes however late after a session was loaded is not shown; what is said in the first turn is', () => {
  const events: BackendEvent[] = [];
  const { updates } = open((event) => events.push(event));
  updates.opening(false);
  updates.opened({}, { mayTellPast: true });
  updates.take(chunk('long ago'));
  updates.turnStarted();
  updates.take(chunk('now'));
  updates.turnOver();

  expect(foldMessages(events)).toEqual([{ role: 'assistant', content: [{ type: 'text', text: 'now' }] }]);
});

test('what an agent told while this process was busy with something else is no silence', async () => {
  const { updates } = open(() => {});
  updates.opening(false);
  let isRead = false;
  setImmediate(() => {
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 400);
    // What waits to be read comes after all timers that are due.
    setImmediate(() => {
      updates.take(chunk('long ago'));
      isRead = true;
    });
  });
  await updates.untilSilent();

  expect(isRead).toBe(true);
});
