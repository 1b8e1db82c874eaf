import { startFakeProvider } from '@dragoman/testkit';
import { expect, test } from 'vitest';
import { openTestGateway, provider, recordedAnswer } from './gateway.fixture.ts';

// Put together here, so that no scanner takes this file for a leak.
const key = (prefix: string, length: number, alphabet = 'aB3') =>
  prefix + alphabet.repeat(Math.ceil(length / alphabet.length)).slice(0, length);
const LINE = key('', 64, 'aB3xY/7+');
const RANDOM = 'f3Kq9ZtLw2Xb7Rm4Vc8N';

/** A text with a secret in it, and the part that nobody may see. */
const KINDS: Record<string, readonly [text: string, secret: string]> = {
  'OpenAI project': same(key('sk-proj-', 60, 'aB-_3')),
  Anthropic: same(key('sk-ant-api03-', 90, 'aB-_3')),
  'AWS id': same(key('AKIA', 16, 'A3B')),
  'AWS secret': [`aws_secret_access_key = ${key('', 40, 'aB/+3')}`, key('', 40, 'aB/+3')],
  Google: same(key('AIza', 35, 'aB-_3')),
  'Google client': same(key('GOCSPX-', 28, 'aB-_3')),
  GitHub: same(key('github_pat_', 82, 'aB_3')),
  GitLab: same(key('glpat-', 20, 'aB-_3')),
  'GitLab deploy': same(key('gldt-', 20, 'aB-_3')),
  'Hugging Face': same(key('hf_', 34)),
  Slack: same(key('xoxb-', 50, '12-aB')),
  'Slack webhook': [`https://hooks.slack.com/services/T00000000/B00000000/${key('', 24)}`, key('', 24)],
  SendGrid: same(`SG.${key('', 22, 'aB-_3')}.${key('', 43, 'aB-_3')}`),
  Stripe: same(key('sk_live_', 24)),
  'Stripe webhook': same(key('whsec_', 32)),
  npm: same(key('npm_', 36)),
  Telegram: same(key('123456789:AA', 33, 'aB-_3')),
  Dragoman: same(key('DGM_', 40, 'AB2')),
  JWT: same(`${key('eyJ', 30)}.${key('eyJ', 60)}.${key('', 43, 'aB-_3')}`),
  'private key': [`-----BEGIN RSA PRIVATE KEY-----\n${LINE}\n${LINE}\n-----END RSA PRIVATE KEY-----`, LINE],
  'connection string': ['postgres://ann:tr0ub4dor@db/work', 'tr0ub4dor'],
  'other connection string': ['Server=db;User Id=sa;Password=correcthorse;', 'correcthorse'],
  'key in a query': [`https://a.example/x?api_key=${RANDOM}`, RANDOM],
  header: [`Authorization: Bearer ${RANDOM}`, RANDOM],
  variable: ['export DB_PASSWORD="tr0ub4dor"', 'tr0ub4dor'],
  'Telegram address': [`https://api.telegram.org/bot${key('987654321:AA', 33, 'aB-_4')}/a`, key('AA', 33, 'aB-_4')],
  'Feishu webhook': [`https://open.feishu.cn/open-apis/bot/v2/hook/${key('', 36, 'a0-')}`, key('', 36, 'a0-')],
  'coloured GitHub': [`\u001B[32m${key('ghp_', 36)}\u001B[0m`, key('ghp_', 36)],
  'GitHub header': [`Authorization: token ${key('', 40, '0a1b2c')}`, key('', 40, '0a1b2c')],
  'token as a name': [`https://${RANDOM}b1@dev.azure.com/a`, `${RANDOM}b1`],
  'escaped password': ['postgres://ann:%40dm1n24@db/work', '%40dm1n24'],
  cookie: [`Cookie: sid=${RANDOM}c1`, `${RANDOM}c1`],
  fallback: ['${PW:-tr0ub4dor5}', 'tr0ub4dor5'],
  netrc: ['machine a.example login ann password correct-horse', 'correct-horse'],
  'command line': ['sshpass -p correct-horse2 ssh a', 'correct-horse2'],
  'long token': [`export AWS_SESSION_TOKEN=${key('', 900, RANDOM)}`, key('', 880, RANDOM)],
  'key in base64': [btoa(`-----BEGIN EC PRIVATE KEY-----\n${LINE}\n`), btoa(LINE).slice(12, 60)],
  'end of a key': [`see:\n${key('', 64, 'xY7aB+')}\n-----END EC PRIVATE KEY-----`, key('', 64, 'xY7aB+')],
};

