import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { pairToolResults } from '../../repair/pair-tool-results.ts';
import { decodeOllamaRequest } from './decode-request.ts';

const chat = (fields: object) => decodeOllamaRequest('chat', { model: 'm', ...fields });
const generate = (fields: object) => decodeOllamaRequest('generate', { model: 'm', ...fields });
const call = (name: string, id?: string) => ({ ...(id && { id }), function: { name, arguments: { n: name } } });
/** Which call each result was given to. */
const pairs = (messages: object[]) =>
  chat({ messages }).call.prompt.flatMap((message) =>
    message.role === 'tool'
      ? message.content.map(({ toolCallId, content }) => `${toolCallId}: ${(content[0] as { text: string }).text}`)
      : [],
  );

describe('a chat', () => {
  test('is read message by message', () => {
    const { call: asked, isStreamed } = chat({
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'What is this?', images: ['iVBORw0KGgo='] },
        {
          role: 'assistant',
          content: 'Reading.',
          thinking: 'Hm.',
          tool_calls: [{ function: { name: 'read', arguments: { path: 'a.ts' } } }],
        },
        { role: 'tool', content: 'one', tool_name: 'read' },
      ],
      tools: [{ type: 'function', function: { name: 'read', description: 'Reads.', parameters: { type: 'object' } } }],
    });

    expect(isStreamed).toBe(true);
    expect(asked).toEqual({
      prompt: [
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
            { type: 'reasoning', text: 'Hm.' },
            { type: 'text', text: 'Reading.' },
            { type: 'tool-call', toolCallId: 'call_1', toolName: 'read', input: '{"path":"a.ts"}' },
          ],
        },
        {
          role: 'tool',
          content: [
            {
              type: 'tool-result',
              toolCallId: 'call_1',
              toolName: 'read',
              content: [{ type: 'text', text: 'one' }],
              isError: false,
            },
          ],
        },
      ],
      tools: [{ name: 'read', description: 'Reads.', inputSchema: { type: 'object', properties: {} } }],
    });
  });

  test('settings are translated, and hints are named', () => {
    const { call: asked, leftOut } = chat({
      messages: [{ role: 'user', content: 'x' }],
      options: {
        temperature: 0.5,
        top_p: 0.9,
        top_k: 40,
        num_predict: 100,
        stop: ['END'],
        seed: 7,
        presence_penalty: 0.1,
        frequency_penalty: 0.2,
        num_ctx: 8192,
        mirostat: 2,
      },
      keep_alive: '5m',
      truncate: true,
      'x-odd: y\n': 1,
      format: { type: 'object' },
      think: 'high',
    });

    expect(asked).toMatchObject({
      temperature: 0.5,
      topP: 0.9,
      topK: 40,
      maxOutputTokens: 100,
      stopSequences: ['END'],
      seed: 7,
      presencePenalty: 0.1,
      frequencyPenalty: 0.2,
      responseFormat: { type: 'json', schema: { type: 'object' } },
      reasoningEffort: 'high',
    });
    expect(leftOut).toEqual(['keep_alive', 'truncate', '(another)', 'options.num_ctx', 'options.mirostat']);
  });

  test.each([
    [{ think: true }, { reasoningEffort: 'medium' }],
    [{ think: false }, { reasoningEffort: 'none' }],
    [{ format: 'json' }, { responseFormat: { type: 'json' } }],
    [{ options: { stop: 'END' } }, { stopSequences: ['END'] }],
    [{ format: '', think: null, options: { num_predict: -1, stop: '' } }, {}],
  ])('%j is %j', (fields, expected) => {
    const { prompt: _, tools: __, ...settings } = chat({ messages: [], ...fields }).call;
    expect(settings).toEqual(expected);
  });

  test.each([
    [{ logprobs: true }, 'logprobs: only a provider of type "ollama" supports this.'],
    [{ top_logprobs: 3 }, 'top_logprobs: only a provider of type "ollama" supports this.'],
    [{ format: 'xml' }, 'format: '],
    [{ think: 'deeply' }, 'think: '],
    [{ messages: [{ role: 'critic', content: 'x' }] }, 'messages.0.role: '],
    [{ messages: [{ role: 'user', content: 'x', images: ['QUJD'] }] }, 'images[0]: expected PNG, JPEG, GIF or WebP'],
  ])('%j is refused by name', (fields, message) => {
    expect(() => chat({ messages: [], ...fields })).toThrow(message);
  });
});

