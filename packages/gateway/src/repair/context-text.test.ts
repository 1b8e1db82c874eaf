import { expect, test } from 'vitest';
import { contextText } from './context-text.ts';

const text = (content: string) => ({ id: 0, type: 0, text_node: { content } });
const toolResult = { id: 1, type: 1, tool_result_node: { tool_use_id: 't1', content: 'ok', is_error: false } };
const ideState = { id: 2, type: 4, ide_state_node: { workspace_folders: [] } };
const exchange = (request_message: unknown, request_nodes: unknown) => ({ request_message, request_nodes });

test('BYOK-48 the context is the message', () => {
  expect(contextText({ message: ' Use tabs. ', nodes: [text('node')], chat_history: [exchange('old', [])] })).toBe(
    'Use tabs.',
  );
});

test('BYOK-48 without a message it is the text of the nodes', () => {
  expect(
    contextText({ message: '', nodes: [text('one'), ideState, text('two')], chat_history: [exchange('old', [])] }),
  ).toBe('one\ntwo');
});

test('BYOK-48 without either, as in a tool round, it is the last user text of the history', () => {
  const history = [
    exchange('first', []),
    exchange('', [text('second'), ideState]),
    exchange('', [toolResult]),
    exchange(' ', null),
  ];

  expect(contextText({ message: '', nodes: [ideState, toolResult], chat_history: history })).toBe('second');
  expect(contextText({ nodes: [toolResult], chat_history: [exchange('said', [text('said')])] })).toBe('said');
});

test('fields of the wrong type hold no text', () => {
  expect(contextText({})).toBe('');
  expect(contextText({ message: 5, nodes: 'text', chat_history: {} })).toBe('');
  expect(
    contextText({
      message: null,
      nodes: [null, 'x', { text_node: 'x' }, { text_node: { content: 5 } }],
      chat_history: [7],
    }),
  ).toBe('');
});