/** A line that is a setting, in what a tool answers. */
const SETTINGS: Record<string, readonly [text: string, secret: string]> = {
  yaml: ['password: tr0ub4dor#1', 'tr0ub4dor#1'],
  properties: ['spring.datasource.password=Tr0ub4dor9', 'Tr0ub4dor9'],
  'AWS session': [`aws_session_token = ${key('IQoJ', 600, RANDOM)}`, key('IQoJ', 600, RANDOM)],
  npmrc: ['//r/:_authToken=9f86d081-884c-4d63-a11f-b2c4e7d0a3f5', '9f86d081-884c-4d63'],
  'lower case': [`api_key=${RANDOM}d1`, `${RANDOM}d1`],
};

function same(secret: string): readonly [string, string] {
  return [secret, secret];
}

/** Fields of what tools are given and answer, in several spellings and at several depths. */
const FIELDS = {
  password: 'hunter-1',
  client_secret: 'hunter-2',
  list: [{ accessToken: 'hunter-3', 'X-Api-Key': 'hunter-4' }],
  deep: { PRIVATE_KEY: 'hunter-5', passphrase: 'hunter-6', Authorization: 'hunter-7' },
  inner: JSON.stringify({ refreshToken: 'hunter-8' }),
  headers: { Authorization: ['Bearer hunter-9'], 'set-cookie': ['a=hunter-10'] },
  env: [{ name: 'DB_PASSWORD', value: 'hunter-11' }],
  args: ['--password', 'hunter-12'],
  password2: 'hunter-13',
  DB_PASSWORD_PROD: 'hunter-14',
  SecretString: 'hunter-15',
};
const FIELD_COUNT = 15;

interface Said {
  text: string;
  input: unknown;
  result: string;
}

const DOORS = {
  augment: {
    path: '/chat-stream',
    body: ({ text, input, result }: Said) => ({
      model: 'target/m',
      chat_history: [
        {
          request_message: text,
          response_text: '',
          response_nodes: [
            {
              id: 1,
              type: 5,
              content: '',
              tool_use: { tool_use_id: 't', tool_name: 'f', input_json: JSON.stringify(input) },
            },
          ],
        },
      ],
      nodes: [{ id: 1, type: 1, tool_result_node: { tool_use_id: 't', content: result } }],
    }),
  },
  'openai-chat': {
    path: '/v1/chat/completions',
    body: ({ text, input, result }: Said) => ({
      model: 'target/m',
      stream: true,
      messages: [
        { role: 'user', content: text },
        {
          role: 'assistant',
          tool_calls: [{ id: 't', type: 'function', function: { name: 'f', arguments: JSON.stringify(input) } }],
        },
        { role: 'tool', tool_call_id: 't', content: result },
      ],
    }),
  },
  'openai-responses': {
    path: '/v1/responses',
    body: ({ text, input, result }: Said) => ({
      model: 'target/m',
      stream: true,
      input: [
        { type: 'message', role: 'user', content: [{ type: 'input_text', text }] },
        { type: 'function_call', call_id: 't', name: 'f', arguments: JSON.stringify(input) },
        { type: 'function_call_output', call_id: 't', output: result },
      ],
    }),
  },
  ollama: {
    path: '/api/chat',
    body: ({ text, input, result }: Said) => ({
      model: 'target/m',
      messages: [
        { role: 'user', content: text },
        { role: 'assistant', content: '', tool_calls: [{ function: { name: 'f', arguments: input } }] },
        { role: 'tool', tool_name: 'f', content: result },
      ],
    }),
  },
  'anthropic-messages': {
    path: '/v1/messages',
    body: ({ text, input, result }: Said) => ({
      model: 'target/m',
      stream: true,
      max_tokens: 9,
      messages: [
        { role: 'user', content: text },
        { role: 'assistant', content: [{ type: 'tool_use', id: 't', name: 'f', input }] },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't', content: result }] },
      ],
    }),
  },
  gemini: {
    path: '/v1beta/models/target/m:streamGenerateContent?alt=sse',
    body: ({ text, input, result }: Said) => ({
      contents: [
        { role: 'user', parts: [{ text }] },
        { role: 'model', parts: [{ functionCall: { id: 't', name: 'f', args: input } }] },
        { role: 'user', parts: [{ functionResponse: { id: 't', name: 'f', response: { output: result } } }] },
      ],
    }),
  },
} as const;
const TARGETS = ['openai-chat', 'openai-responses', 'anthropic-messages', 'gemini', 'ollama'] as const;
const WAYS = Object.keys(DOORS).flatMap((door) =>
  TARGETS.map((target) => ({ door: door as keyof typeof DOORS, target })),
);

