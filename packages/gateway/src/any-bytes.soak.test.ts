import { readFileSync } from 'node:fs';
import { DragomanError, type ModelEvent } from '@dragoman/protocol';
import { rounds } from '@dragoman/testkit';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decodeAnthropicRequest } from './dialects/anthropic-messages/decode-request.ts';
import { anthropicMessagesDialect } from './dialects/anthropic-messages/dialect.ts';
import { decodeAugmentRequest } from './dialects/augment/decode-request.ts';
import { augmentDialect } from './dialects/augment/dialect.ts';
import type { DecodedRequest, Dialect } from './dialects/dialect.ts';
import { decodeGeminiRequest } from './dialects/gemini/decode-request.ts';
import { geminiDialect } from './dialects/gemini/dialect.ts';
import { decodeOllamaRequest } from './dialects/ollama/decode-request.ts';
import { ollamaDialect } from './dialects/ollama/dialect.ts';
import { decodeOpenAiChatRequest } from './dialects/openai-chat/decode-request.ts';
import { openAiChatDialect } from './dialects/openai-chat/dialect.ts';
import { decodeCompletionRequest } from './dialects/openai-completions/decode-request.ts';
import { openAiCompletionsDialect } from './dialects/openai-completions/dialect.ts';
import { decodeResponsesRequest } from './dialects/openai-responses/decode-request.ts';
import { openAiResponsesDialect } from './dialects/openai-responses/dialect.ts';
import { recordedAnswer } from './gateway.fixture.ts';
import { decodePieces, mutationsOf, splitsOf } from './upstreams/decoder-rules.fixture.ts';
import { httpUpstream } from './upstreams/upstream-registry.ts';

const UPSTREAMS = ['openai-chat', 'openai-responses', 'anthropic-messages', 'gemini', 'ollama'] as const;
const SCENARIOS = ['text', 'reasoning', 'tool', 'parallel-tools', 'length', 'refusal', 'error'];
const RUNS = rounds(12_000);

const AUGMENT = { systemPromptBase: 'BASE', isTyped: false, isStreamed: true };
/** Every dialect with a request of its own. */
const DIALECTS: Record<
  string,
  { dialect: Dialect<never>; decode: (body: unknown) => DecodedRequest<never>; body: unknown }
> = {
  augment: {
    dialect: augmentDialect,
    decode: (body) => decodeAugmentRequest(body, AUGMENT) as DecodedRequest<never>,
    body: JSON.parse(readFileSync(new URL('dialects/augment/recordings/cli-tool-round.json', import.meta.url), 'utf8')),
  },
  'openai chat': {
    dialect: openAiChatDialect,
    decode: (body) => decodeOpenAiChatRequest(body) as DecodedRequest<never>,
    body: {
      model: 'm',
      stream: true,
      messages: [
        { role: 'system', content: 's' },
        { role: 'user', content: [{ type: 'text', text: 'x' }] },
        { role: 'assistant', content: null, tool_calls: [{ id: 'c', function: { name: 'f', arguments: '{}' } }] },
        { role: 'tool', tool_call_id: 'c', content: 'r' },
      ],
      tools: [{ type: 'function', function: { name: 'f', parameters: {} } }],
    },
  },
  'openai completions': {
    dialect: openAiCompletionsDialect,
    decode: (body) => decodeCompletionRequest(body) as DecodedRequest<never>,
    body: {
      model: 'm',
      stream: true,
      prompt: ['x'],
      suffix: '',
      echo: true,
      stop: ['a', 'b'],
      max_tokens: 9,
      logit_bias: {},
      stream_options: { include_usage: true },
    },
  },
  'openai responses': {
    dialect: openAiResponsesDialect,
    decode: (body) => decodeResponsesRequest(body) as DecodedRequest<never>,
    body: {
      model: 'm',
      stream: true,
      instructions: 's',
      input: [
        { role: 'user', content: [{ type: 'input_text', text: 'x' }] },
        { type: 'function_call', call_id: 'c', name: 'f', arguments: '{}' },
        { type: 'function_call_output', call_id: 'c', output: 'r' },
      ],
      tools: [{ type: 'function', name: 'f', parameters: {} }],
    },
  },
  ollama: {
    dialect: ollamaDialect,
    decode: (body) => decodeOllamaRequest('chat', body) as DecodedRequest<never>,
    body: {
      model: 'm',
      messages: [
        { role: 'system', content: 's' },
        { role: 'user', content: 'x', images: ['iVBORw0KGgo='] },
        { role: 'assistant', content: '', thinking: 't', tool_calls: [{ function: { name: 'f', arguments: {} } }] },
        { role: 'tool', tool_name: 'f', content: 'r' },
      ],
      tools: [{ type: 'function', function: { name: 'f', parameters: {} } }],
      options: { temperature: 1, stop: ['x'], num_ctx: 4096 },
      format: 'json',
      think: true,
    },
  },
  'ollama generate': {
    dialect: ollamaDialect,
    decode: (body) => decodeOllamaRequest('generate', body) as DecodedRequest<never>,
    body: { model: 'm', prompt: 'x', suffix: 'y', system: 's', options: { num_predict: 9 }, keep_alive: '5m' },
  },
  anthropic: {
    dialect: anthropicMessagesDialect,
    decode: (body) => decodeAnthropicRequest(body) as DecodedRequest<never>,
    body: {
      model: 'm',
      max_tokens: 9,
      stream: true,
      system: [{ type: 'text', text: 's' }],
      messages: [
        { role: 'user', content: 'x' },
        {
          role: 'assistant',
          content: [
            { type: 'thinking', thinking: 't', signature: 's' },
            { type: 'tool_use', id: 'c', name: 'f', input: {} },
          ],
        },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c', content: 'r' }] },
      ],
      tools: [{ name: 'f', input_schema: { type: 'object' } }],
    },
  },
  gemini: {
    dialect: geminiDialect,
    decode: (body) => decodeGeminiRequest(body, { asked: 'm', isStreamed: true }) as DecodedRequest<never>,
    body: {
      system_instruction: { parts: [{ text: 's' }] },
      contents: [
        { role: 'user', parts: [{ text: 'x' }, { inlineData: { mimeType: 'image/png', data: 'AAAA' } }] },
        {
          role: 'model',
          parts: [
            { text: 't', thought: true, thoughtSignature: 's' },
            { functionCall: { id: 'c', name: 'f', args: {} } },
          ],
        },
        { role: 'user', parts: [{ functionResponse: { id: 'c', name: 'f', response: { output: 'r' } } }] },
      ],
      tools: [{ functionDeclarations: [{ name: 'f', parameters: { type: 'OBJECT', properties: {} } }] }],
      toolConfig: { functionCallingConfig: { mode: 'ANY', allowedFunctionNames: ['f'] } },
      generationConfig: { maxOutputTokens: 9, thinkingConfig: { thinkingBudget: 9, includeThoughts: true } },
    },
  },
};

