import type { AnyPart, AssistantInfo, Message, ToolState, UserInfo } from '@dragoman/protocol';
import { expect, test } from 'vitest';
import { CLEARED_OUTPUT, toModelMessage } from './to-model-message.ts';

const model = { providerID: 'claude', modelID: 'sonnet' };
const base = { id: 'prt_1', sessionID: 'ses_1', messageID: 'msg_1' };

function user(...parts: object[]): Message<UserInfo> {
  return {
    info: { id: 'msg_1', sessionID: 'ses_1', role: 'user', time: { created: 1 }, agent: 'build', model },
    parts: parts.map((part) => ({ ...base, ...part }) as AnyPart),
  };
}

function answer(...parts: object[]): Message<AssistantInfo> {
  return {
    info: {
      id: 'msg_1',
      sessionID: 'ses_1',
      role: 'assistant',
      time: { created: 1 },
      parentID: 'msg_0',
      agent: 'build',
      model,
      path: { cwd: '/p', root: '/p' },
      cost: 0,
      costSource: 'computed',
      tokens: { input: 0, output: 0, reasoning: 0, cache: { read: 0, write: 0 } },
    },
    parts: parts.map((part) => ({ ...base, ...part }) as AnyPart),
  };
}

const tool = (state: ToolState, more = {}) => ({ type: 'tool', callID: 'c1', tool: 'read', state, ...more });
const time = { start: 1, end: 2 };

test('an answer becomes its words and calls, and a message with their results [FR-22]', () => {
  const message = answer(
    { type: 'step-start' },
    { type: 'text', text: 'I look.' },
    tool({ status: 'completed', input: { filePath: 'a' }, output: 'one', title: 'a', time }),
    { type: 'step-finish', reason: 'tool-calls', cost: 0, tokens: {} },
  );
  expect(toModelMessage(message, model)).toEqual([
    {
      role: 'assistant',
      content: [
        { type: 'text', text: 'I look.' },
        { type: 'tool-call', toolCallId: 'c1', toolName: 'read', input: '{"filePath":"a"}' },
      ],
    },
    {
      role: 'tool',
      content: [
        {
          type: 'tool-result',
          toolCallId: 'c1',
          toolName: 'read',
          content: [{ type: 'text', text: 'one' }],
          isError: false,
        },
      ],
    },
  ]);
});

test.each<[ToolState]>([
  [{ status: 'pending', input: {}, raw: '{"a' }],
  [{ status: 'awaiting-approval', input: {}, approvalID: 'apr_1', time: { asked: 1 } }],
  [{ status: 'running', input: {}, time: { start: 1 } }],
])('a call that is $status goes out with a result all the same [FR-22]', (state) => {
  const [, results] = toModelMessage(answer(tool(state)), model);
  expect(results).toMatchObject({
    role: 'tool',
    content: [{ isError: true, content: [{ text: 'This call did not come to its end.' }] }],
  });
});

test('what a provider signed goes back to the model that made it, and to no other [FR-22, FR-14]', () => {
  const message = answer(
    { type: 'reasoning', text: 'hmm', time: { start: 1 }, metadata: { anthropic: { signature: 's' } } },
    { type: 'text', text: 'yes', metadata: { openai: { itemId: 'i' } } },
    tool({ status: 'error', input: {}, error: 'no', time }, { metadata: { google: { thoughtSignature: 't' } } }),
  );
  const [same] = toModelMessage(message, model);
  const [other] = toModelMessage(message, { providerID: 'claude', modelID: 'opus' });

  expect(same!.content).toMatchObject([
    { type: 'reasoning', text: 'hmm', providerOptions: { anthropic: { signature: 's' } } },
    { type: 'text', providerOptions: { openai: { itemId: 'i' } } },
    { type: 'tool-call', providerOptions: { google: { thoughtSignature: 't' } } },
  ]);
  expect(JSON.stringify(other)).not.toMatch(/signature|itemId|Signature|hmm/);
});

test('an output that left the view is replaced by a line that says so', () => {
  const compacted = { ...time, compacted: 3 };
  const [, results] = toModelMessage(
    answer(tool({ status: 'completed', input: {}, output: 'long', title: '', time: compacted })),
    model,
  );
  expect(results!.content).toMatchObject([{ content: [{ type: 'text', text: CLEARED_OUTPUT }] }]);
});

