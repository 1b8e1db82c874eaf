import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  redactToolText,
  redactToolTextInTurns,
  redactToolValue,
  redactToolValueInTurns,
  redactValueInTurns,
} from './redact-text.ts';
import { toEnd, type Turns } from './turns.ts';

const RANDOM = 'f3Kq9ZtLw2Xb7Rm4Vc8N';
const LINE = 'aB3xY/7+'.repeat(8);
const redactFields = (value: unknown) => toEnd(redactValueInTurns(value));

const NAMES = [
  'api_key',
  'apiKey',
  'access_token',
  'accessToken',
  'refresh_token',
  'refreshToken',
  'password',
  'secret',
  'credential',
  'authorization',
];

test.each(NAMES)('COMPAT-24 a string under the name %s is replaced', (name) => {
  expect(redactFields({ [name]: 'hunter2', other: 'stays' })).toEqual({
    value: { [name]: '[REDACTED]', other: 'stays' },
    count: 1,
  });
  expect(redactToolText(`{ "${name}" : "hunt\\"er2", "other": 12345678901234567890 }`)).toEqual({
    text: `{ "${name}" : "[REDACTED]", "other": 12345678901234567890 }`,
    count: 1,
  });
});

/** Both ways to the same result: as a value, and as text. */
function redactBoth(value: unknown): { value: unknown; count: number } {
  const redacted = redactToolValue(value);
  expect(redactToolText(JSON.stringify(value))).toEqual({
    text: JSON.stringify(redacted.value),
    count: redacted.count,
  });
  return redacted;
}

test('COMPAT-24 only strings are secrets: the schema of a parameter named password stays', () => {
  const value = { properties: { password: { type: 'string' } }, required: ['password'], secret: 5, apiKey: null };

  expect(redactBoth(value)).toEqual({ value, count: 0 });
});

test('COMPAT-24 a value without secrets comes back itself, and one with secrets is not changed', () => {
  const clean = { a: [{ b: 'c' }] };
  const secret = { a: [{ password: 'hunter2' }] };

  expect(redactBoth(clean).value).toBe(clean);
  expect(redactBoth(secret).value).toEqual({ a: [{ password: '[REDACTED]' }] });
  expect(secret).toEqual({ a: [{ password: 'hunter2' }] });
});

test('COMPAT-25 secrets are found at any depth of objects and lists', () => {
  const value = [{ a: { b: [[{ apiKey: 'x', c: { password: 'y' } }], 'password'] } }, { secret: { secret: 'z' } }];

  expect(redactBoth(value)).toEqual({
    value: [
      { a: { b: [[{ apiKey: '[REDACTED]', c: { password: '[REDACTED]' } }], 'password'] } },
      { secret: { secret: '[REDACTED]' } },
    ],
    count: 3,
  });
});

test('COMPAT-25 a value may be nested as deep as its sender likes', () => {
  const nested = (depth: number, secret: string) => `${'['.repeat(depth)}{"password":"${secret}"}${']'.repeat(depth)}`;

  let { value } = redactToolValue<unknown>(JSON.parse(nested(100_000, 'x')));
  while (Array.isArray(value)) value = value[0];

  expect(value).toEqual({ password: '[REDACTED]' });
  expect(redactToolText(nested(900, 'x')).text).toBe(nested(900, '[REDACTED]'));
  expect(redactToolText(nested(100_000, 'tr0ub4dor')).text).toBe(nested(100_000, '[PASSWORD_REDACTED]'));
});

test('COMPAT-25 JSON in a string of JSON is looked into, also in a list', () => {
  const inner = JSON.stringify({ user: 'ann', client_secret: 'hunter2' });
  const without = JSON.stringify({ user: 'ann', client_secret: '[REDACTED]' });

  expect(redactBoth({ output: inner, list: [1, inner] })).toEqual({
    value: { output: without, list: [1, without] },
    count: 2,
  });
});

test('a name that is spelt with escapes is the same name', () => {
  expect(redactToolText('{"pass\\u0077ord":"hunter2"}')).toEqual({
    text: '{"pass\\u0077ord":"[REDACTED]"}',
    count: 1,
  });
});

test.each([
  [{ token: RANDOM }, { token: '[REDACTED]' }],
  [{ storageKey: RANDOM }, { storageKey: '[REDACTED]' }],
  [{ pwd: 'tr0ub4dor' }, { pwd: '[REDACTED]' }],
  [{ db_pass: 'tr0ub4dor' }, { db_pass: '[REDACTED]' }],
])('what may be a secret is one where it looks like one: %j', (value, expected) => {
  expect(redactBoth(value).value).toEqual(expected);
});