const post = (body: unknown) => ({
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
});

test.each(WAYS)(
  'COMPAT-24 COMPAT-25 COMPAT-26 from $door to $target no kind of secret is sent on, and each is counted once',
  async ({ door, target }) => {
    const fake = await startFakeProvider();
    const gateway = await openTestGateway({ providers: { target: provider(target, fake.url) } });
    const { path, body } = DOORS[door];
    const texts = Object.values(KINDS).map(([text]) => text);
    const settings = Object.values(SETTINGS).map(([text]) => text);

    fake.answer({ body: recordedAnswer(target, 'text') });
    await gateway.call(
      path,
      post(
        body({
          text: texts.join('\n'),
          input: { commands: texts.map((text) => `echo '${text}'`) },
          result: [...texts, ...settings].join('\n'),
        }),
      ),
    );
    const sent = fake.requests[0]!.text;
    const left = Object.entries({ ...KINDS, ...SETTINGS }).filter(([, [, secret]]) =>
      sent.includes(JSON.stringify(secret).slice(1, -1)),
    );
    expect(left.map(([kind]) => kind)).toEqual([]);

    fake.answer({ body: recordedAnswer(target, 'text') });
    await gateway.call(path, post(body({ text: 'hi', input: FIELDS, result: JSON.stringify(FIELDS) })));
    expect(fake.requests.at(-1)?.text).not.toContain('hunter');

    const expected = 3 * texts.length + settings.length + 2 * FIELD_COUNT;
    expect((await gateway.call('/metrics')).text).toContain(`dragoman_gateway_redactions_total ${expected}\n`);
  },
);

test.each(WAYS)(
  'from $door to $target a call without secrets is sent on as it is, and nothing is counted',
  async (way) => {
    const fake = await startFakeProvider();
    const gateway = await openTestGateway({ providers: { target: provider(way.target, fake.url) } });
    fake.answer({ body: recordedAnswer(way.target, 'text') });
    const { path, body } = DOORS[way.door];
    const code = 'const password = await ask("Password: "); // max_tokens: 12345678901234567890';

    await gateway.call(
      path,
      post(body({ text: `{"password":"in a text"} ${code}`, input: { code, token_count: '1234' }, result: code })),
    );

    const sent = fake.requests[0]!.text;
    expect(sent).toContain(JSON.stringify(code).slice(1, -1));
    expect(sent).not.toContain('REDACTED');
    expect((await gateway.call('/metrics')).text).toContain('dragoman_gateway_redactions_total 0\n');
  },
);

