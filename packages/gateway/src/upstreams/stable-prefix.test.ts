import type { ModelCall, ModelMessage } from '@dragoman/protocol';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { UpstreamKind } from '../config/gateway-config.ts';
import { prepareCall } from '../routing/prepare-call.ts';
import { testTarget } from '../routing/target.fixture.ts';
import { httpUpstream } from './upstream-registry.ts';

const UPSTREAMS: [kind: UpstreamKind, model: string, list: string][] = [
  ['anthropic-messages', 'claude-sonnet-5', 'messages'],
  ['openai-chat', 'gpt-5.5', 'messages'],
  ['openai-chat', 'gpt-5.6-sol', 'messages'],
  ['openai-responses', 'gpt-5.5', 'input'],
  ['openai-responses', 'gpt-5.6-sol', 'input'],
  ['gemini', 'gemini-3-pro', 'contents'],
  ['ollama', 'qwen3', 'messages'],
];

const said = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 12 }),
  fc.constantFrom('', ' ', '\n', 'AKIAIOSFODNN7EXAMPLE', '{"password":"hunter2"}', '"]}'),
);
const text = fc.record({ type: fc.constant('text' as const), text: said });
const picture = fc.constant({
  type: 'file' as const,
  mediaType: 'image/png',
  data: { type: 'base64' as const, base64: 'AAAA' },
});
const content = fc.array(fc.oneof(text, picture), { minLength: 1, maxLength: 3 });
const signature = fc.constantFrom({}, { anthropic: { signature: 's' } }, { google: { thoughtSignature: 'g' } });
const input = fc.oneof(fc.json({ maxDepth: 2 }), fc.constantFrom('', '{', '{"b":1,"a":{"token":"t"}}'));

/** One answer of a model, with what its tools returned, some results missing or strange; then what the user says, if anything. */
const round = fc.record({
  text: fc.option(said),
  thought: fc.option(fc.record({ text: said, providerOptions: signature })),
  calls: fc.array(fc.record({ input, isAnswered: fc.boolean(), result: content, isError: fc.boolean() }), {
    maxLength: 4,
  }),
  stray: fc.boolean(),
  says: content,
});
type Round = typeof round extends fc.Arbitrary<infer R> ? R : never;

function messagesOf(rounds: readonly Round[], first: ReturnType<typeof toUser>): ModelMessage[][] {
  return [
    [first],
    ...rounds.map(({ text: words, thought, calls, stray, says }, number): ModelMessage[] => {
      const made = calls.map((call, index) => ({ ...call, toolCallId: `call_${number}.${index}`, toolName: 'f' }));
      const results = made
        .filter(({ isAnswered }) => isAnswered)
        .map(({ toolCallId, toolName, result, isError }) => ({
          type: 'tool-result' as const,
          toolCallId,
          toolName,
          content: result,
          isError,
        }));
      if (stray)
        results.push({
          type: 'tool-result',
          toolCallId: `lost_${number}`,
          toolName: '',
          content: says,
          isError: false,
        });
      return [
        {
          role: 'assistant',
          content: [
            ...(thought === null ? [] : [{ type: 'reasoning' as const, ...thought }]),
            ...(words === null ? [] : [{ type: 'text' as const, text: words }]),
            ...made.map((call) => ({
              type: 'tool-call' as const,
              toolCallId: call.toolCallId,
              toolName: call.toolName,
              input: call.input,
            })),
          ],
        },
        ...(results.length === 0 ? [toUser(says)] : [{ role: 'tool' as const, content: results }]),
      ];
    }),
  ];
}

function toUser(parts: Extract<ModelMessage, { role: 'user' }>['content']) {
  return { role: 'user' as const, content: parts };
}

/** A request from its beginning to the end of the conversation, without marks and without the brackets that close it. */
function beginning(body: string, list: string): string {
  const unmarked = JSON.parse(body, (key, value: unknown) =>
    key === 'cache_control' || key === 'prompt_cache_breakpoint' ? undefined : value,
  ) as Record<string, unknown>;
  const conversation = JSON.stringify(unmarked[list]);
  const whole = JSON.stringify(unmarked);
  return whole
    .slice(0, whole.indexOf(`"${list}":${conversation}`) + list.length + 3 + conversation.length)
    .replace(/[\]}]*$/, '');
}

test.each(UPSTREAMS)(
  'whatever is said, what %s was sent is how its next request begins, to the byte (%s)',
  async (kind, model, list) => {
    const upstream = await httpUpstream(kind);
    const target = testTarget({ type: kind, promptCaching: true }, model);
    const route = {
      name: 'r',
      targets: [target],
      temperature: undefined,
      maxTokens: undefined,
      isRedacted: true,
      policy: 'order' as const,
      weights: {},
      isSticky: false,
      isDirect: false,
    };
    const property = fc.asyncProperty(
      content,
      fc.array(round, { minLength: 1, maxLength: 6 }),
      async (first, rounds) => {
        const turns = messagesOf(rounds, toUser(first));
        const sent: string[] = [];
        for (const turn of turns.keys()) {
          const call: ModelCall = {
            prompt: [{ role: 'system', content: 'Be terse.' }, ...turns.slice(0, turn + 1).flat()],
            tools: [{ name: 'f', description: 'Does it.', inputSchema: { type: 'object' } }],
          };
          const prepared = await prepareCall(structuredClone(call), route, () => 'c');
          sent.push(beginning(upstream.encodeRequest(prepared.call, target, true).body, list));
        }
        return sent.every((text, turn) => turn === 0 || text.startsWith(sent[turn - 1]!));
      },
    );
    expect(await fc.check(property, { numRuns: 40 })).toMatchObject({ failed: false });
  },
);
