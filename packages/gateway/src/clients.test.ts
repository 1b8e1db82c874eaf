import Anthropic from '@anthropic-ai/sdk';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { AugmentLanguageModel } from '@augmentcode/auggie-sdk';
import { gatherAnswer, type ModelAnswer } from '@dragoman/protocol';
import { startFakeProvider } from '@dragoman/testkit';
import { GoogleGenAI } from '@google/genai';
import { jsonSchema, streamText, tool } from 'ai';
import { Ollama } from 'ollama';
import OpenAI from 'openai';
import { describe, expect, test } from 'vitest';
import { openTestGateway, provider, recordedAnswer, type TestGateway } from './gateway.fixture.ts';
import { httpUpstream } from './upstreams/upstream-registry.ts';

const UPSTREAMS = ['openai-chat', 'openai-responses', 'anthropic-messages', 'gemini', 'ollama', 'ai-sdk'] as const;
type Upstream = (typeof UPSTREAMS)[number];

/** The wire that an upstream's provider speaks; a package of the AI SDK speaks one of the others. */
const wireOf = (upstream: Upstream) => (upstream === 'ai-sdk' ? 'openai-chat' : upstream);
const providerOf = (upstream: Upstream, url: string) =>
  upstream === 'ai-sdk'
    ? {
        ...provider('ai-sdk', url),
        package: '@ai-sdk/openai-compatible',
        options: { name: 'packaged', includeUsage: true },
      }
    : provider(upstream, url);
const SCENARIOS = ['text', 'reasoning', 'tool', 'parallel-tools', 'length', 'refusal'] as const;

/** What every client should have understood. */
interface Understood {
  text: string;
  calls: { name: string; input: unknown }[];
  end: 'stop' | 'length' | 'tool-calls' | 'content-filter';
}

const TOOL_NAMES = ['read_file', 'read-file', 'weather', 'get_weather', 'search', 'list-files', 'list_files', 'grep'];
const SCHEMA = { type: 'object' as const, properties: {}, additionalProperties: true };

const CHAT_ENDS = {
  stop: 'stop',
  length: 'length',
  tool_calls: 'tool-calls',
  content_filter: 'content-filter',
  function_call: 'tool-calls',
} as const;