test('COMPAT-24 COMPAT-26 no kind of secret is sent on with what vectors are made of, and each is counted once', async () => {
  const fake = await startFakeProvider();
  const gateway = await openTestGateway({ providers: { target: provider('openai-chat', fake.url) } });
  const texts = Object.values(KINDS).map(([text]) => text);
  const ask = (input: unknown) => {
    fake.answer({ body: '{"object":"list","data":[]}' });
    return gateway.call('/v1/embeddings', post({ model: 'target/m', input, user: 'ann' }));
  };

  await ask(texts.join('\n'));
  await ask([...texts, JSON.stringify(FIELDS)]);
  await ask([1, 2, 3]);

  for (const { text: sent } of fake.requests) {
    const left = Object.entries(KINDS).filter(([, [, secret]]) => sent.includes(JSON.stringify(secret).slice(1, -1)));
    expect(left.map(([kind]) => kind)).toEqual([]);
    expect(sent).not.toContain('hunter');
  }
  expect(fake.requests[2]?.body).toEqual({ model: 'm', input: [1, 2, 3], user: 'ann' });
  const expected = 2 * texts.length + FIELD_COUNT;
  expect((await gateway.call('/metrics')).text).toContain(`dragoman_gateway_redactions_total ${expected}\n`);
});

test('an answer with vectors that repeats the keys of the query and the headers is told without them', async () => {
  const fake = await startFakeProvider();
  const gateway = await openTestGateway({
    providers: {
      target: { ...provider('openai-chat', fake.url), query: { key: QUERY_KEY }, headers: { 'x-odd': HEADER } },
    },
  });
  fake.answer({ body: JSON.stringify({ data: [], note: `${QUERY_KEY} and ${HEADER}` }) });

  const { text } = await gateway.call('/v1/embeddings', post({ model: 'target/m', input: 'hi' }));

  expect(text).toBe('{"data":[],"note":"[REDACTED] and [REDACTED]"}');
});

const QUERY_KEY = 'Qr7+Secret/Query=Key';
const PASSWORD = 'Wd8Secret-Password';
const HEADER = 'Hd9SecretHeaderKey';
/** What a service may say of the address and the headers that it was asked with. */
const COMPLAINT = [
  `https://me:${PASSWORD}@a.example/v1?key=${encodeURIComponent(QUERY_KEY)}`,
  new URLSearchParams({ key: QUERY_KEY }).toString(),
  QUERY_KEY,
  `x-odd: ${HEADER}`,
].join(' ');

test.each(WAYS)(
  'from $door to $target a refusal that repeats the keys of the query, the address and the headers is told without them',
  async ({ door, target }) => {
    const fake = await startFakeProvider();
    const { host } = new URL(fake.url);
    const gateway = await openTestGateway({
      providers: {
        target: {
          ...provider(target, fake.url),
          baseUrl: `http://me:${PASSWORD}@${host}${target === 'ollama' ? '' : '/v1'}`,
          query: { key: QUERY_KEY },
          headers: { 'x-odd': HEADER },
        },
      },
    });
    fake.answer({ status: 400, body: [JSON.stringify({ error: { message: `bad: ${COMPLAINT}` } })] });
    const { path, body } = DOORS[door];

    const { text } = await gateway.call(path, post(body({ text: 'hi', input: {}, result: '' })));

    expect(text).toContain('bad: ');
    expect(text + JSON.stringify(gateway.logged)).not.toMatch(/Secret/);
  },
);

test.each(WAYS)(
  'from $door to $target an error in the middle of a stream is told without them, however its bytes are split',
  async ({ door, target }) => {
    const fake = await startFakeProvider();
    const gateway = await openTestGateway({
      providers: { target: { ...provider(target, fake.url), query: { key: QUERY_KEY }, headers: { 'x-odd': HEADER } } },
    });
    const [first = ''] = recordedAnswer(target, 'text');
    const error = { type: 'error', error: { type: 'overloaded_error', message: `${QUERY_KEY} and ${HEADER}` } };
    const end =
      target === 'ollama'
        ? `${JSON.stringify({ error: error.error.message })}\n`
        : `event: error\ndata: ${JSON.stringify(error)}\n\n`;
    const middle = end.indexOf(QUERY_KEY) + 7;
    fake.answer({ body: [target === 'ollama' ? '' : first, end.slice(0, middle), end.slice(middle)] });
    const { path, body } = DOORS[door];

    const { text } = await gateway.call(path, post(body({ text: 'hi', input: {}, result: '' })));

    expect(text + JSON.stringify(gateway.logged)).not.toMatch(/Secret/);
  },
);
