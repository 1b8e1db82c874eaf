import type { ModelCall } from '@dragoman/protocol';
import { describe, expect, test } from 'vitest';
import { testTarget } from '../../routing/target.fixture.ts';
import { encodeGeminiRequest } from './encode-request.ts';
import { geminiUpstream } from './upstream.ts';

const encode = (call: Partial<ModelCall>, model = 'gemini-2.5-flash') =>
  JSON.parse(
    encodeGeminiRequest({ prompt: [], tools: [], ...call }, testTarget({ type: 'gemini' }, model), true).body,
  ) as Record<string, unknown>;
const pathFor = (model: string, isStreamed: boolean) =>
  encodeGeminiRequest({ prompt: [], tools: [] }, testTarget({ type: 'gemini' }, model), isStreamed).path;
const signed = (thoughtSignature: string) => ({ google: { thoughtSignature } });

describe('the way to the model', () => {
  test('the model and the kind of answer stand in the path, the key in a header', () => {
    expect(pathFor('gemini-2.5-flash', true)).toBe('/models/gemini-2.5-flash:streamGenerateContent?alt=sse');
    expect(pathFor('gemini-2.5-flash', false)).toBe('/models/gemini-2.5-flash:generateContent');
    expect(geminiUpstream.authorize('k')).toEqual({ 'x-goog-api-key': 'k' });
    expect(geminiUpstream.defaultBaseUrl).toBe('https://generativelanguage.googleapis.com/v1beta');
  });

  test('a model with its collection stays there, and odd names cannot leave the path', () => {
    expect(pathFor('tunedModels/mine', false)).toBe('/tunedModels/mine:generateContent');
    expect(pathFor('a?b#c', false)).toBe('/models/a%3Fb%23c:generateContent');
  });
});