/** Ids that a decoder had to make up differ from run to run; their order does not. */
function withPlainIds(events: object[]): object[] {
  const plain = new Map<string, string>();
  return events.map((event) => {
    if (!('id' in event) || !/^(call_|tooluse_)/.test(String(event.id))) return event;
    const id = String(event.id);
    if (!plain.has(id)) plain.set(id, `call ${plain.size}`);
    return { ...event, id: plain.get(id) };
  });
}

/** Lines of a stream that should be JSON, and are not. */
function brokenLines(stream: string): string[] {
  const payloads = stream.split('\n').map((line) => line.replace(/^data: /, ''));
  return payloads.filter((line) => line !== '' && line !== '[DONE]' && !line.startsWith('event: ') && !isJson(line));
}

function problemOf(attempt: () => unknown): unknown {
  try {
    attempt();
    return undefined;
  } catch (error) {
    return error;
  }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

describe.each(UPSTREAMS)('the bytes of %s', async (upstream) => {
  const { decodeStream } = await httpUpstream(upstream);

  test.each(SCENARIOS)('give the same events however they are split: %s', (scenario) => {
    const text = recordedAnswer(upstream, scenario).join('');
    const whole = withPlainIds(decodePieces(decodeStream, [Buffer.from(text)]));
    fc.assert(
      fc.property(splitsOf(text), (pieces) => {
        expect(withPlainIds(decodePieces(decodeStream, pieces))).toEqual(whole);
      }),
      { seed: 11, numRuns: RUNS },
    );
  });

  test.each(Object.keys(DIALECTS))('end in one way and make valid JSON for %s however they are damaged', (name) => {
    const { dialect, decode, body } = DIALECTS[name]!;
    const request = decode(body);
    const damaged = fc.oneof(...SCENARIOS.map((scenario) => mutationsOf(recordedAnswer(upstream, scenario).join(''))));
    fc.assert(
      fc.property(damaged, (bytes) => {
        const events: ModelEvent[] = [];
        let stream = '';
        const encode = dialect.encodeStream((piece) => (stream += piece), request);
        const decoder = decodeStream({
          push(event) {
            events.push(event);
            encode.push(event);
          },
        });
        decoder.feed(bytes);
        decoder.end();
        expect(events.filter(({ type }) => type === 'finish' || type === 'error')).toHaveLength(1);
        expect(brokenLines(stream)).toEqual([]);
      }),
      { seed: 12, numRuns: RUNS },
    );
  });
});

test.each(Object.keys(DIALECTS))('a damaged request of %s is read or refused, and nothing else', (name) => {
  const { decode, body } = DIALECTS[name]!;
  fc.assert(
    fc.property(mutationsOf(JSON.stringify(body)), (bytes) => {
      const text = bytes.toString();
      if (!isJson(text)) return;
      expect(problemOf(() => decode(JSON.parse(text)))).toBeOneOf([undefined, expect.any(DragomanError)]);
    }),
    { seed: 13, numRuns: rounds(100_000) },
  );
});
