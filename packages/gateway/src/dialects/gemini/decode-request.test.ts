import { expect, test } from 'vitest';
import { decodeGeminiRequest } from './decode-request.ts';

const ASKED = { asked: 'm', isStreamed: false };
const user = (...parts: unknown[]) => ({ role: 'user', parts });
const model = (...parts: unknown[]) => ({ role: 'model', parts });
const callOf = (fields: object) => decodeGeminiRequest({ contents: [user({ text: 'Hi' })], ...fields }, ASKED).call;
const promptOf = (...contents: unknown[]) => decodeGeminiRequest({ contents }, ASKED).call.prompt;

const SCHEMA = { type: 'object', properties: { path: { type: 'string' } } };
const OWN_SCHEMA = { type: 'OBJECT', properties: { path: { type: 'STRING' } } };
const READ = { name: 'read', description: 'Reads a file.', parameters: OWN_SCHEMA };
const LIST = { name: 'list', parametersJsonSchema: SCHEMA };
const HI = { role: 'user', content: [{ type: 'text', text: 'Hi' }] };

const WHOLE = {
  prompt: [{ role: 'system', content: 'Be short.' }, HI],
  tools: [{ name: 'read', description: 'Reads a file.', inputSchema: SCHEMA }],
  toolChoice: { type: 'required' },
  maxOutputTokens: 1000,
  temperature: 0.5,
  topP: 0.9,
  topK: 40,
  presencePenalty: 0.1,
  frequencyPenalty: 0.2,
  stopSequences: ['END'],
  seed: 7,
  reasoningEffort: 'medium',
  responseFormat: { type: 'json', schema: SCHEMA },
};

test('a request becomes a call with its settings', () => {
  expect(
    decodeGeminiRequest(
      {
        contents: [user({ text: 'Hi' })],
        systemInstruction: { parts: [{ text: 'Be short.' }] },
        tools: [{ functionDeclarations: [READ] }],
        toolConfig: { functionCallingConfig: { mode: 'ANY' } },
        generationConfig: {
          maxOutputTokens: 1000,
          temperature: 0.5,
          topP: 0.9,
          topK: 40,
          presencePenalty: 0.1,
          frequencyPenalty: 0.2,
          stopSequences: ['END'],
          seed: 7,
          candidateCount: 1,
          responseModalities: ['TEXT'],
          responseMimeType: 'application/json',
          responseSchema: OWN_SCHEMA,
          thinkingConfig: { thinkingBudget: 8192, includeThoughts: true },
        },
        safetySettings: [{ category: 'HARM_CATEGORY_HARASSMENT', threshold: 'BLOCK_NONE' }],
      },
      { asked: 'fake/m', isStreamed: true },
    ),
  ).toEqual({
    asked: 'fake/m',
    isStreamed: true,
    context: { wantsThoughts: true },
    call: WHOLE,
    leftOut: ['safetySettings'],
  });
});

test('the names of fields are read in both spellings, those inside arguments and schemas stay', () => {
  expect(
    decodeGeminiRequest(
      {
        contents: [
          user({ text: 'Hi' }, { inline_data: { mime_type: 'image/png', data: 'AAAA' } }),
          model({ function_call: { name: 'read', args: { file_path: 'a' } }, thought_signature: 'c2ln' }),
          user({ function_response: { name: 'read', response: { out_put: 1 } } }),
        ],
        system_instruction: { parts: { text: 'Be short.' } },
        tools: { function_declarations: [{ name: 'read', parameters_json_schema: { properties: { file_path: {} } } }] },
        tool_config: { function_calling_config: { mode: 'any', allowed_function_names: ['read'] } },
        generation_config: { max_output_tokens: 9, thinking_config: { thinking_level: 'low', include_thoughts: true } },
      },
      ASKED,
    ),
  ).toEqual({
    asked: 'm',
    isStreamed: false,
    context: { wantsThoughts: true },
    call: {
      prompt: [
        { role: 'system', content: 'Be short.' },
        {
          role: 'user',
          content: [
            { type: 'text', text: 'Hi' },
            { type: 'file', mediaType: 'image/png', data: { type: 'base64', base64: 'AAAA' } },
          ],
        },
        {
          role: 'assistant',
          content: [
            {
              type: 'tool-call',
              toolCallId: 'call_1_0',
              toolName: 'read',
              input: '{"file_path":"a"}',
              providerOptions: { google: { thoughtSignature: 'c2ln' } },
            },
          ],
        },
        {
          role: 'tool',
          content: [
            {
              type: 'tool-result',
              toolCallId: 'call_1_0',
              toolName: 'read',
              content: [{ type: 'text', text: '{"out_put":1}' }],
              isError: false,
            },
          ],
        },
      ],
      tools: [{ name: 'read', description: '', inputSchema: { type: 'object', properties: { file_path: {} } } }],
      toolChoice: { type: 'tool', toolName: 'read' },
      maxOutputTokens: 9,
      reasoningEffort: 'low',
    },
  });
});

