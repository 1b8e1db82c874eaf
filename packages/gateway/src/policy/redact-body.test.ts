import fc from 'fast-check';
import { expect, test } from 'vitest';
import { redactBody } from './redact-body.ts';

const KEY = `sk-${'a1'.repeat(12)}`;

test('COMPAT-25 fields are redacted at any depth of a body: arguments, results, messages, metadata and what is not known', async () => {
  const body = {
    api_key: 'top',
    odd: [{ deep: [{ password: 'odd' }] }],
    metadata: { team: { access_token: 'meta', note: KEY } },
    messages: [
      { role: 'user', content: 'hi', extra: { list: [{ secret: 'message' }] } },
      {
        role: 'assistant',
        content: [
          { type: 'tool_use', id: 't', name: 'f', input: { url: [{ data: { password: 'argument', id: KEY } }] } },
        ],
      },
      {
        role: 'user',
        content: [
          {
            type: 'tool_result',
            tool_use_id: 't',
            content: [{ type: 'text', text: '{"a": [{"refreshToken": "result", "n": 12345678901234567890}]}' }],
          },
        ],
      },
    ],
  };

  expect(await redactBody(body, ['messages'])).toEqual({
    body: {
      api_key: '[REDACTED]',
      odd: [{ deep: [{ password: '[REDACTED]' }] }],
      metadata: { team: { access_token: '[REDACTED]', note: '[API_KEY_REDACTED]' } },
      messages: [
        { role: 'user', content: 'hi', extra: { list: [{ secret: '[REDACTED]' }] } },
        {
          role: 'assistant',
          content: [
            {
              type: 'tool_use',
              id: 't',
              name: 'f',
              input: { url: [{ data: { password: '[REDACTED]', id: '[API_KEY_REDACTED]' } }] },
            },
          ],
        },
        {
          role: 'user',
          content: [
            {
              type: 'tool_result',
              tool_use_id: 't',
              content: [{ type: 'text', text: '{"a": [{"refreshToken": "[REDACTED]", "n": 12345678901234567890}]}' }],
            },
          ],
        },
      ],
    },
    count: 8,
  });
});

test('COMPAT-24 every kind of call and result is looked into, whatever its protocol calls it', async () => {
  const secret = '{"password":"hunter2"}';
  const said = [
    { role: 'function', name: 'f', content: secret },
    { role: 'assistant', function_call: { name: 'f', arguments: secret } },
    { role: 'assistant', tool_calls: [{ id: 't', type: 'custom', custom: { name: 'f', input: secret } }] },
    { type: 'custom_tool_call_output', call_id: 't', output: [{ type: 'input_text', text: secret }] },
    { type: 'mcp_call', id: 't', name: 'f', arguments: secret, output: secret },
    { type: 'mcp_tool_result', tool_use_id: 't', content: secret },
  ];

  const { body, count } = await redactBody({ input: said }, ['input']);

  expect(JSON.stringify(body)).toBe(
    JSON.stringify({ input: said }).replaceAll('{\\"password\\":\\"hunter2\\"}', '{\\"password\\":\\"[REDACTED]\\"}'),
  );
  expect(count).toBe(7);
});

test('COMPAT-24 what a program was told to do and what it wrote is looked into, and a call whose quotes do not match stays whole', async () => {
  const said = [
    {
      type: 'local_shell_call',
      call_id: 't',
      action: { type: 'exec', command: ['a', '--password', 'hunter2'], env: { DB_PASSWORD: 'hunter2' } },
    },
    { type: 'shell_call', call_id: 't', action: { commands: ['echo "password = \'tr0ub4dor\'"'] } },
    {
      type: 'apply_patch_call',
      call_id: 't',
      operation: { type: 'update_file', path: 'a', diff: '+password = "tr0ub4dor"' },
    },
    {
      type: 'code_interpreter_call',
      code: 'password = "tr0ub4dor"',
      outputs: [{ type: 'logs', logs: '{"password":"hunter2"}' }],
    },
    { type: 'tool_use', id: 't', input: { args: ['-e', "password='", 'f1'], cwd: "it's" } },
  ];

  const { body, count } = await redactBody({ input: said }, ['input']);

  expect(body).toEqual({
    input: [
      {
        type: 'local_shell_call',
        call_id: 't',
        action: { type: 'exec', command: ['a', '--password', '[REDACTED]'], env: { DB_PASSWORD: '[REDACTED]' } },
      },
      { type: 'shell_call', call_id: 't', action: { commands: ['echo "password = \'[PASSWORD_REDACTED]\'"'] } },
      {
        type: 'apply_patch_call',
        call_id: 't',
        operation: { type: 'update_file', path: 'a', diff: '+password = "[PASSWORD_REDACTED]"' },
      },
      {
        type: 'code_interpreter_call',
        code: 'password = "[PASSWORD_REDACTED]"',
        outputs: [{ type: 'logs', logs: '{"password":"[REDACTED]"}' }],
      },
      { type: 'tool_use', id: 't', input: { args: ['-e', "password='", 'f1'], cwd: "it's" } },
    ],
  });
  expect(count).toBe(6);
});

test('nobody goes on for a client that left', async () => {
  const left = AbortSignal.abort();
  const body = { messages: [{ role: 'user', content: 'a\n'.repeat(2_000_000) }] };

  await expect(redactBody(body, ['messages'], left)).rejects.toMatchObject({ code: 'cancelled' });
});

