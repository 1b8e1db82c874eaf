import fc from 'fast-check';
import { expect, test } from 'vitest';
import { redactFields, redactFieldsInJson } from './redact-fields.ts';

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
  expect(redactFieldsInJson(`{ "${name}" : "hunt\\"er2", "other": 12345678901234567890 }`)).toEqual({
    text: `{ "${name}" : "[REDACTED]", "other": 12345678901234567890 }`,
    count: 1,
  });
});

test('COMPAT-24 only strings are secrets: the schema of a parameter named password stays', () => {
  const value = { properties: { password: { type: 'string' } }, required: ['password'], secret: 5, apiKey: null };

  expect(redactFields(value)).toEqual({ value, count: 0 });
  expect(redactFieldsInJson(JSON.stringify(value))).toEqual({ text: JSON.stringify(value), count: 0 });
});

test('COMPAT-24 a value without secrets comes back itself, and one with secrets is not changed', () => {
  const clean = { a: [{ b: 'c' }] };
  const secret = { a: [{ password: 'hunter2' }] };

  expect(redactFields(clean).value).toBe(clean);
  expect(redactFields(secret).value).toEqual({ a: [{ password: '[REDACTED]' }] });
  expect(secret).toEqual({ a: [{ password: 'hunter2' }] });
});

test('COMPAT-25 secrets are found at any depth of objects and lists', () => {
  const value = [{ a: { b: [[{ apiKey: 'x', c: { password: 'y' } }], 'password'] } }, { secret: { secret: 'z' } }];
  const redacted = [
    { a: { b: [[{ apiKey: '[REDACTED]', c: { password: '[REDACTED]' } }], 'password'] } },
    { secret: { secret: '[REDACTED]' } },
  ];

  expect(redactFields(value)).toEqual({ value: redacted, count: 3 });
  expect(redactFieldsInJson(JSON.stringify(value))).toEqual({ text: JSON.stringify(redacted), count: 3 });
});

test('COMPAT-25 a value may be nested as deep as its sender likes', () => {
  const depth = 100_000;
  const nested: unknown = JSON.parse(`${'['.repeat(depth)}{"password":"x"}${']'.repeat(depth)}`);

  let { value } = redactFields(nested);
  while (Array.isArray(value)) value = value[0];

  expect(value).toEqual({ password: '[REDACTED]' });
});

test('COMPAT-25 JSON in a string of JSON is looked into', () => {
  const inner = JSON.stringify({ user: 'ann', client_secret: 'hunter2' });

  expect(redactFieldsInJson(JSON.stringify({ output: inner, list: [1] }))).toEqual({
    text: JSON.stringify({ output: JSON.stringify({ user: 'ann', client_secret: '[REDACTED]' }), list: [1] }),
    count: 1,
  });
});

test('a name that is spelt with escapes is the same name', () => {
  expect(redactFieldsInJson('{"pass\\u0077ord":"hunter2"}')).toEqual({
    text: '{"pass\\u0077ord":"[REDACTED]"}',
    count: 1,
  });
});

test('what may be a secret is one where it looks like one', () => {
  expect(redactFields({ token: 'f3Kq9ZtLw2Xb7Rm4Vc8N' }).value).toEqual({ token: '[REDACTED]' });
  expect(redactFields({ token: 'identifier' }).count).toBe(0);
});

test('other values, text that is not JSON, and what was redacted before are left alone', () => {
  for (const value of ['password', 7, null, undefined, { password: '[REDACTED]' }])
    expect(redactFields(value)).toEqual({ value, count: 0 });
  for (const text of ['const a = { "password": "x" };', '{"password":"x"', '{"password":"[REDACTED]"}', 'password'])
    expect(redactFieldsInJson(text)).toEqual({ text, count: 0 });
});

test('COMPAT-25 JSON as text is redacted like the value it stands for', () => {
  const name = fc.constantFrom('password', 'secret', 'a', '__proto__', '"password":"x"');
  const { value } = fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 4 },
      fc.string(),
      fc.constantFrom(7, null, '"password":"x"', 'password', '\\', '"'),
      fc.array(tie('value'), { maxLength: 3 }),
      fc.dictionary(name, tie('value'), { maxKeys: 3, noNullPrototype: true }),
    ),
  }));

  fc.assert(
    fc.property(fc.array(value), fc.constantFrom(undefined, 2), (list, space) => {
      const redacted = redactFields(list);

      expect(redactFieldsInJson(JSON.stringify(list, null, space))).toEqual({
        text: JSON.stringify(redacted.value, null, space),
        count: redacted.count,
      });
    }),
    { seed: 1, numRuns: 300 },
  );
});

test('a package that is called like a secret has a version, and that stays', () => {
  const value = { dependencies: { cookie: '^0.7.1', 'pg-connection-string': '2.14.1-rc.1', token: 'workspace:*' } };

  expect(redactFields(value)).toEqual({ value, count: 0 });
  expect(redactFieldsInJson(JSON.stringify(value)).count).toBe(0);
});
