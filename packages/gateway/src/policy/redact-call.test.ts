import type { ModelCall, ProviderMetadata } from '@dragoman/protocol';
import { expect, test } from 'vitest';
import { redactCall } from './redact-call.ts';

const KEY = `sk-${'a1'.repeat(12)}`;

const tools = [
  {
    name: 'login',
    description: `Takes a key such as ${KEY}.`,
    inputSchema: { type: 'object', properties: { password: { type: 'string', default: KEY } } },
  },
];

test('COMPAT-26 the text of every message is redacted, tool inputs and results included', async () => {
  const call: ModelCall = {
    prompt: [
      { role: 'system', content: `system ${KEY}` },
      { role: 'user', content: [{ type: 'text', text: `user ${KEY} and ${KEY}`, providerOptions: { a: { b: 1 } } }] },
      {
        role: 'assistant',
        content: [
          { type: 'reasoning', text: `thought ${KEY}` },
          { type: 'text', text: `answer ${KEY}` },
          { type: 'tool-call', toolCallId: 't1', toolName: 'login', input: `{"key": "${KEY}", "password": "hunter2"}` },
        ],
      },
      {
        role: 'tool',
        content: [
          {
            type: 'tool-result',
            toolCallId: 't1',
            toolName: 'login',
            isError: false,
            content: [
              { type: 'text', text: `{"access_token": "abc", "text": "${KEY}"}` },
              { type: 'text', text: `const a = { "password": "b" }; // ${KEY}` },
            ],
          },
        ],
      },
    ],
    tools,
    temperature: 0.5,
  };

  expect(await redactCall(call)).toEqual({
    call: {
      prompt: [
        { role: 'system', content: 'system [API_KEY_REDACTED]' },
        {
          role: 'user',
          content: [
            {
              type: 'text',
              text: 'user [API_KEY_REDACTED] and [API_KEY_REDACTED]',
              providerOptions: { a: { b: 1 } },
            },
          ],
        },
        {
          role: 'assistant',
          content: [
            { type: 'reasoning', text: 'thought [API_KEY_REDACTED]' },
            { type: 'text', text: 'answer [API_KEY_REDACTED]' },
            {
              type: 'tool-call',
              toolCallId: 't1',
              toolName: 'login',
              input: '{"key": "[API_KEY_REDACTED]", "password": "[REDACTED]"}',
            },
          ],
        },
        {
          role: 'tool',
          content: [
            {
              type: 'tool-result',
              toolCallId: 't1',
              toolName: 'login',
              isError: false,
              content: [
                { type: 'text', text: '{"access_token": "[REDACTED]", "text": "[API_KEY_REDACTED]"}' },
                { type: 'text', text: 'const a = { "password": "b" }; // [API_KEY_REDACTED]' },
              ],
            },
          ],
        },
      ],
      tools,
      temperature: 0.5,
    },
    count: 10,
  });
});

test('a call without secrets comes back itself; tool definitions, files and signed reasoning are left alone', async () => {
  const call: ModelCall = {
    prompt: [
      { role: 'system', content: 'Be short.' },
      {
        role: 'user',
        content: [
          { type: 'file', mediaType: 'text/plain', data: { type: 'base64', base64: KEY.slice(3) }, filename: 'a.txt' },
          { type: 'file', mediaType: 'image/png', data: { type: 'url', url: `https://a.example/${KEY}` } },
        ],
      },
      {
        role: 'assistant',
        content: [{ type: 'reasoning', text: `thought ${KEY}`, providerOptions: { anthropic: { signature: 's' } } }],
      },
    ],
    tools,
  };

  const redacted = await redactCall(call);

  expect(redacted.call).toBe(call);
  expect(redacted.count).toBe(0);
});

test('secrets beside the text are taken out: ids, names, options, settings, and thoughts that nobody signed', async () => {
  const options = { openai: { phase: KEY, encryptedContent: '' } };
  const thought = (providerOptions: ProviderMetadata) => ({ type: 'reasoning' as const, text: KEY, providerOptions });
  const details = [
    { type: 'reasoning.text', text: KEY, index: 0 },
    { type: 'reasoning.text', text: KEY, index: 1 },
    { type: 'reasoning.text', signature: KEY, index: 1 },
    { type: 'reasoning.summary', summary: KEY },
  ];
  const call: ModelCall = {
    prompt: [
      { role: 'system', content: 'a', providerOptions: options },
      {
        role: 'user',
        content: [
          { type: 'file', mediaType: `a/${KEY}`, data: { type: 'base64', base64: KEY }, filename: KEY },
          { type: 'text', text: 'b', providerOptions: { [KEY]: {} } },
        ],
      },
      {
        role: 'assistant',
        content: [
          thought(options),
          thought({ google: { thoughtSignature: KEY } }),
          { type: 'reasoning', text: '', providerOptions: { openaiChat: { reasoningDetails: details } } },
          { type: 'tool-call', toolCallId: KEY, toolName: KEY, input: '{}' },
        ],
      },
      { role: 'tool', content: [{ type: 'tool-result', toolCallId: KEY, toolName: KEY, isError: false, content: [] }] },
    ],
    tools,
    toolChoice: { type: 'tool', toolName: KEY },
    stopSequences: [KEY],
    responseFormat: { type: 'json', description: KEY, schema: { properties: { password: { description: KEY } } } },
    unchanged: KEY,
  };
  const mark = '[API_KEY_REDACTED]';
  const redactedOptions = { openai: { phase: mark, encryptedContent: '' } };

  expect(await redactCall(call)).toEqual({
    call: {
      prompt: [
        { role: 'system', content: 'a', providerOptions: redactedOptions },
        {
          role: 'user',
          content: [
            { type: 'file', mediaType: `a/${mark}`, data: { type: 'base64', base64: KEY }, filename: mark },
            { type: 'text', text: 'b', providerOptions: { [mark]: {} } },
          ],
        },
        {
          role: 'assistant',
          content: [
            { ...thought(redactedOptions), text: mark },
            thought({ google: { thoughtSignature: KEY } }),
            {
              type: 'reasoning',
              text: '',
              providerOptions: {
                openaiChat: {
                  reasoningDetails: [
                    { type: 'reasoning.text', text: mark, index: 0 },
                    { type: 'reasoning.text', text: KEY, index: 1 },
                    { type: 'reasoning.text', signature: KEY, index: 1 },
                    { type: 'reasoning.summary', summary: mark },
                  ],
                },
              },
            },
            { type: 'tool-call', toolCallId: mark, toolName: mark, input: '{}' },
          ],
        },
        {
          role: 'tool',
          content: [{ type: 'tool-result', toolCallId: mark, toolName: mark, isError: false, content: [] }],
        },
      ],
      tools,
      toolChoice: { type: 'tool', toolName: mark },
      stopSequences: [mark],
      responseFormat: { type: 'json', description: mark, schema: { properties: { password: { description: mark } } } },
      unchanged: KEY,
    },
    count: 16,
  });
});

test('a prompt that grows keeps its redacted beginning', async () => {
  const first: ModelCall = { prompt: [{ role: 'user', content: [{ type: 'text', text: `one ${KEY}` }] }], tools };
  const second: ModelCall = { ...first, prompt: [...first.prompt, { role: 'system', content: `two ${KEY}` }] };

  const [one, two] = [await redactCall(first), await redactCall(second)];

  expect(two.call.prompt[0]).toEqual(one.call.prompt[0]);
});