/** Real clients, each asking once with a few tools on offer and reading the stream to its end. */
const CLIENTS: Record<string, (gateway: TestGateway, image?: string) => Promise<Understood>> = {
  async 'openai chat'({ url, tokenOf }, image) {
    const client = new OpenAI({ baseURL: `${url}/v1`, apiKey: tokenOf.member, maxRetries: 0 });
    const stream = client.chat.completions.stream({
      model: 'fake/m',
      messages: [
        {
          role: 'user',
          content:
            image === undefined ? 'hi' : [{ type: 'image_url', image_url: { url: `data:image/png;base64,${image}` } }],
        },
      ],
      tools: TOOL_NAMES.map((name) => ({ type: 'function' as const, function: { name, parameters: SCHEMA } })),
    });
    const { choices } = await stream.finalChatCompletion();
    const { message, finish_reason: finish } = choices[0]!;
    return {
      text: message.content || message.refusal || '',
      calls: (message.tool_calls ?? []).map((call) =>
        call.type === 'function'
          ? { name: call.function.name, input: JSON.parse(call.function.arguments) as unknown }
          : { name: '', input: {} },
      ),
      end: typeof message.refusal === 'string' ? 'content-filter' : CHAT_ENDS[finish],
    };
  },
  async 'openai responses'({ url, tokenOf }, image) {
    const client = new OpenAI({ baseURL: `${url}/v1`, apiKey: tokenOf.member, maxRetries: 0 });
    const stream = client.responses.stream({
      model: 'fake/m',
      input:
        image === undefined
          ? 'hi'
          : [
              {
                role: 'user',
                content: [{ type: 'input_image', detail: 'auto', image_url: `data:image/png;base64,${image}` }],
              },
            ],
      tools: TOOL_NAMES.map((name) => ({ type: 'function' as const, name, parameters: SCHEMA, strict: false })),
    });
    const response = await stream.finalResponse();
    const calls = response.output.filter((item) => item.type === 'function_call');
    const refused = response.output.some(
      (item) => item.type === 'message' && item.content.some((part) => part.type === 'refusal'),
    );
    const reason = response.incomplete_details?.reason;
    const texts = response.output.flatMap((item) =>
      item.type === 'message'
        ? item.content.map((part) =>
            part.type === 'output_text' ? part.text : part.type === 'refusal' ? part.refusal : '',
          )
        : [],
    );
    return {
      text: texts.join(''),
      calls: calls.map((call) => ({ name: call.name, input: JSON.parse(call.arguments) as unknown })),
      end:
        reason === 'max_output_tokens'
          ? 'length'
          : reason === 'content_filter' || refused
            ? 'content-filter'
            : calls.length > 0
              ? 'tool-calls'
              : 'stop',
    };
  },
  async anthropic({ url, tokenOf }, image) {
    const client = new Anthropic({ baseURL: url, apiKey: tokenOf.member, maxRetries: 0 });
    const stream = client.messages.stream({
      model: 'fake/m',
      max_tokens: 100,
      messages: [
        {
          role: 'user',
          content:
            image === undefined
              ? 'hi'
              : [{ type: 'image', source: { type: 'base64', media_type: 'image/png', data: image } }],
        },
      ],
      tools: TOOL_NAMES.map((name) => ({ name, input_schema: SCHEMA })),
    });
    const message = await stream.finalMessage();
    const ends: Record<string, Understood['end']> = {
      end_turn: 'stop',
      max_tokens: 'length',
      tool_use: 'tool-calls',
      refusal: 'content-filter',
    };
    return {
      text: message.content.map((block) => (block.type === 'text' ? block.text : '')).join(''),
      calls: message.content.flatMap((block) =>
        block.type === 'tool_use' ? [{ name: block.name, input: block.input }] : [],
      ),
      end: ends[message.stop_reason ?? ''] ?? 'stop',
    };
  },
  async 'google genai'({ url, tokenOf }, image) {
    const client = new GoogleGenAI({ apiKey: tokenOf.member, httpOptions: { baseUrl: url } });
    const stream = await client.models.generateContentStream({
      model: 'fake/m',
      contents: image === undefined ? 'hi' : [{ inlineData: { mimeType: 'image/png', data: image } }],
      config: {
        tools: [{ functionDeclarations: TOOL_NAMES.map((name) => ({ name, parametersJsonSchema: SCHEMA })) }],
      },
    });
    const understood: Understood = { text: '', calls: [], end: 'stop' };
    const ends: Record<string, Understood['end']> = {
      STOP: 'stop',
      MAX_TOKENS: 'length',
      SAFETY: 'content-filter',
      PROHIBITED_CONTENT: 'content-filter',
    };
    for await (const { candidates } of stream) {
      const { content, finishReason } = candidates?.[0] ?? {};
      for (const part of content?.parts ?? []) {
        if (part.thought !== true) understood.text += part.text ?? '';
        if (part.functionCall !== undefined)
          understood.calls.push({ name: part.functionCall.name!, input: part.functionCall.args ?? {} });
      }
      if (finishReason !== undefined) understood.end = ends[finishReason] ?? 'stop';
    }
    if (understood.calls.length > 0) understood.end = 'tool-calls';
    return understood;
  },
  async 'ai sdk'({ url, tokenOf }, image) {
    const models = createOpenAICompatible({ name: 'dragoman', baseURL: `${url}/v1`, apiKey: tokenOf.member });
    const result = streamText({
      model: models('fake/m'),
      messages: [
        {
          role: 'user',
          content:
            image === undefined ? 'hi' : [{ type: 'file', mediaType: 'image/png', data: Buffer.from(image, 'base64') }],
        },
      ],
      onError: () => {},
      maxRetries: 0,
      tools: Object.fromEntries(TOOL_NAMES.map((name) => [name, tool({ inputSchema: jsonSchema(SCHEMA) })])),
    });
    await result.consumeStream();
    const end = await result.finishReason;
    return {
      text: await result.text,
      calls: (await result.toolCalls).map((call) => ({ name: call.toolName, input: call.input })),
      end: end as Understood['end'],
    };
  },
  async ollama({ url, tokenOf }, image) {
    const client = new Ollama({ host: `${url}/token/${tokenOf.models}` });
    const stream = await client.chat({
      model: 'fake/m',
      messages: [{ role: 'user', content: 'hi', ...(image === undefined ? {} : { images: [image] }) }],
      tools: TOOL_NAMES.map((name) => ({
        type: 'function',
        function: { name, description: name, parameters: SCHEMA },
      })),
      stream: true,
    });
    const understood: Understood = { text: '', calls: [], end: 'stop' };
    for await (const { message, done_reason: reason } of stream) {
      understood.text += message.content;
      for (const call of message.tool_calls ?? [])
        understood.calls.push({ name: call.function.name, input: call.function.arguments });
      if (reason === 'length') understood.end = 'length';
      if (reason === 'content_filter') understood.end = 'content-filter';
    }
    // There is no other word for it.
    if (understood.calls.length > 0) understood.end = 'tool-calls';
    return understood;
  },
  async 'auggie sdk'({ url, tokenOf }) {
    const model = new AugmentLanguageModel('fake/m', { apiKey: tokenOf.member, apiUrl: `${url}/` });
    const { stream } = await model.doStream({
      prompt: [{ role: 'user', content: [{ type: 'text', text: 'hi' }] }],
      tools: TOOL_NAMES.map((name) => ({ type: 'function' as const, name, description: name, inputSchema: SCHEMA })),
    });
    const understood: Understood = { text: '', calls: [], end: 'stop' };
    for await (const part of stream as unknown as AsyncIterable<Record<string, unknown>>) {
      if (part['type'] === 'text-delta') understood.text += String(part['delta']);
      if (part['type'] === 'tool-call')
        understood.calls.push({ name: String(part['toolName']), input: JSON.parse(String(part['input'])) as unknown });
      if (part['type'] === 'finish') understood.end = part['finishReason'] as Understood['end'];
    }
    return understood;
  },
};