test.each([
  { token: 'identifier' },
  { pwd: '/home/ann/work2' },
  { PWD: 'C:\\Users\\ann1\\work2' },
  { pwd: '/tmp/f3Kq9ZtLw2Xb7Rm4' },
  { credentials: 'include' },
  { storageKey: 'theme' },
  { sessionKey: 'settings.session.v2' },
  { password: '${DB_PASSWORD}', secret: '{{ vault.secret }}', api_key: '<your key>', token: '$TOKEN' },
  { password: 'string', secret: 'true' },
  { secrets: ['DB_PASSWORD', 'SMTP_PASSWORD'] },
  ['password', 'address1'],
  { tokens: ['if', '(', 'identifier1'] },
  { name: 'city', value: 'tr0ub4dor' },
  { name: 'token', value: 'identifier' },
  { kty: 'EC', x: RANDOM.repeat(2), d: 'short' },
  { d: RANDOM.repeat(2) },
  ['--password', '--verbose'],
  ['--verbose', 'tr0ub4dor'],
])('%j holds no secret', (value) => {
  expect(redactBoth(value)).toEqual({ value, count: 0 });
});

test.each([
  [{ Authorization: ['Bearer x'] }, { Authorization: ['[REDACTED]'] }],
  [{ 'set-cookie': ['sid=1; Secure', 'b=2'] }, { 'set-cookie': ['[REDACTED]', '[REDACTED]'] }],
  [{ passwords: ['hunter', ['nested']] }, { passwords: ['[REDACTED]', ['[REDACTED]']] }],
  [{ secrets: ['NAME', 'tr0ub4dor'] }, { secrets: ['NAME', '[REDACTED]'] }],
  [
    ['--password', 'correct'],
    ['--password', '[REDACTED]'],
  ],
  [
    ['-v', '--api-key', 'x1'],
    ['-v', '--api-key', '[REDACTED]'],
  ],
  [
    { name: 'DB_PASSWORD', value: 'correct' },
    { name: 'DB_PASSWORD', value: '[REDACTED]' },
  ],
  [
    { Value: 'correct', Key: 'DB_PASSWORD' },
    { Value: '[REDACTED]', Key: 'DB_PASSWORD' },
  ],
  [
    { kty: 'EC', d: RANDOM, x: RANDOM },
    { kty: 'EC', d: '[REDACTED]', x: RANDOM },
  ],
  [
    { d: RANDOM, p: RANDOM, kty: 'RSA' },
    { d: '[REDACTED]', p: '[REDACTED]', kty: 'RSA' },
  ],
  [
    [`-----BEGIN RSA PRIVATE KEY-----`, LINE, 'aB3x==', '-----END RSA PRIVATE KEY-----', LINE],
    ['-----BEGIN RSA PRIVATE KEY-----', '[REDACTED]', '[REDACTED]', '-----END RSA PRIVATE KEY-----', LINE],
  ],
])(
  'a secret is known by the name of its list, by the item before it and by the fields beside it: %j',
  (value, expected) => {
    expect(redactBoth(value).value).toEqual(expected);
  },
);

test.each([
  ['lines of JSON', '{"a":1,"password":"hunter2"}\n{"password":"hunter2"}\n', 2],
  [
    'an answer with its headers',
    'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n\r\n{"password":"hunter2"}\r\n',
    1,
  ],
  ['JSON that is cut off in a list', '{"a":[1,{"password":"hunter2"},', 1],
  ['JSON that is cut off in the secret', '{"a": 1, "password": "hunter2', 1],
  ['JSON behind a byte order mark', '\uFEFF{"password":"hunter2"}', 1],
  ['JSON that is indented, with words before and after', 'Result:\n  {\n  "password": "hunter2"\n  }  \nDone.', 1],
])('%s loses its secret fields and nothing else', (_kind, text, count) => {
  expect(redactToolText(text)).toEqual({ text: text.replaceAll('hunter2', '[REDACTED]'), count });
});

test('other values, text that is not JSON, and what was redacted before are left alone', () => {
  for (const value of ['password', 7, null, undefined, { password: '[REDACTED]' }, { a: '[API_KEY_REDACTED]' }])
    expect(redactToolValue(value)).toEqual({ value, count: 0 });
  for (const text of [
    'const a = { "password": "x" };',
    '{"password":"[REDACTED]"}',
    'password',
    '["password", "hunter"].forEach(check)',
    '{ password: "hunter" }',
    '{"password":"hunter",}',
    '{"password":"hunter" "a":1}',
    '["a":"b"]',
    '{"password":"hunter\n"}',
    '{"password":"hunter\\x"}',
    '{"password":01}',
    '[[',
    '}',
  ])
    expect(redactToolText(text)).toEqual({ text, count: 0 });
});

