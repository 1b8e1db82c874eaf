import type { ModelCall, ReasoningEffort } from '@dragoman/protocol';
import { describe, expect, test } from 'vitest';
import { testTarget } from '../../routing/target.fixture.ts';
import { encodeOllamaRequest } from './encode-request.ts';
import { ollamaUpstream } from './upstream.ts';

const target = testTarget({ type: 'ollama' }, 'qwen3:8b');
const encode = (call: Partial<ModelCall>, at = target) =>
  JSON.parse(encodeOllamaRequest({ prompt: [], tools: [], ...call }, at, true).body) as Record<string, unknown>;
const tool = (name: string) => ({
  name,
  description: `Does ${name}.`,
  inputSchema: { type: 'object', properties: {} },
});

describe('the request', () => {
  test('goes to the local server, with a key only where one is set', () => {
    expect(ollamaUpstream.defaultBaseUrl).toBe('http://127.0.0.1:11434');
    expect(ollamaUpstream.authorize('k')).toEqual({ authorization: 'Bearer k' });
    expect(
      encodeOllamaRequest(
        { prompt: [{ role: 'user', content: [{ type: 'text', text: 'u' }] }], tools: [] },
        target,
        false,
      ),
    ).toEqual({
      path: '/api/chat',
      headers: {},
      body: '{"model":"qwen3:8b","messages":[{"role":"user","content":"u"}],"stream":false}',
    });
  });

  test('a whole conversation is written message by message', () => {
    const prompt: ModelCall['prompt'] = [
      { role: 'system', content: 'Be brief.' },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'What is' },
          { type: 'text', text: 'this?' },
          { type: 'file', mediaType: 'image/png', data: { type: 'base64', base64: 'iVBORw0KGgo=' } },
        ],
      },
      {
        role: 'assistant',
        content: [
          { type: 'reasoning', text: 'Hm.' },
          { type: 'text', text: 'Reading.' },
          { type: 'tool-call', toolCallId: 'c1', toolName: 'read', input: '{"path":"a.ts"}' },
          { type: 'tool-call', toolCallId: 'c2', toolName: 'list', input: '' },
        ],
      },
      {
        role: 'tool',
        content: [
          {
            type: 'tool-result',
            toolCallId: 'c1',
            toolName: 'read',
            isError: false,
            content: [
              { type: 'text', text: 'one' },
              { type: 'file', mediaType: 'image/jpeg', data: { type: 'base64', base64: '/9j/' } },
            ],
          },
          {
            type: 'tool-result',
            toolCallId: 'c2',
            toolName: 'list',
            isError: true,
            content: [{ type: 'text', text: 'no such folder' }],
          },
        ],
      },
    ];

    expect(encode({ prompt, tools: [tool('read')] })).toEqual({
      model: 'qwen3:8b',
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'What is\nthis?', images: ['iVBORw0KGgo='] },
        {
          role: 'assistant',
          content: 'Reading.',
          thinking: 'Hm.',
          tool_calls: [
            { id: 'c1', function: { name: 'read', arguments: { path: 'a.ts' } } },
            { id: 'c2', function: { name: 'list', arguments: {} } },
          ],
        },
        { role: 'tool', content: 'one', tool_name: 'read', tool_call_id: 'c1' },
        { role: 'tool', content: 'The tool failed:\nno such folder', tool_name: 'list', tool_call_id: 'c2' },
        { role: 'user', content: '', images: ['/9j/'] },
      ],
      tools: [
        {
          type: 'function',
          function: { name: 'read', description: 'Does read.', parameters: { type: 'object', properties: {} } },
        },
      ],
      stream: true,
    });
  });

  test('settings are options, and the provider adds its own, such as the size of the context', () => {
    const call = {
      maxOutputTokens: 100,
      temperature: 0,
      topP: 0.9,
      topK: 40,
      presencePenalty: 0.1,
      frequencyPenalty: 0.2,
      stopSequences: ['END'],
      seed: 7,
    };

    expect(encode(call)['options']).toEqual({
      num_predict: 100,
      temperature: 0,
      top_p: 0.9,
      top_k: 40,
      presence_penalty: 0.1,
      frequency_penalty: 0.2,
      stop: ['END'],
      seed: 7,
    });
    expect(
      encode(
        { temperature: 1 },
        testTarget({ type: 'ollama', options: { num_ctx: 32768, temperature: 0.2, top_k: 5 } }),
      )['options'],
    ).toEqual({ num_ctx: 32768, temperature: 1, top_k: 5 });
  });

  test('an answer in JSON may have a schema', () => {
    expect(encode({ responseFormat: { type: 'json' } })['format']).toBe('json');
    expect(encode({ responseFormat: { type: 'json', schema: { type: 'object' } } })['format']).toEqual({
      type: 'object',
    });
  });

  test.each<[ReasoningEffort, unknown]>([
    ['none', false],
    ['minimal', 'low'],
    ['low', 'low'],
    ['medium', 'medium'],
    ['high', 'high'],
    ['xhigh', 'max'],
    ['max', 'max'],
  ])('the effort %s is %j', (reasoningEffort, think) => {
    expect(encode({ reasoningEffort })['think']).toBe(think);
  });

  test('a tool that must not be called is not offered', () => {
    const tools = [tool('read'), tool('list')];
    const offered = (toolChoice: NonNullable<ModelCall['toolChoice']>) =>
      (encode({ tools, toolChoice })['tools'] as { function: { name: string } }[] | undefined)?.map(
        (one) => one.function.name,
      );

    expect(offered({ type: 'none' })).toBeUndefined();
    expect(offered({ type: 'tool', toolName: 'list' })).toEqual(['list']);
    expect(offered({ type: 'required' })).toEqual(['read', 'list']);
    expect(offered({ type: 'auto' })).toEqual(['read', 'list']);
  });

  test('a file that Ollama cannot take is refused before it is sent', () => {
    const send = (mediaType: string, data: { type: 'url'; url: string } | { type: 'base64'; base64: string }) => () =>
      encode({ prompt: [{ role: 'user', content: [{ type: 'file', mediaType, data }] }] });

    expect(send('image/png', { type: 'url', url: 'https://example.com/a.png' })).toThrow(
      'Ollama does not fetch images by URL; send the image itself.',
    );
    expect(send('application/pdf', { type: 'base64', base64: 'JVBERi0=' })).toThrow(
      'A file of type application/pdf cannot be sent to an Ollama model; images can.',
    );
  });
});