/** What a recording means, by the decoder that has tests of its own. */
async function meaning(upstream: Upstream, scenario: string): Promise<ModelAnswer> {
  const gathered = gatherAnswer();
  const decoder = (await httpUpstream(wireOf(upstream))).decodeStream(gathered);
  for (const piece of recordedAnswer(wireOf(upstream), scenario)) decoder.feed(Buffer.from(piece));
  decoder.end();
  return gathered.answer;
}

describe.each(Object.keys(CLIENTS))('%s', (client) => {
  test.each(UPSTREAMS)(
    'BYOK-93 BYOK-94 COMPAT-80 understands text, reasoning, tools, length and refusal from a provider of type %s',
    async (upstream) => {
      const fake = await startFakeProvider();
      const gateway = await openTestGateway({ providers: { fake: providerOf(upstream, fake.url) } });

      for (const scenario of SCENARIOS) {
        fake.answer({ body: recordedAnswer(wireOf(upstream), scenario) });
        const { content, finishReason } = await meaning(upstream, scenario);
        const calls = content.flatMap((part) =>
          part.type === 'tool-call' ? [{ name: part.toolName, input: JSON.parse(part.input) as unknown }] : [],
        );

        const understood = await CLIENTS[client]!(gateway);

        expect({ scenario, ...understood }).toEqual({
          scenario,
          text: content.map((part) => (part.type === 'text' ? part.text : '')).join(''),
          calls,
          end: finishReason,
        });
      }
    },
  );

  test.each(UPSTREAMS)('hears of an error of a provider of type %s before and in the stream', async (upstream) => {
    const fake = await startFakeProvider();
    const gateway = await openTestGateway({ providers: { fake: providerOf(upstream, fake.url) } });
    /** Each client tells an error in its own way: it throws, ends with one, or, over Augment, shows it as text. */
    const hears = () =>
      CLIENTS[client]!(gateway).then(
        ({ text, end }) => text.includes('[dragoman] ') || (end as string) === 'error',
        () => true,
      );

    fake.answer({ status: 400, body: '{"error":{"message":"too hot"}}' });
    expect(await hears()).toBe(true);
    fake.answer({ body: recordedAnswer(wireOf(upstream), 'error') });
    expect(await hears()).toBe(true);
    fake.answer({ body: recordedAnswer(wireOf(upstream), 'text') });
    expect(await hears()).toBe(false);
  });
});

// The Augment SDK sends no images.
describe.each(Object.keys(CLIENTS).filter((name) => name !== 'auggie sdk'))('%s', (client) => {
  test.each(UPSTREAMS)('sends an image to a provider of type %s', async (upstream) => {
    const fake = await startFakeProvider();
    const gateway = await openTestGateway({ providers: { fake: providerOf(upstream, fake.url) } });
    fake.answer({ body: recordedAnswer(wireOf(upstream), 'text') });

    await CLIENTS[client]!(gateway, 'iVBORw0KGgo=');

    expect(fake.requests[0]!.text).toContain('iVBORw0KGgo=');
  });
});