const texts = fc.oneof(
  fc.string(),
  fc.constantFrom(
    '"password":"x"',
    'password',
    "password='",
    'password="',
    "it's",
    'tr0ub4dor',
    '\\',
    '"',
    '--password',
    '-----BEGIN PRIVATE KEY-----',
    '-----END PRIVATE KEY-----',
    LINE,
    'DB_PASSWORD=',
    `sk-${'a1'.repeat(12)}`,
    'token: ',
    RANDOM,
    '{"password":"x"}',
    '[{"apiKey":',
  ),
);
const { value: values } = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    texts,
    fc.constantFrom(7, 1e21, -0.5, null, true),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(
      fc.constantFrom('password', 'secret', 'a', '__proto__', 'name', 'value', 'kty', 'd', '"x":"y"'),
      tie('value'),
      {
        maxKeys: 3,
        noNullPrototype: true,
      },
    ),
  ),
}));

/** The same with every string empty. */
function shapeOf(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value), (_key, inner: unknown) => (typeof inner === 'string' ? '' : inner));
}

test('COMPAT-25 JSON as text is redacted like the value it stands for, and keeps its keys and lists', () => {
  fc.assert(
    fc.property(fc.array(values), fc.constantFrom(undefined, 2), (list, space) => {
      const redacted = redactToolValue(list);
      const { text, count } = redactToolText(JSON.stringify(list, null, space));

      expect(shapeOf(JSON.parse(text))).toEqual(shapeOf(list));
      expect(text).toBe(JSON.stringify(redacted.value, null, space));
      expect(count).toBe(redacted.count);
    }),
    { seed: 1, numRuns: 400 },
  );
});

test('what follows a quote in a string of JSON stays in its own string', () => {
  const value = { args: ['-e', "password='", 'f1'], cwd: "it's" };

  expect(redactBoth(value)).toEqual({ value, count: 0 });
});

test('a package that is called like a secret has a version, and that stays', () => {
  const value = { dependencies: { cookie: '^0.7.1', 'pg-connection-string': '2.14.1-rc.1', token: 'workspace:*' } };

  expect(redactBoth(value)).toEqual({ value, count: 0 });
});

function countOf(turns: Turns<unknown>): number {
  let count = 0;
  while (turns.next().done !== true) count++;
  return count;
}

test.each([
  ['many fields', `[${'{"a":"b"},'.repeat(60_000)}1]`],
  ['one long secret', `{"token":"${'a1'.repeat(300_000)}"}`],
  ['one long name', `{"${'a1'.repeat(300_000)}":"x"}`],
  ['one long string of escapes', `{"a":"${'\\n'.repeat(300_000)}"}`],
  ['many lines', '\n'.repeat(600_000)],
  ['many lines that begin like JSON', '[x\n'.repeat(200_000)],
  ['many first lines of private keys', '-----BEGIN PRIVATE KEY-----\n'.repeat(22_000)],
  ['many last lines of private keys', 'a\n-----END PRIVATE KEY-----\n'.repeat(22_000)],
  ['many spaces', ' '.repeat(600_000)],
  ['many brackets', '[\n'.repeat(300_000)],
  ['many counts of lines', 'Private-Lines: 1\n'.repeat(36_000)],
  ['many secrets', `sk-${'a1'.repeat(12)} `.repeat(22_000)],
])('%s are looked at in turns', (_kind, text) => {
  expect(countOf(redactToolTextInTurns(text))).toBeGreaterThanOrEqual(8);
});

test.each([
  ['long texts', Array.from({ length: 20 }, () => 'a b '.repeat(7_500))],
  ['short texts', Array.from({ length: 40_000 }, () => 'a b c d e f')],
  ['fields', Object.fromEntries(Array.from({ length: 40_000 }, (_, index) => [`a${index}`, index]))],
  ['objects', Array.from({ length: 40_000 }, () => ({}))],
])('many %s of a value are looked at in turns', (_kind, value) => {
  expect(countOf(redactToolValueInTurns({ value }))).toBeGreaterThanOrEqual(20);
});

test('a token that is the name of a field is taken out of a value, as it is out of JSON as text', () => {
  const value = { [`sk-${'a1'.repeat(12)}`]: [1], other: 'x' };
  const redacted = { '[API_KEY_REDACTED]': [1], other: 'x' };

  expect(redactToolValue(value)).toEqual({ value: redacted, count: 1 });
  expect(JSON.parse(redactToolText(JSON.stringify(value)).text)).toEqual(redacted);
});