test('pictures and documents go along, text is told as text, anything else by name [FR-17]', () => {
  const message = user(
    { type: 'text', text: 'look' },
    { type: 'file', mime: 'image/png', filename: 'a.png', url: 'data:image/png;base64,AAAA' },
    { type: 'file', mime: 'text/plain', filename: 'a.txt', url: 'data:text/plain;base64,aGk=' },
    { type: 'file', mime: 'image/png', url: 'https://example.com/b.png' },
    { type: 'file', mime: 'application/zip', filename: 'c.zip', url: 'data:application/zip;base64,AAAA' },
    {
      type: 'file',
      mime: 'text/markdown',
      url: 'mcp://docs/guide',
      source: { type: 'resource', clientName: 'docs', uri: 'guide', text: { value: '# Guide', start: 0, end: 7 } },
    },
  );
  expect(toModelMessage(message, model)).toEqual([
    {
      role: 'user',
      content: [
        { type: 'text', text: 'look' },
        { type: 'file', mediaType: 'image/png', data: { type: 'base64', base64: 'AAAA' }, filename: 'a.png' },
        { type: 'text', text: '<file name="a.txt">\nhi\n</file>' },
        { type: 'file', mediaType: 'image/png', data: { type: 'url', url: 'https://example.com/b.png' } },
        { type: 'text', text: '[c.zip: application/zip, not shown]' },
        { type: 'text', text: '<file name="mcp://docs/guide">\n# Guide\n</file>' },
      ],
    },
  ]);
});

test('a picture that a tool returned stands in its result', () => {
  const attachments = [{ ...base, type: 'file' as const, mime: 'image/png', url: 'data:image/png;base64,AAAA' }];
  const [, results] = toModelMessage(
    answer(tool({ status: 'completed', input: {}, output: 'a picture', title: '', time, attachments })),
    model,
  );
  expect(results!.content).toMatchObject([{ content: [{ type: 'text' }, { type: 'file', mediaType: 'image/png' }] }]);
});

test('what is only shown, and what a failed answer left of its thoughts, is not sent', () => {
  expect(toModelMessage(user({ type: 'text', text: 'x', ignored: true }), model)).toEqual([]);
  expect(toModelMessage(answer({ type: 'reasoning', text: 'hmm', time: { start: 1 } }), model)).toEqual([]);
});

test('a mention of an agent is told to the model [ACC-13]', () => {
  const [message] = toModelMessage(user({ type: 'agent', name: 'explore' }), model);
  expect(message!.content).toMatchObject([{ text: expect.stringContaining('"explore"') as string }]);
});

test('a task that the user asked for is told to the model [FR-13]', () => {
  const subtask = { type: 'subtask', prompt: 'look at every file', description: 'look', agent: 'explore' };
  expect(toModelMessage(user(subtask), model)).toEqual([
    {
      role: 'user',
      content: [{ type: 'text', text: 'The user gives a task to the agent "explore": look\n\nlook at every file' }],
    },
  ]);
});

test('no text of a prompt is empty: a call that said nothing says so [FR-22]', () => {
  const results = [
    tool({ status: 'completed', input: {}, output: ' \n', title: '', time }),
    tool({ status: 'error', input: {}, error: '', time }),
  ].map((part) => toModelMessage(answer(part), model)[1]!.content);
  expect(results).toMatchObject([[{ content: [{ text: '(no output)' }] }], [{ content: [{ text: '(no output)' }] }]]);
  const attachments = [{ ...base, type: 'file' as const, mime: 'image/png', url: 'data:image/png;base64,AAAA' }];
  const [, picture] = toModelMessage(
    answer(tool({ status: 'completed', input: {}, output: '', title: '', time, attachments })),
    model,
  );
  expect(picture!.content).toMatchObject([{ content: [{ type: 'file' }] }]);
});

test('an address of data that is none does not stand in the way of the conversation', () => {
  const message = user(
    { type: 'file', mime: 'text/plain', filename: 'a.txt', url: 'data:text/plain,50%25' },
    { type: 'file', mime: 'text/plain', filename: 'b.txt', url: 'data:text/plain,100%' },
    { type: 'file', mime: 'image/png', filename: 'c.png', url: 'data:image/png;base64,' },
    { type: 'file', mime: 'text/plain', filename: 'd.txt', url: 'data:no comma' },
  );
  expect(toModelMessage(message, model)[0]!.content).toEqual([
    { type: 'text', text: '<file name="a.txt">\n50%\n</file>' },
    { type: 'text', text: '<file name="b.txt">\n100%\n</file>' },
    { type: 'text', text: '[c.png: image/png, empty]' },
    { type: 'text', text: '[d.txt: text/plain]' },
  ]);
});

test.each([
  ['', 'unknown'],
  ['functions.read', 'functions_read'],
  ['r'.repeat(100), 'r'.repeat(64)],
])('a call of the tool %j goes out under a name that providers take [FR-22]', (name, sent) => {
  const call = { ...tool({ status: 'error', input: {}, error: 'There is no such tool.', time }), tool: name };
  expect(toModelMessage(answer(call), model)).toMatchObject([
    { content: [{ toolName: sent }] },
    { content: [{ toolName: sent }] },
  ]);
});
