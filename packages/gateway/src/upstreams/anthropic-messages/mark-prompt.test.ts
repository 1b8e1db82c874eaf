import { describe, expect, test } from 'vitest';
import { testTarget } from '../../routing/target.fixture.ts';
import type { JsonObject } from '../../tools/json-object.ts';
import { markClaudePrompt } from './mark-prompt.ts';

const MARK = { cache_control: { type: 'ephemeral' } };
const HOUR = { cache_control: { type: 'ephemeral', ttl: '1h' } };
const NO_NAME = () => undefined;
const target = testTarget({ type: 'anthropic-messages' }, 'claude-sonnet-5');

const text = (said: string, mark = {}) => ({ type: 'text', text: said, ...mark });
const user = (...content: unknown[]) => ({ role: 'user', content });
const assistant = (...content: unknown[]) => ({ role: 'assistant', content });
const tool = (name: string, mark = {}) => ({ name, input_schema: {}, ...mark });

const encoded = (body: JsonObject) =>
  markClaudePrompt(body, { target, conversation: NO_NAME, isOneOff: false, isRelayed: false });
const relayed = (body: JsonObject) =>
  markClaudePrompt(body, { target, conversation: NO_NAME, isOneOff: false, isRelayed: true });

describe('what a client left unmarked', () => {
  test('is marked after the tools, the system prompt, the last turn and the one before the last answer', () => {
    const body = {
      tools: [tool('a'), tool('b')],
      system: [text('one'), text('two')],
      messages: [user(text('q1')), assistant(text('a1')), user(text('q2')), assistant(text('a2')), user(text('q3'))],
    };
    const sent = {
      tools: [tool('a'), tool('b', MARK)],
      system: [text('one'), text('two', MARK)],
      messages: [
        user(text('q1')),
        assistant(text('a1')),
        user(text('q2', MARK)),
        assistant(text('a2')),
        user(text('q3', MARK)),
      ],
    };
    expect(encoded(body)).toEqual(sent);
    expect(relayed(body)).toEqual(sent);
    expect(JSON.stringify(body)).not.toContain('cache_control');
  });

  test('is marked where text stands for blocks', () => {
    expect(relayed({ system: 'Be terse.', messages: [{ role: 'user', content: 'hi' }] })).toEqual({
      system: [text('Be terse.', MARK)],
      messages: [user(text('hi', MARK))],
    });
  });

  test('is marked at the end of what several calls of one answer returned', () => {
    const result = (id: string, mark = {}) => ({ type: 'tool_result', tool_use_id: id, content: 'r', ...mark });
    const calls = assistant({ type: 'tool_use', id: '1', name: 'a', input: {} });
    expect(encoded({ messages: [user(text('q')), calls, user(result('1'), result('2'))] })).toEqual({
      messages: [user(text('q', MARK)), calls, user(result('1'), result('2', MARK))],
    });
  });

  test('is not marked on empty text, on thoughts, on unknown blocks or on tools that are loaded later', () => {
    const thought = { type: 'thinking', thinking: 'hm', signature: 's' };
    const body = {
      tools: [tool('a'), { ...tool('b'), defer_loading: true }],
      messages: [
        user(text('q')),
        assistant(thought, { type: 'tool_use', id: '1', name: 'a', input: {} }),
        user(text('r'), text(' '), { type: 'tool_reference' }),
      ],
    };
    expect(encoded(body)).toEqual({
      tools: [tool('a', MARK), body.tools[1]],
      messages: [user(text('q', MARK)), body.messages[1], user(text('r', MARK), text(' '), { type: 'tool_reference' })],
    });
  });

  test('is marked after tools and system only, where nothing will follow', () => {
    const body = { system: [text('s')], messages: [user(text('q'))] };
    expect(markClaudePrompt(body, { target, conversation: NO_NAME, isOneOff: true, isRelayed: false })).toEqual({
      system: [text('s', MARK)],
      messages: [user(text('q'))],
    });
  });

  test('stays so where the provider is set to take no marks', () => {
    const off = testTarget({ type: 'anthropic-messages', promptCaching: false }, 'claude-sonnet-5');
    const body = { system: 's', messages: [user(text('q'))] };
    for (const isRelayed of [true, false])
      expect(markClaudePrompt(body, { target: off, conversation: NO_NAME, isOneOff: false, isRelayed })).toBe(body);
  });
});

describe('marks of the client', () => {
  test('are all there is in a request that is passed on', () => {
    const marked = { system: [text('s', MARK)], messages: [user(text('q'))] };
    expect(relayed(marked)).toBe(marked);
    const automatic = { ...MARK, system: 's', messages: [user(text('q'))] };
    expect(relayed(automatic)).toBe(automatic);
    const inside = {
      messages: [user({ type: 'tool_result', tool_use_id: '1', content: [text('r', MARK)] }, text('q'))],
    };
    expect(relayed(inside)).toBe(inside);
  });

  test('count: the conversation has the first claim on what is left', () => {
    expect(
      encoded({
        tools: [tool('a')],
        system: [text('one', MARK), text('two')],
        messages: [
          user(text('q1', MARK)),
          assistant(text('a1')),
          user(text('q2')),
          assistant(text('a2')),
          user(text('q3')),
        ],
      }),
    ).toEqual({
      tools: [tool('a')],
      system: [text('one', MARK), text('two')],
      messages: [
        user(text('q1', MARK)),
        assistant(text('a1')),
        user(text('q2', MARK)),
        assistant(text('a2')),
        user(text('q3', MARK)),
      ],
    });
  });

  test('that last an hour have none of ours before them, which the service would refuse', () => {
    expect(encoded({ tools: [tool('a')], system: [text('s', HOUR)], messages: [user(text('q'))] })).toEqual({
      tools: [tool('a')],
      system: [text('s', HOUR)],
      messages: [user(text('q', MARK))],
    });
  });

  test('beyond four lose the first ones, as what they cover is covered by the later', () => {
    expect(
      encoded({
        tools: [tool('a', MARK)],
        system: [text('s', MARK)],
        messages: [user(text('1', MARK), text('2', MARK)), assistant(text('a', MARK)), user(text('3', MARK))],
      }),
    ).toEqual({
      tools: [tool('a')],
      system: [text('s')],
      messages: [user(text('1', MARK), text('2', MARK)), assistant(text('a', MARK)), user(text('3', MARK))],
    });
  });
});

test('a request that is not as it should be is passed on as it is', () => {
  for (const body of [{}, { messages: 'x' }, { messages: [1, null, { role: 'user' }], tools: {}, system: 5 }])
    expect(relayed(body)).toBe(body);
});
