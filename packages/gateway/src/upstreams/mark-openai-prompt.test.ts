import type { ModelCall } from '@dragoman/protocol';
import { describe, expect, test } from 'vitest';
import { testTarget } from '../routing/target.fixture.ts';
import type { JsonObject } from '../tools/json-object.ts';
import { encodeOpenAiChatRequest } from './openai-chat/encode-request.ts';
import { markChatPrompt } from './openai-chat/mark-prompt.ts';
import { encodeOpenAiResponsesRequest } from './openai-responses/encode-request.ts';
import { markResponsesPrompt } from './openai-responses/mark-prompt.ts';

const OPENAI = 'https://api.openai.com/v1';
const ELSEWHERE = 'http://127.0.0.1:8000/v1';
const END = { prompt_cache_breakpoint: { mode: 'explicit' } };

const at = (baseUrl: string, promptCaching?: boolean, model = 'gpt-5.6-sol') =>
  testTarget({ baseUrl, ...(promptCaching === undefined ? {} : { promptCaching }) }, model);
const relayed = (target = at(OPENAI)) => ({
  target,
  conversation: () => 'ours',
  isOneOff: false,
  isRelayed: true,
});
const call = (...said: string[]): ModelCall => ({
  tools: [],
  prompt: [
    { role: 'system', content: 'Be terse.' },
    ...said.map((text, index) =>
      index % 2 === 0
        ? { role: 'user' as const, content: [{ type: 'text' as const, text }] }
        : { role: 'assistant' as const, content: [{ type: 'text' as const, text }] },
    ),
  ],
});
const chatBody = (asked: ModelCall, target = at(OPENAI)) =>
  JSON.parse(encodeOpenAiChatRequest(asked, target, true).body) as JsonObject;
const responsesBody = (asked: ModelCall, target = at(OPENAI)) =>
  JSON.parse(encodeOpenAiResponsesRequest(asked, target, true).body) as JsonObject;

describe('the key of a conversation', () => {
  test('is told where the client gave none', () => {
    expect(markChatPrompt({ messages: [] }, relayed())['prompt_cache_key']).toBe('ours');
    expect(markResponsesPrompt({ input: 'hi' }, relayed())['prompt_cache_key']).toBe('ours');
    expect(chatBody(call('hi'))).not.toHaveProperty('prompt_cache_key');
  });

  test('is the one that the client gave, where it gave one', () => {
    expect(chatBody({ ...call('hi'), promptCacheKey: 'mine' })['prompt_cache_key']).toBe('mine');
    expect(responsesBody({ ...call('hi'), promptCacheKey: 'mine' })['prompt_cache_key']).toBe('mine');
    expect(markChatPrompt({ messages: [], prompt_cache_key: 'mine' }, relayed())['prompt_cache_key']).toBe('mine');
  });

  test('goes to OpenAI itself, and to others where the settings say that they take it', () => {
    const sent = (target: ReturnType<typeof at>) =>
      chatBody({ ...call('hi'), promptCacheKey: 'k' }, target)['prompt_cache_key'];
    expect(sent(at('https://eu.api.openai.com/v1'))).toBe('k');
    expect(sent(at(ELSEWHERE, true))).toBe('k');
    expect(sent(at(ELSEWHERE))).toBeUndefined();
    expect(sent(at('https://api.openai.com.example.org/v1'))).toBeUndefined();
    expect(sent(at(OPENAI, false))).toBeUndefined();
  });

  test('of a client that passes through to another server is passed on with all the rest', () => {
    const body = { messages: [{ role: 'user', content: 'hi' }], prompt_cache_key: 'mine' };
    expect(markChatPrompt(body, relayed(at(ELSEWHERE)))).toBe(body);
  });
});

describe('breakpoints, for models that read their cache at breakpoints only', () => {
  test('stand after the system prompt and at the two places before the last answer', () => {
    expect(chatBody(call('q1', 'a1', 'q2', 'a2', 'q3'))['messages']).toEqual([
      { role: 'system', content: [{ type: 'text', text: 'Be terse.', ...END }] },
      { role: 'user', content: [{ type: 'text', text: 'q1', ...END }] },
      { role: 'assistant', content: 'a1' },
      { role: 'user', content: [{ type: 'text', text: 'q2', ...END }] },
      { role: 'assistant', content: 'a2' },
      { role: 'user', content: [{ type: 'text', text: 'q3' }] },
    ]);
  });

  test('stand on what tools returned in Responses', () => {
    const input = [
      { role: 'user', content: 'q' },
      { type: 'function_call', call_id: '1', name: 'f', arguments: '{}' },
      { type: 'function_call_output', call_id: '1', output: 'r1' },
      { type: 'reasoning', summary: [], encrypted_content: 'x' },
      { type: 'function_call', call_id: '2', name: 'f', arguments: '{}' },
      { type: 'function_call_output', call_id: '2', output: 'r2' },
    ];
    expect(markResponsesPrompt({ input }, relayed())['input']).toEqual([
      { role: 'user', content: [{ type: 'input_text', text: 'q', ...END }] },
      input[1],
      { ...input[2], output: [{ type: 'input_text', text: 'r1', ...END }] },
      input[3],
      input[4],
      { ...input[5], output: [{ type: 'input_text', text: 'r2' }] },
    ]);
  });

  test('of the client are left alone, and so is a client that says how to cache', () => {
    const messages = [{ role: 'user', content: [{ type: 'text', text: 'q', ...END }] }];
    expect(markChatPrompt({ messages }, relayed())['messages']).toBe(messages);
    const plain = [{ role: 'user', content: 'q' }];
    const options = { mode: 'explicit' };
    expect(markChatPrompt({ messages: plain, prompt_cache_options: options }, relayed())).toMatchObject({
      messages: plain,
      prompt_cache_options: options,
    });
  });

  test('are not sent to models that do not know them', () => {
    const { messages } = chatBody(call('q'), at(OPENAI, undefined, 'gpt-5.5'));
    expect(messages).toEqual([
      { role: 'system', content: 'Be terse.' },
      { role: 'user', content: 'q' },
    ]);
  });

  test('keep the system prompt alone where nothing will follow', () => {
    expect(chatBody({ ...call('q'), isOneOff: true })).toMatchObject({
      messages: [{ content: [{ text: 'Be terse.', ...END }] }, { content: [{ type: 'text', text: 'q' }] }],
      prompt_cache_options: { mode: 'explicit' },
    });
  });

  test('need something to stand on', () => {
    expect(markResponsesPrompt({}, relayed())).toEqual({});
    for (const body of [{ input: 'hi' }, { input: [null, 1, { role: 'user', content: null }, { role: 'user' }] }])
      expect(markResponsesPrompt(body, relayed())).toEqual({ ...body, prompt_cache_key: 'ours' });
  });
});
