import type { HubEvent } from '@dragoman/protocol';
import fc from 'fast-check';

type BlockStop = Extract<HubEvent, { type: 'block-stop' }>;

const words = fc.constantFrom('', 'a', 'bc ', 'über', '登录', '{"x":', '\n', '\0', '\ud83d');
const blockId = fc.constantFrom('b1', 'b2', 'b3', 'b4');
const messageId = fc.constantFrom('m1', 'm2');
const role = fc.constantFrom('user', 'assistant', 'agent');
const turnId = fc.constantFrom('t1', 't2');
const promptId = fc.constantFrom('p1', 'p2', 'p3');

function queued(id: string): HubEvent {
  const by = { type: 'user', userId: 'usr_ada', name: 'Ada', channel: 'web' } as const;
  return { type: 'prompt-queued', prompt: { id, content: [{ type: 'text', text: id }], delivery: 'queue', by } };
}

const block: fc.Arbitrary<BlockStop['block']> = fc.oneof(
  words.map((text) => ({ type: 'text' as const, text })),
  words.map((thinking) => ({ type: 'thinking' as const, thinking })),
  words.map((name) => ({ type: 'tool_use' as const, id: 'call', name, input: {} })),
  words.map((content) => ({ type: 'tool_result' as const, tool_use_id: 'call', content })),
  fc.nat(9).map((input_tokens) => ({ type: 'usage' as const, input_tokens })),
);

const whole = fc.record({ messageId, role, blockId, block });
/** Pieces of blocks are the most, in any order, also one that makes no sense. */
const event: fc.Arbitrary<HubEvent> = fc.oneof(
  { weight: 4, arbitrary: whole.map((fields): HubEvent => ({ type: 'block-start', ...fields })) },
  {
    weight: 8,
    arbitrary: fc.record({ blockId, delta: words }).map((fields): HubEvent => ({ type: 'block-delta', ...fields })),
  },
  { weight: 4, arbitrary: whole.map((fields): HubEvent => ({ type: 'block-stop', ...fields })) },
  {
    weight: 2,
    arbitrary: fc
      .record({ turnId, promptId: fc.option(promptId, { nil: undefined }) })
      .map((fields): HubEvent => ({ type: 'turn-started', ...fields })),
  },
  { weight: 2, arbitrary: promptId.map(queued) },
  { weight: 1, arbitrary: promptId.map((messageId): HubEvent => ({ type: 'reverted', messageId, files: [] })) },
  { weight: 1, arbitrary: turnId.map((id): HubEvent => ({ type: 'turn-finished', turnId: id, reason: 'done' })) },
  {
    weight: 1,
    arbitrary: fc
      .constantFrom('ready' as const, 'stopped' as const, 'failed' as const)
      .map((state): HubEvent => ({ type: 'agent-state', state })),
  },
  { weight: 1, arbitrary: words.map((title): HubEvent => ({ type: 'agent-updated', title })) },
);

/** What happens in a session, cut into batches as they might come from a runner. */
export const randomBatches: fc.Arbitrary<HubEvent[][]> = fc.array(fc.array(event, { minLength: 1, maxLength: 6 }), {
  minLength: 1,
  maxLength: 14,
});