test('a text stands for contents, for a content and for a part', () => {
  expect(decodeGeminiRequest({ contents: 'Hi', systemInstruction: 'Be short.' }, ASKED).call.prompt).toEqual([
    { role: 'system', content: 'Be short.' },
    HI,
  ]);
  expect(decodeGeminiRequest({ contents: { parts: 'Hi' } }, ASKED).call.prompt).toEqual([HI]);
  expect(promptOf('Hi')).toEqual([HI]);
});

test('results of tools come before what else was said, with what went wrong and the files that came with them', () => {
  const png = { inlineData: { mimeType: 'image/png', data: 'A-_A' } };
  expect(
    promptOf(
      user('Look'),
      model(
        { text: 'Hm.', thought: true, thoughtSignature: 'c2ln' },
        { text: 'Looking.' },
        { functionCall: { id: 'a', name: 'read', args: { path: 'a.ts' } } },
        { functionCall: { id: 'b', name: 'shot' } },
        { functionCall: { id: 'c', name: 'list' } },
      ),
      user(
        { text: 'Go on.' },
        { functionResponse: { id: 'a', name: 'read', response: { error: 'no such file' } } },
        { functionResponse: { id: 'b', name: 'shot', response: { output: 'a picture' }, parts: [png] } },
        { functionResponse: { id: 'c', name: 'list', response: { result: ['a', 'b'] } } },
      ),
    ),
  ).toEqual([
    { role: 'user', content: [{ type: 'text', text: 'Look' }] },
    {
      role: 'assistant',
      content: [
        { type: 'reasoning', text: 'Hm.', providerOptions: { google: { thoughtSignature: 'c2ln' } } },
        { type: 'text', text: 'Looking.' },
        { type: 'tool-call', toolCallId: 'a', toolName: 'read', input: '{"path":"a.ts"}' },
        { type: 'tool-call', toolCallId: 'b', toolName: 'shot', input: '{}' },
        { type: 'tool-call', toolCallId: 'c', toolName: 'list', input: '{}' },
      ],
    },
    {
      role: 'tool',
      content: [
        {
          type: 'tool-result',
          toolCallId: 'a',
          toolName: 'read',
          content: [{ type: 'text', text: 'no such file' }],
          isError: true,
        },
        {
          type: 'tool-result',
          toolCallId: 'b',
          toolName: 'shot',
          content: [
            { type: 'text', text: 'a picture' },
            { type: 'file', mediaType: 'image/png', data: { type: 'base64', base64: 'A+/A' } },
          ],
          isError: false,
        },
        {
          type: 'tool-result',
          toolCallId: 'c',
          toolName: 'list',
          content: [{ type: 'text', text: '["a","b"]' }],
          isError: false,
        },
      ],
    },
    { role: 'user', content: [{ type: 'text', text: 'Go on.' }] },
  ]);
});

test('files are sent as they are, those of text as text; code that Google ran stays readable', () => {
  expect(
    promptOf(
      user(
        { inlineData: { mimeType: 'application/pdf', data: 'JVBERi0=' } },
        { inlineData: { mimeType: 'audio/wav', data: 'UklGRg==' } },
        { inlineData: { mimeType: 'text/plain', data: 'dHdv' } },
        { fileData: { mimeType: 'image/png', fileUri: 'https://example.com/a.png' } },
      ),
      model({ executableCode: { language: 'PYTHON', code: 'print(1)' } }, { codeExecutionResult: { output: '1' } }),
    ),
  ).toEqual([
    {
      role: 'user',
      content: [
        { type: 'file', mediaType: 'application/pdf', data: { type: 'base64', base64: 'JVBERi0=' } },
        { type: 'file', mediaType: 'audio/wav', data: { type: 'base64', base64: 'UklGRg==' } },
        { type: 'text', text: 'two' },
        { type: 'file', mediaType: 'image/png', data: { type: 'url', url: 'https://example.com/a.png' } },
      ],
    },
    {
      role: 'assistant',
      content: [
        { type: 'text', text: '```\nprint(1)\n```' },
        { type: 'text', text: '1' },
      ],
    },
  ]);
});

const TOOLS = { tools: [{ functionDeclarations: [READ] }, { functionDeclarations: [LIST] }] };
test.each([
  [undefined, undefined, ['read', 'list'], undefined],
  ['AUTO', undefined, ['read', 'list'], { type: 'auto' }],
  ['VALIDATED', ['list'], ['list'], { type: 'auto' }],
  ['NONE', undefined, ['read', 'list'], { type: 'none' }],
  ['ANY', undefined, ['read', 'list'], { type: 'required' }],
  ['ANY', ['list'], ['read', 'list'], { type: 'tool', toolName: 'list' }],
  ['ANY', ['list', 'read'], ['read', 'list'], { type: 'required' }],
])('the mode %s with the names %j offers %j and chooses %j', (mode, allowedFunctionNames, names, choice) => {
  const { tools, toolChoice } = callOf({
    ...TOOLS,
    toolConfig: { functionCallingConfig: { mode, allowedFunctionNames } },
  });

  expect(tools.map(({ name }) => name)).toEqual(names);
  expect(toolChoice).toEqual(choice);
});