describe('results of tools', () => {
  const asks = (...calls: object[]) => ({ role: 'assistant', content: '', tool_calls: calls });
  const says = (content: string, fields: object = {}) => ({ role: 'tool', content, ...fields });

  test('belong to the call of their id, then of their name, in order', () => {
    expect(
      pairs([
        asks(call('read'), call('read'), call('list', 'c9')),
        says('second', { tool_name: 'list' }),
        says('first', { tool_name: 'read' }),
        says('third', { tool_name: 'read' }),
      ]),
    ).toEqual(['c9: second', 'call_1: first', 'call_2: third']);
    expect(
      pairs([
        asks(call('read', 'a'), call('read', 'b')),
        says('of b', { tool_name: 'read', tool_call_id: 'b' }),
        says('of a', { tool_name: 'read' }),
      ]),
    ).toEqual(['b: of b', 'a: of a']);
  });

  test('without a name belong to the calls in order; one too many belongs to none', () => {
    expect(pairs([asks(call('read'), call('list')), says('one'), says('two'), says('three')])).toEqual([
      'call_1: one',
      'call_2: two',
      'result_1: three',
    ]);
  });

  test('of an unknown tool, or of calls of an earlier question, belong to none', () => {
    expect(pairs([asks(call('read')), says('x', { tool_name: 'other' })])).toEqual(['result_1: x']);
    expect(pairs([asks(call('read')), { role: 'user', content: 'stop' }, says('late', { tool_name: 'read' })])).toEqual(
      ['result_1: late'],
    );
  });

  test('an id that is used twice counts once', () => {
    expect(
      pairs([
        asks(call('read', 'call_1'), call('read', 'call_1'), call('list')),
        says('a', { tool_name: 'read' }),
        says('b', { tool_name: 'read' }),
        says('c', { tool_name: 'list' }),
      ]),
    ).toEqual(['call_1: a', 'call_2: b', 'call_3: c']);
  });

  test('of any conversation are paired as before when it goes on, and never leave a result without a call', () => {
    const name = fc.constantFrom('read', 'list');
    const id = fc.option(fc.constantFrom('call_1', 'x', 'y', ''), { nil: undefined });
    const message = fc.oneof(
      fc.constant({ role: 'user', content: 'u' }),
      fc
        .array(fc.record({ id, function: fc.record({ name, arguments: fc.constant({}) }) }), { maxLength: 3 })
        .map((calls) => ({ role: 'assistant', content: 'a', tool_calls: calls })),
      fc.record(
        { role: fc.constant('tool'), content: fc.constant('r'), tool_name: name, tool_call_id: id },
        { requiredKeys: ['role', 'content'] },
      ),
    );
    fc.assert(
      fc.property(fc.array(message, { maxLength: 12 }), fc.nat(12), (messages, length) => {
        const whole = chat({ messages }).call.prompt;
        const start = chat({ messages: messages.slice(0, length) }).call.prompt;
        expect(whole.slice(0, Math.max(0, start.length - 1))).toEqual(start.slice(0, -1));
        const ids = whole.flatMap((one) =>
          one.role === 'assistant'
            ? one.content.flatMap((part) => (part.type === 'tool-call' ? part.toolCallId : []))
            : [],
        );
        expect(new Set(ids).size).toBe(ids.length);
        expect(() => pairToolResults(whole)).not.toThrow();
      }),
    );
  });
});

describe('a prompt', () => {
  test('is one question, behind its instructions', () => {
    expect(generate({ prompt: 'Why?', system: 'Be brief.', images: ['/9j/4AAQ'] }).call.prompt).toEqual([
      { role: 'system', content: 'Be brief.' },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'Why?' },
          { type: 'file', mediaType: 'image/jpeg', data: { type: 'base64', base64: '/9j/4AAQ' } },
        ],
      },
    ]);
  });

  test('with a text behind it asks for what is between', () => {
    const { prompt } = generate({ prompt: 'def f(', suffix: '\n  return 1' }).call;
    expect(prompt).toMatchObject([
      { role: 'system', content: expect.stringContaining('You fill a gap in a text.') },
      {
        role: 'user',
        content: [{ type: 'text', text: '<before>\ndef f(\n</before>\n<after>\n\n  return 1\n</after>' }],
      },
    ]);
  });

  test.each([
    ['template', '{{ .Prompt }}', 'only a provider of type "ollama" supports a template'],
    ['raw', true, 'only a provider of type "ollama" supports a prompt without a template'],
    ['context', [1, 2], 'this server does not store conversations; send it as messages to /api/chat'],
    ['width', 512, 'only a provider of type "ollama" supports this'],
  ])('%s is refused by name, and may be there with nothing in it', (field, value, why) => {
    expect(() => generate({ prompt: 'x', [field]: value })).toThrow(
      `${field}: ${why}. Leave it out, or use a model of such a provider.`,
    );
    expect(() => generate({ prompt: 'x', [field]: Array.isArray(value) ? [] : null })).not.toThrow();
  });
});
