import type { AgentMessage, BlockEvent, ContentBlockOf } from '@dragoman/protocol';
import { type UapFixture, uapFixtures } from '@dragoman/testkit';
import { expect, test } from 'vitest';
import { startAcp } from './acp.fixture.ts';
import type { Step } from './fake-agent.fixture.ts';

/** Sessions in which an agent says and does what ACP has words for. The others are about the hub, or about other blocks. */
const EXPRESSIBLE = ['error-result', 'example', 'hostile-text', 'live-tool-output', 'long', 'parallel-calls'];

test.each(uapFixtures().filter(({ name }) => EXPRESSIBLE.includes(name)))(
  'the golden session "$name", told through ACP, gives its messages [UAP-18]',
  async (fixture) => {
    const { run, messages } = await startAcp();

    for (const steps of toTurns(fixture)) await run(steps);

    expect(spoken(messages())).toEqual(spoken(fixture.messages));
  },
);

test('every golden session that is told here is there', () => {
  expect(uapFixtures().map(({ name }) => name)).toEqual(expect.arrayContaining(EXPRESSIBLE));
});

/** What the agent said and what its tools returned, in order; prompts are the hub's to tell. */
function spoken(messages: readonly AgentMessage[]): unknown[] {
  return messages.flatMap(({ role, content }) =>
    content.filter(({ type }) => role === 'assistant' || type === 'tool_result').map((block) => ({ role, block })),
  );
}

function toTurns({ events }: UapFixture): Step[][] {
  const turns: Step[][] = [];
  const open = new Map<string, BlockEvent & { type: 'block-start' }>();
  const outputs = new Map<string, string>();
  for (const { event } of events) {
    if (event.type === 'turn-started') turns.push([]);
    const steps = turns.at(-1);
    if (event.type === 'block-start') {
      open.set(event.blockId, event);
      if (event.block.type === 'tool_use') steps!.push(call(event.block, 'pending'));
    } else if (event.type === 'block-delta') {
      const { block } = open.get(event.blockId)!;
      if (block.type === 'text' || block.type === 'thinking') steps!.push(chunk(block.type, event.delta));
      if (block.type !== 'tool_result') continue;
      outputs.set(block.tool_use_id, (outputs.get(block.tool_use_id) ?? '') + event.delta);
      steps!.push(result(block.tool_use_id, 'in_progress', outputs.get(block.tool_use_id)!));
    } else if (event.type === 'block-stop') {
      const { block } = event;
      if (block.type === 'tool_use') steps!.push(call(block, 'in_progress'));
      if (block.type === 'tool_result')
        steps!.push(result(block.tool_use_id, block.is_error === true ? 'failed' : 'completed', block.content));
      if (block.type === 'text' && !open.has(event.blockId)) steps!.push(chunk('text', block.text));
      if (block.type === 'thinking' && !open.has(event.blockId)) steps!.push(chunk('thinking', block.thinking));
    }
  }
  return turns;
}

function chunk(type: 'text' | 'thinking', text: string): Step {
  const sessionUpdate = type === 'text' ? 'agent_message_chunk' : 'agent_thought_chunk';
  return { update: { sessionUpdate, content: { type: 'text', text } } };
}

function call({ type: _type, id, input, ...block }: ContentBlockOf<'tool_use'>, status: string): Step {
  return { update: { ...block, sessionUpdate: 'tool_call', toolCallId: id, rawInput: input, status } };
}

function result(toolCallId: string, status: string, text: string): Step {
  const content = text === '' ? [] : [{ type: 'content', content: { type: 'text', text } }];
  return { update: { sessionUpdate: 'tool_call_update', toolCallId, status, content } };
}