test.each([
  [{ thinkingBudget: 0 }, 'none'],
  [{ thinkingBudget: -1 }, undefined],
  [{ thinkingBudget: 512 }, 'low'],
  [{ thinkingBudget: 8192 }, 'medium'],
  [{ thinkingBudget: 24_576 }, 'high'],
  [{ thinkingLevel: 'MINIMAL' }, 'minimal'],
  [{ thinkingLevel: 'HIGH', thinkingBudget: 1 }, 'high'],
  [{ thinkingLevel: 'THINKING_LEVEL_UNSPECIFIED' }, undefined],
  [{ includeThoughts: true }, undefined],
])('%j asks for the effort %s', (thinkingConfig, effort) => {
  expect(callOf({ generationConfig: { thinkingConfig } }).reasoningEffort).toBe(effort);
});

const config = (generationConfig: object) => ({ generationConfig });
const tool = (offered: object) => ({ tools: [{ functionDeclarations: [READ] }, offered] });
const AT_GOOGLE = 'this tool runs at Google; use a model of a provider of type "gemini", or a function instead.';
test.each([
  [{ contents: [] }, 'contents: expected at least one turn of the conversation.'],
  [{ contents: 7 }, 'contents.0: Invalid input: expected object, received number'],
  [
    { contents: [{ role: 'system', parts: [{ text: 'x' }] }] },
    'contents.0.role: expected user or model. Put system text in systemInstruction.',
  ],
  [
    { contents: [user({ functionCall: { name: 'f' } })] },
    'contents.0.parts.0.functionCall: a function call needs the role "model".',
  ],
  [
    { contents: [user('Hi'), model({ inlineData: { mimeType: 'image/png', data: 'AAAA' } })] },
    'contents.1.parts.0: a file from a model turn cannot be sent to this model. Leave it out, or send it in a user turn.',
  ],
  [
    { contents: [user({ fileData: { fileUri: 'https://generativelanguage.googleapis.com/v1beta/files/a' } })] },
    'contents.0.parts.0.fileData.fileUri: the provider cannot fetch this file. Send it as inlineData, or as a public http URL.',
  ],
  [{ contents: [user({ inlineData: { data: 'AAAA' } })] }, 'contents.0.parts.0.inlineData.mimeType: expected text.'],
  [
    { cachedContent: 'cachedContents/a' },
    'cachedContent: the provider cannot read what is cached at Google; send the contents.',
  ],
  [config({ candidateCount: 2 }), 'generationConfig.candidateCount: only one candidate is supported.'],
  [config({ response_modalities: ['IMAGE'] }), 'generationConfig.responseModalities: only text output is supported.'],
  [config({ responseLogprobs: true }), 'generationConfig.responseLogprobs: the provider does not return them.'],
  [config({ logprobs: 3 }), 'generationConfig.logprobs: the provider does not return them.'],
  [
    config({ responseMimeType: 'text/x.enum' }),
    'generationConfig.responseMimeType: expected text/plain or application/json.',
  ],
  [config({ speechConfig: {} }), 'generationConfig.speechConfig: only text output is supported.'],
  [tool({ googleSearch: {} }), `tools.1.googleSearch: ${AT_GOOGLE}`],
  [tool({ code_execution: {} }), `tools.1.codeExecution: ${AT_GOOGLE}`],
  [tool({ urlContext: {} }), `tools.1.urlContext: ${AT_GOOGLE}`],
  [
    { ...TOOLS, toolConfig: { functionCallingConfig: { mode: 'ANY', allowedFunctionNames: ['other'] } } },
    'toolConfig.functionCallingConfig.allowedFunctionNames: there is no function named "other".',
  ],
  [
    { ...TOOLS, toolConfig: { functionCallingConfig: { mode: 'SOME' } } },
    'toolConfig.functionCallingConfig.mode: expected AUTO, ANY, NONE or VALIDATED.',
  ],
])('what would not be done is refused with its place: %j', (fields, message) => {
  expect(() => callOf(fields)).toThrow(message);
});

test('hints that change nothing about the answer are left out, and named', () => {
  expect(
    decodeGeminiRequest(
      {
        contents: [
          { parts: [{ text: 'Hi', videoMetadata: { fps: 1 } }] },
          { parts: [{ text: 'Hi', videoMetadata: {} }] },
        ],
        labels: { a: 'b' },
        unknown_field: 1,
        safetySettings: [],
        model: 'models/m',
        toolConfig: { retrievalConfig: {} },
        generationConfig: { mediaResolution: 'MEDIA_RESOLUTION_LOW', responseMimeType: 'text/plain', logprobs: 0 },
      },
      ASKED,
    ),
  ).toEqual({
    ...ASKED,
    context: { wantsThoughts: false },
    call: { prompt: [HI, HI], tools: [] },
    leftOut: [
      'unknownField',
      'labels',
      'safetySettings',
      'generationConfig.mediaResolution',
      'toolConfig.retrievalConfig',
      'contents.parts.videoMetadata',
    ],
  });
});