describe('the body', () => {
  test('a whole conversation is written turn by turn', () => {
    const prompt: ModelCall['prompt'] = [
      { role: 'system', content: 'Be brief.' },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'What is this?' },
          { type: 'file', mediaType: 'image/png', data: { type: 'base64', base64: 'iVBORw0KGgo=' } },
        ],
      },
      {
        role: 'assistant',
        content: [
          { type: 'reasoning', text: 'A summary only.' },
          { type: 'reasoning', text: 'Another maker.', providerOptions: { anthropic: { signature: 's' } } },
          { type: 'reasoning', text: 'Mine.', providerOptions: signed('sig-1') },
          { type: 'text', text: 'Reading.', providerOptions: signed('sig-2') },
          {
            type: 'tool-call',
            toolCallId: 'c1',
            toolName: 'read',
            input: '{"path":"a.ts"}',
            providerOptions: signed('sig-3'),
          },
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
              { type: 'text', text: 'two' },
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
      {
        role: 'user',
        content: [
          { type: 'text', text: 'And this?' },
          { type: 'file', mediaType: 'application/pdf', data: { type: 'url', url: 'https://example.com/a.pdf' } },
        ],
      },
    ];

    expect(encode({ prompt })).toEqual({
      systemInstruction: { parts: [{ text: 'Be brief.' }] },
      contents: [
        {
          role: 'user',
          parts: [{ text: 'What is this?' }, { inlineData: { mimeType: 'image/png', data: 'iVBORw0KGgo=' } }],
        },
        {
          role: 'model',
          parts: [
            { text: 'Mine.', thought: true, thoughtSignature: 'sig-1' },
            { text: 'Reading.', thoughtSignature: 'sig-2' },
            { functionCall: { id: 'c1', name: 'read', args: { path: 'a.ts' } }, thoughtSignature: 'sig-3' },
            { functionCall: { id: 'c2', name: 'list', args: {} } },
          ],
        },
        {
          role: 'user',
          parts: [
            { functionResponse: { id: 'c1', name: 'read', response: { output: 'one\ntwo' } } },
            { functionResponse: { id: 'c2', name: 'list', response: { error: 'no such folder' } } },
            { inlineData: { mimeType: 'image/jpeg', data: '/9j/' } },
            { text: 'And this?' },
            { fileData: { mimeType: 'application/pdf', fileUri: 'https://example.com/a.pdf' } },
          ],
        },
      ],
    });
  });

  test('messages of one role are one turn, and a message without content is none', () => {
    const prompt: ModelCall['prompt'] = [
      { role: 'user', content: [{ type: 'text', text: 'a' }] },
      { role: 'assistant', content: [{ type: 'reasoning', text: 'hm' }] },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'b' },
          { type: 'text', text: '' },
        ],
      },
      { role: 'assistant', content: [{ type: 'text', text: 'c' }] },
      { role: 'assistant', content: [{ type: 'text', text: 'd' }] },
    ];

    expect(encode({ prompt })).toEqual({
      contents: [
        { role: 'user', parts: [{ text: 'a' }, { text: 'b' }] },
        { role: 'model', parts: [{ text: 'c' }, { text: 'd' }] },
      ],
    });
  });

  test('tools carry their JSON Schema as it is', () => {
    const inputSchema = {
      type: 'object',
      properties: { path: { type: ['string', 'null'] } },
      additionalProperties: false,
    };

    expect(encode({ tools: [{ name: 'read', description: 'Reads.', inputSchema }] })).toEqual({
      contents: [],
      tools: [{ functionDeclarations: [{ name: 'read', description: 'Reads.', parametersJsonSchema: inputSchema }] }],
    });
  });

  test.each([
    [{ type: 'auto' }, { mode: 'AUTO' }],
    [{ type: 'none' }, { mode: 'NONE' }],
    [{ type: 'required' }, { mode: 'ANY' }],
    [
      { type: 'tool', toolName: 'read' },
      { mode: 'ANY', allowedFunctionNames: ['read'] },
    ],
  ] as const)('the tool choice %j is %j', (toolChoice, functionCallingConfig) => {
    const tools = [{ name: 'read', description: '', inputSchema: { type: 'object' } }];

    expect(encode({ tools, toolChoice })['toolConfig']).toEqual({ functionCallingConfig });
    expect(encode({ toolChoice })['toolConfig']).toBeUndefined();
  });

  test('settings have their own names here', () => {
    const schema = { type: 'object', properties: { a: { type: 'number' } } };

    expect(
      encode({
        maxOutputTokens: 100,
        temperature: 0,
        topP: 0.9,
        topK: 40,
        presencePenalty: 0.1,
        frequencyPenalty: 0.2,
        stopSequences: ['END'],
        seed: 7,
        responseFormat: { type: 'json', schema },
      })['generationConfig'],
    ).toEqual({
      maxOutputTokens: 100,
      temperature: 0,
      topP: 0.9,
      topK: 40,
      presencePenalty: 0.1,
      frequencyPenalty: 0.2,
      stopSequences: ['END'],
      seed: 7,
      responseMimeType: 'application/json',
      responseJsonSchema: schema,
    });
  });

  test.each([
    ['gemini-2.5-flash', 'none', { includeThoughts: false, thinkingBudget: 0 }],
    ['gemini-2.5-pro', 'none', { includeThoughts: false, thinkingBudget: 128 }],
    ['gemini-2.5-pro', 'medium', { includeThoughts: true, thinkingBudget: 8192 }],
    ['gemini-3-pro-preview', 'none', { includeThoughts: false, thinkingLevel: 'LOW' }],
    ['gemini-3.5-flash-lite', 'minimal', { includeThoughts: true, thinkingLevel: 'MINIMAL' }],
    ['gemini-flash-latest', 'max', { includeThoughts: true, thinkingLevel: 'HIGH' }],
  ] as const)('%s thinks %s with %j', (model, reasoningEffort, thinkingConfig) => {
    expect(encode({ reasoningEffort }, model)['generationConfig']).toEqual({ thinkingConfig });
  });

  test('Gemini 3 wants a signature on the first call of a step; where there is none it is told so', () => {
    const call = (toolCallId: string) => ({ type: 'tool-call', toolCallId, toolName: 'read', input: '{}' }) as const;
    const content = [{ type: 'text', text: 'Reading.' } as const, call('c1'), call('c2')];
    const parts = (model: string) =>
      (encode({ prompt: [{ role: 'assistant', content }] }, model)['contents'] as { parts: unknown[] }[])[0]!.parts;
    const sent = (id: string) => ({ functionCall: { id, name: 'read', args: {} } });

    expect(parts('gemini-3-flash-preview')).toEqual([
      { text: 'Reading.' },
      { ...sent('c1'), thoughtSignature: 'skip_thought_signature_validator' },
      sent('c2'),
    ]);
    expect(parts('gemini-2.5-flash')).toEqual([{ text: 'Reading.' }, sent('c1'), sent('c2')]);
  });

  test('arguments that are not a JSON object go along as text', () => {
    const input = (text: string) =>
      encode({
        prompt: [{ role: 'assistant', content: [{ type: 'tool-call', toolCallId: 'c', toolName: 't', input: text }] }],
      })['contents'];

    expect(input('{"path":')).toEqual([
      { role: 'model', parts: [{ functionCall: { id: 'c', name: 't', args: { input: '{"path":' } } }] },
    ]);
    expect(input('[1]')).toEqual([
      { role: 'model', parts: [{ functionCall: { id: 'c', name: 't', args: { input: '[1]' } } }] },
    ]);
  });

  test('the same call gives the same bytes', () => {
    const call = (): ModelCall => ({
      prompt: [
        { role: 'system', content: 's' },
        { role: 'user', content: [{ type: 'text', text: 'u' }] },
      ],
      tools: [{ name: 't', description: 'd', inputSchema: { type: 'object' } }],
      temperature: 1,
    });
    const target = testTarget({ type: 'gemini' }, 'gemini-2.5-flash');

    expect(encodeGeminiRequest(call(), target, true)).toEqual({
      path: '/models/gemini-2.5-flash:streamGenerateContent?alt=sse',
      headers: {},
      body: '{"systemInstruction":{"parts":[{"text":"s"}]},"contents":[{"role":"user","parts":[{"text":"u"}]}],"tools":[{"functionDeclarations":[{"name":"t","description":"d","parametersJsonSchema":{"type":"object"}}]}],"generationConfig":{"temperature":1}}',
    });
    expect(encodeGeminiRequest(call(), target, true)).toEqual(encodeGeminiRequest(call(), target, true));
  });
});
