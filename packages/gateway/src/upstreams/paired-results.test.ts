import type { ModelMessage } from '@dragoman/protocol';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { UpstreamKind } from '../config/gateway-config.ts';
import { prepareCall } from '../routing/prepare-call.ts';
import { testTarget } from '../routing/target.fixture.ts';
import { httpUpstream } from './upstream-registry.ts';

type Json = Record<string, unknown>;

const id = fc.constantFrom('a', 'b', 'c');
const text = { type: 'text' as const, text: 'said' };
const message = fc.oneof(
  fc.constant<ModelMessage>({ role: 'user', content: [text] }),
  fc.constant<ModelMessage>({ role: 'system', content: 'Be terse.' }),
  fc.record({ hasText: fc.boolean(), ids: fc.array(id, { maxLength: 4 }) }).map(({ hasText, ids }): ModelMessage => ({
    role: 'assistant',
    content: [
      ...(hasText || ids.length === 0 ? [text] : []),
      ...ids.map((toolCallId) => ({ type: 'tool-call' as const, toolCallId, toolName: 'f', input: '{}' })),
    ],
  })),
  fc.array(id, { minLength: 1, maxLength: 4 }).map((ids): ModelMessage => ({
    role: 'tool',
    content: ids.map((toolCallId) => ({
      type: 'tool-result' as const,
      toolCallId,
      toolName: 'f',
      content: [text],
      isError: false,
    })),
  })),
);

/** What a provider sees: calls and results in their order, what the model says beside them, and everything else, which ends a round. */
type Seen = { call?: unknown; result?: unknown; answer?: true }[];

const parts = (content: unknown): Json[] => (Array.isArray(content) ? (content as Json[]) : []);
const said = (role: unknown) => (role === 'assistant' || role === 'model' ? { answer: true as const } : {});
const listOf = (body: Json, name: string) => body[name] as Json[];

const READ: [kind: UpstreamKind, seen: (body: Json) => Seen][] = [
  [
    'openai-chat',
    (body) =>
      listOf(body, 'messages').flatMap(({ role, tool_call_id: result, tool_calls: calls }) =>
        role === 'tool' ? [{ result }] : [{}, ...parts(calls).map((call) => ({ call: call['id'] }))],
      ),
  ],
  [
    'anthropic-messages',
    (body) =>
      listOf(body, 'messages').flatMap(({ role, content }) =>
        parts(content).map(({ type, id: call, tool_use_id: result }) =>
          type === 'tool_use' ? { call } : type === 'tool_result' ? { result } : said(role),
        ),
      ),
  ],
  [
    'openai-responses',
    (body) =>
      listOf(body, 'input').map(({ type, role, call_id: of }) =>
        type === 'function_call' ? { call: of } : type === 'function_call_output' ? { result: of } : said(role),
      ),
  ],
  [
    'gemini',
    (body) =>
      listOf(body, 'contents').flatMap(({ role, parts: list }) =>
        parts(list).map(({ functionCall: call, functionResponse: result }) => {
          if (call !== undefined) return { call: (call as Json)['id'] };
          return result === undefined ? said(role) : { result: (result as Json)['id'] };
        }),
      ),
  ],
  [
    'ollama',
    (body) =>
      listOf(body, 'messages').flatMap(({ role, tool_call_id: result, tool_calls: calls }) =>
        role === 'tool' ? [{ result }] : [{}, ...parts(calls).map((call) => ({ call: call['id'] }))],
      ),
  ],
];

/** What a strict provider would refuse it for; nothing where all is well. */
function mistakeIn(seen: Seen): string | undefined {
  const open = new Set<unknown>();
  let isAnswering = false;
  for (const entry of seen) {
    if ('result' in entry) {
      isAnswering = true;
      if (!open.delete(entry.result)) return `a result without its call: ${String(entry.result)}`;
      continue;
    }
    if (isAnswering || !('call' in entry || 'answer' in entry)) {
      if (open.size > 0) return `calls without a result: ${[...open].join()}`;
      isAnswering = false;
    }
    if (!('call' in entry)) continue;
    if (open.has(entry.call)) return `a call that is there twice: ${String(entry.call)}`;
    open.add(entry.call);
  }
  return open.size > 0 ? 'calls without a result at the end' : undefined;
}

test.each(READ)(
  'COMPAT-86 whatever history a client sends, %s gets each call with its result right behind it, and no other result',
  async (kind, seen) => {
    const upstream = await httpUpstream(kind);
    const target = testTarget({ type: kind, promptCaching: false }, 'm');
    const route = {
      name: 'r',
      targets: [target],
      temperature: undefined,
      maxTokens: undefined,
      isRedacted: false,
      policy: 'order' as const,
      weights: {},
      isSticky: false,
      isDirect: false,
    };
    const property = fc.asyncProperty(fc.array(message, { maxLength: 8 }), async (prompt) => {
      const { call } = await prepareCall({ prompt: structuredClone(prompt), tools: [] }, route, () => undefined);
      const { body } = upstream.encodeRequest(call, target, true);
      const mistake = mistakeIn(seen(JSON.parse(body) as Json));
      if (mistake !== undefined) throw new Error(`${mistake} in ${body}`);
    });
    expect(await fc.check(property, { numRuns: 300 })).toMatchObject({ failed: false, error: null });
  },
);