test("a person's text, definitions of tools, files and signed reasoning stay; without secrets the body itself comes back", async () => {
  const body = {
    system: '{"password": "in a text"}',
    tools: [{ type: 'mcp', server_url: 'https://a.example', authorization: 'needed there' }],
    mcp_servers: [{ authorization: 'needed there' }],
    response_format: { schema: { properties: { password: { type: 'string' } }, required: ['password'] } },
    metadata: null,
    messages: [
      { role: 'user', content: [{ type: 'text', text: '{"password": "in a text"}' }] },
      { role: 'user', content: [{ type: 'image', source: { type: 'base64', data: KEY } }] },
      { role: 'assistant', content: [{ type: 'thinking', thinking: KEY, signature: 's' }] },
      {
        role: 'assistant',
        reasoning_details: [
          { text: KEY, index: 0 },
          { signature: 's', index: 0 },
        ],
      },
      { role: 'assistant', tool_calls: [{ extra_content: { google: { thought_signature: `${KEY}Zz9` } } }] },
      { role: 'user', content: [{ type: 'image_url', image_url: { url: `data:image/png;base64,${KEY}` } }] },
      { role: 'user', content: [{ type: 'input_image', image_url: `https://a.example/a.png?token=${KEY}` }] },
      { role: 'user', content: [{ type: 'file', file: { file_data: KEY, filename: 'a.pdf' } }] },
      { role: 'user', content: [{ type: 'input_audio', input_audio: { data: KEY, format: 'wav' } }] },
      { role: 'assistant', content: [{ type: 'redacted_thinking', data: KEY }] },
      { type: 'reasoning', summary: [{ type: 'summary_text', text: KEY }], encrypted_content: 'e' },
    ],
  };

  const redacted = await redactBody(body, ['system', 'messages']);

  expect(redacted.body).toBe(body);
  expect(redacted.count).toBe(0);
});

test('a document of plain text is text, and so is reasoning that nobody signed', async () => {
  const said = [
    { type: 'document', source: { type: 'text', media_type: 'text/plain', data: KEY } },
    { type: 'thinking', thinking: KEY, signature: '' },
  ];

  expect(await redactBody({ messages: said }, ['messages'])).toEqual({
    body: {
      messages: [
        { type: 'document', source: { type: 'text', media_type: 'text/plain', data: '[API_KEY_REDACTED]' } },
        { type: 'thinking', thinking: '[API_KEY_REDACTED]', signature: '' },
      ],
    },
    count: 2,
  });
});

test('no field beside the conversation, and no field of it that is not known, keeps a secret', async () => {
  const body = {
    [KEY]: 1,
    documents: [{ text: KEY }],
    chat_template_kwargs: { a: { b: KEY } },
    prompt: `a ${KEY}`,
    suffix: KEY,
    stop: [KEY],
    user: KEY,
    web_search_options: { user_location: { city: KEY } },
    response_format: { type: 'json_schema', json_schema: { description: KEY, schema: { [KEY]: {} } } },
    text: { format: { description: KEY } },
    messages: [
      { role: KEY, type: KEY, id: KEY, name: KEY, url: KEY, data: KEY, signature: KEY, encrypted_content: KEY },
      { role: 'user', id: { note: KEY }, data: [KEY], image_url: { detail: KEY }, url: { a: KEY }, [KEY]: 1 },
      {
        role: 'assistant',
        content: [{ type: 'text', text: 'a', annotations: [{ url: 'https://me:tr0ub4dor@a.example' }] }],
      },
      {
        role: 'assistant',
        reasoning_details: [
          { text: KEY, index: 0 },
          { text: 'b', signature: 's', index: 1 },
        ],
      },
      { role: 'assistant', content: [{ type: 'thinking', thinking: KEY, signature: { a: KEY }, other: KEY }] },
      { type: 'reasoning', id: KEY, summary: [{ text: 'a', other: KEY }], encrypted_content: 'e', text: KEY },
      { role: 'tool', tool_call_id: KEY, content: 'a' },
      { type: 'file', file: { filename: KEY } },
    ],
  };

  const redacted = await redactBody(body, ['messages']);

  const expected = JSON.stringify(body).replaceAll(KEY, '[API_KEY_REDACTED]');
  expect(redacted.body).toEqual(JSON.parse(expected.replace('tr0ub4dor', '[PASSWORD_REDACTED]')));
  expect(redacted.count).toBe(JSON.stringify(body).split(KEY).length);
});

test('wherever a secret stands in a body, at any depth and under any name, it is not sent on', async () => {
  const name = fc.constantFrom(
    'id',
    'url',
    'data',
    'text',
    'role',
    'type',
    'content',
    'input',
    'output',
    'summary',
    KEY,
  );
  const { body } = fc.letrec((tie) => ({
    value: fc.oneof(
      { depthSize: 'small' },
      fc.constantFrom(KEY, `a ${KEY}`, 1, null),
      fc.array(tie('value'), { maxLength: 3 }),
      tie('body'),
    ),
    body: fc.dictionary(fc.oneof(name, fc.constant('messages')), tie('value'), { maxKeys: 4, noNullPrototype: true }),
  }));
  await fc.assert(
    fc.asyncProperty(body, async (sent) => {
      const redacted = await redactBody(sent, ['messages', 'input']);

      expect(JSON.stringify(redacted.body)).not.toContain(KEY);
    }),
  );
});
