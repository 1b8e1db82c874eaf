import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isPlainText, redactText, redactTextInTurns, redactToolText } from './redact-text.ts';

// Put together here, so that no scanner takes this file for a leak.
const key = (prefix: string, length: number, alphabet = 'aB3') =>
  prefix + alphabet.repeat(Math.ceil(length / alphabet.length)).slice(0, length);
const pem = (kind: string, edge: string) => `-----${edge} ${kind}PRIVATE KEY-----`;
const LINE = key('', 64);
const PEM = `${pem('RSA ', 'BEGIN')}\n${LINE}\n${LINE}==\n${pem('RSA ', 'END')}`;
const PRIVATE_KEY = '[PRIVATE_KEY_REDACTED]';

test('COMPAT-26 every sk- key of twenty or more letters and digits becomes exactly [API_KEY_REDACTED]', () => {
  expect(redactText(`first ${key('sk-', 20)}, then "${key('sk-', 48)}".`)).toEqual({
    text: 'first [API_KEY_REDACTED], then "[API_KEY_REDACTED]".',
    count: 2,
  });
  expect(redactText(`task-${'x'.repeat(20)}`).text).toBe('ta[API_KEY_REDACTED]');
});

test('COMPAT-27 sk- with only nineteen letters or digits stays', () => {
  const text = `${key('sk-', 19)} ${key('sk-', 19)}-${key('', 30)}`;

  expect(redactText(text)).toEqual({ text, count: 0 });
});

const secrets: [secret: string, replacement: string][] = [
  [key('sk-proj-', 100, 'aB-_3'), '[API_KEY_REDACTED]'],
  [key('sk-svcacct-', 60), '[API_KEY_REDACTED]'],
  [key('sk-ant-api03-', 90, 'aB-_3'), '[API_KEY_REDACTED]'],
  [key('sk-or-v1-', 64, 'a0f'), '[API_KEY_REDACTED]'],
  [key('AKIA', 16, 'A3B'), '[AWS_KEY_REDACTED]'],
  [key('ASIA', 16, 'A3B'), '[AWS_KEY_REDACTED]'],
  [key('AIza', 35, 'aB-_3'), '[GOOGLE_KEY_REDACTED]'],
  [key('ghp_', 36), '[GITHUB_TOKEN_REDACTED]'],
  [key('gho_', 36), '[GITHUB_TOKEN_REDACTED]'],
  [key('ghs_', 36), '[GITHUB_TOKEN_REDACTED]'],
  [key('github_pat_', 82, 'aB_3'), '[GITHUB_TOKEN_REDACTED]'],
  [key('xoxb-', 50, '12-aB'), '[SLACK_TOKEN_REDACTED]'],
  [key('xapp-', 50, '1-aB'), '[SLACK_TOKEN_REDACTED]'],
  [key('glpat-', 20, 'aB-_3'), '[GITLAB_TOKEN_REDACTED]'],
  [`${key('glpat-', 27)}.01.${key('', 9, 'a0')}`, '[GITLAB_TOKEN_REDACTED]'],
  [key('sk_live_', 24), '[STRIPE_KEY_REDACTED]'],
  [key('rk_test_', 24), '[STRIPE_KEY_REDACTED]'],
  [key('npm_', 36), '[NPM_TOKEN_REDACTED]'],
  [`${key('eyJ', 30)}.${key('eyJ', 60)}.${key('', 43, 'aB-_3')}`, '[JWT_REDACTED]'],
  [PEM, PRIVATE_KEY],
  [`${pem('', 'BEGIN')}\n${key('', 16)}\n${pem('', 'END')}`, PRIVATE_KEY],
  [`${pem('OPENSSH ', 'BEGIN')}\\n${LINE}\\n${pem('OPENSSH ', 'END')}`, PRIVATE_KEY],
  [`${pem('RSA ', 'BEGIN')}\nProc-Type: 4,ENCRYPTED\n\n${LINE}\n${pem('RSA ', 'END')}`, PRIVATE_KEY],
  [`${pem('EC ', 'BEGIN')}\\n" +\n  "${LINE}\\n" +\n  "${pem('EC ', 'END')}`, PRIVATE_KEY],
  [`${pem('', 'BEGIN')}\n${LINE}\n${LINE}`, PRIVATE_KEY],
];

test('a text is plain only where nothing of it would be replaced', () => {
  const pieces = [...secrets.map(([secret]) => secret), 'api_key=', 'password: ', 'x', ' ', '\n', '"', 'Bearer ', '${'];
  fc.assert(
    fc.property(fc.array(fc.oneof(fc.constantFrom(...pieces), fc.string()), { maxLength: 12 }), (parts) => {
      const text = parts.join('');
      expect(isPlainText(text) && redactText(text).count > 0).toBe(false);
    }),
  );
  expect(isPlainText('Explain how the gateway chooses a target, with an example.')).toBe(true);
});

test.each(secrets)('the secret %j becomes %s, wherever it stands', (secret, replacement) => {
  expect(redactText(secret)).toEqual({ text: replacement, count: 1 });
  expect(redactText(`token = "${secret}";`)).toEqual({ text: `token = "${replacement}";`, count: 1 });
  expect(redactText(`line\\n${secret}`)).toEqual({ text: `line\\n${replacement}`, count: 1 });
  expect(redactText(`(${secret})`)).toEqual({ text: `(${replacement})`, count: 1 });
});

test('of an AWS secret that is assigned to its name, the name stays', () => {
  const secret = key('', 40, 'aB/+3');

  expect(redactText(`AWS_SECRET_ACCESS_KEY=${secret}\naws_secret_key: '${secret}'`)).toEqual({
    text: "AWS_SECRET_ACCESS_KEY=[AWS_SECRET_REDACTED]\naws_secret_key: '[AWS_SECRET_REDACTED]'",
    count: 2,
  });
  expect(redactText(`{"SecretAccessKey": "${secret}"} {\\"secretAccessKey\\":\\"${secret}\\"}`)).toEqual({
    text: '{"SecretAccessKey": "[AWS_SECRET_REDACTED]"} {\\"secretAccessKey\\":\\"[AWS_SECRET_REDACTED]\\"}',
    count: 2,
  });
});

const harmless = [
  'A plain sentence about a task-list, a risk-assessment and a secret.',
  'task-or-something-with-a-really-long-kebab-name',
  'AKIA is the prefix of AWS keys, AIza of Google keys and ghp_ of GitHub tokens.',
  key('AKIA', 17, 'A3B'),
  'process.env.npm_package_config_registry_default_value',
  'eyJhbGciOiJIUzI1NiJ9 is only the first part',
  key('x', 40),
  `const HEAD = '${pem('', 'BEGIN')}';\nconst FOOT = '${pem('', 'END')}';`,
  `${pem('RSA ', 'BEGIN')} is the first line of a key, and what follows is base64`,
  `-----BEGIN PUBLIC KEY-----\n${LINE}\n-----END PUBLIC KEY-----`,
  '',
];

test.each(harmless)('the text %j is left as it is', (text) => {
  expect(redactText(text)).toEqual({ text, count: 0 });
});

const cutKeys: [kind: string, text: string, redacted: string][] = [
  [
    'as a list of strings in code',
    `["${pem('RSA ', 'BEGIN')}","${LINE}","aB3=","${pem('RSA ', 'END')}"].join("\\n")`,
    `["${pem('RSA ', 'BEGIN')}","${PRIVATE_KEY}","${PRIVATE_KEY}","${pem('RSA ', 'END')}"].join("\\n")`,
  ],
  [
    'cut off behind its settings',
    `a\n${pem('RSA ', 'BEGIN')}\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,0A1B\n\n${LINE}\n${LINE}`,
    `a\n${PRIVATE_KEY}`,
  ],
  [
    'of PGP, cut off behind its version',
    `-----BEGIN PGP PRIVATE KEY BLOCK-----\nVersion: GnuPG v2\n\n${LINE}\n`,
    `${PRIVATE_KEY}\n`,
  ],
  [
    'with line numbers and names of files',
    `id.pem:1:${pem('', 'BEGIN')}\nid.pem-2-${LINE}\nid.pem-3-${LINE}\n--\nb.ts:1:x`,
    `id.pem:1:${PRIVATE_KEY}\n--\nb.ts:1:x`,
  ],
  ['without its first lines', `see\n${LINE}\n${LINE}\naB3x==\n${pem('EC ', 'END')}\nb`, `see\n${PRIVATE_KEY}\nb`],
  [
    'in base64',
    `client-key-data: ${btoa(`${pem('EC ', 'BEGIN')}\n${LINE}\n${pem('EC ', 'END')}\n`)}\nuser: a`,
    `client-key-data: ${PRIVATE_KEY}\nuser: a`,
  ],
  [
    'in base64 of several lines',
    `${btoa(`${pem('', 'BEGIN')}\n${LINE}\n${LINE}\n${LINE}`).replaceAll(/.{76}/g, '$&\n')}\nafter`,
    `${PRIVATE_KEY}\nafter`,
  ],
  [
    'of PuTTY',
    `Public-Lines: 1\n${LINE}\nPrivate-Lines: 2\n${LINE}\naB3x==\nPrivate-MAC: 12`,
    `Public-Lines: 1\n${LINE}\nPrivate-Lines: 2${PRIVATE_KEY}\nPrivate-MAC: 12`,
  ],
];

test.each(cutKeys)('a private key %s is taken out', (_kind, text, redacted) => {
  expect(redactText(text)).toEqual({ text: redacted, count: 1 });
});

test('a certificate in base64 is no private key', () => {
  const text = btoa(`-----BEGIN CERTIFICATE-----\n${LINE}\n-----END CERTIFICATE-----`);

  expect(redactText(text)).toEqual({ text, count: 0 });
});

test('a private key in base64 is taken out of a line that goes on behind it', () => {
  const encoded = btoa(`-----BEGIN ${''}PRIVATE KEY-----\n${'aB3xY/7+'.repeat(8)}\n`);

  expect(redactText(`"key": "${encoded}", "next": "${encoded}", "last": 1`)).toEqual({
    text: '"key": "[PRIVATE_KEY_REDACTED]", "next": "[PRIVATE_KEY_REDACTED]", "last": 1',
    count: 2,
  });
});

test('two private keys are two blocks, and the text between them stays', () => {
  expect(redactText(`a\n${PEM}\nb\n${PEM}\nc`)).toEqual({ text: `a\n${PRIVATE_KEY}\nb\n${PRIVATE_KEY}\nc`, count: 2 });
});

const secret = fc.constantFrom(...secrets.map(([text]) => text));
const piece = fc.oneof(fc.string(), fc.constantFrom('sk-', 'eyJ', pem('', 'BEGIN'), pem('', 'END'), 'AKIA', 'xoxb-'));

test('what was redacted holds nothing more to redact, and no secret that stood apart in the text', () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(piece, secret), { maxLength: 8 }), (pieces) => {
      const once = redactText(pieces.join(' '));

      expect(redactText(once.text)).toEqual({ text: once.text, count: 0 });
      for (const [whole] of secrets) expect(once.text).not.toContain(whole);
    }),
    { seed: 1, numRuns: 200 },
  );
});

test('JSON is still JSON, with the same keys, after it was redacted as text', () => {
  const value = fc.dictionary(fc.constantFrom('a', 'b', 'c'), fc.array(fc.oneof(piece, secret), { maxLength: 4 }));

  fc.assert(
    fc.property(value, (object) => {
      const redacted = JSON.parse(redactText(JSON.stringify(object)).text) as Record<string, string[]>;

      expect(Object.keys(redacted)).toEqual(Object.keys(object));
      for (const name of Object.keys(object)) expect(redacted[name]).toHaveLength(object[name]!.length);
    }),
    { seed: 1, numRuns: 300 },
  );
});

test('a third of a megabyte of what only looks like the start of secrets are read to their end', () => {
  const starts = ['eyJ', 'eyJaaaaaaaaaaaa.', 'sk-', 'sk-or-', pem('', 'BEGIN'), 'secret_access_key=', 'xox'];

  for (const start of starts) {
    const text = start.repeat(333_333 / start.length);
    expect(redactText(text).text.length).toBeLessThanOrEqual(text.length);
  }
});

test.each(['eyJ', 'sk-or-', 'xoxb-', 'glpat-'])('a megabyte of %s without a break are read to their end', (start) => {
  const text = start.repeat(1_000_000 / start.length);

  expect(redactText(text).text.length).toBeLessThanOrEqual(text.length);
});

test('the password of an address and the token of an authorization header are taken out', () => {
  expect(
    redactText('postgres://ann:hunter2secret@db/work and "Authorization": "Bearer abcdefghijklmnopqrstuvwxyz"').text,
  ).toBe('postgres://ann:[PASSWORD_REDACTED]@db/work and "Authorization": "Bearer [TOKEN_REDACTED]"');
  expect(redactText('https://example.com:8080/path?a=b@c and http://[::1]:80/').count).toBe(0);
});

test('a secret is found wherever it stands in a long text, and the work is done in turns', () => {
  const token = key('ghp_', 36);
  const turns = redactTextInTurns(' '.repeat(300_000));
  let count = 0;
  while (turns.next().done !== true) count++;

  expect(count).toBe(4);
  for (const before of [0, 1, 65_500, 65_530, 65_535, 65_536, 65_537, 131_072])
    expect(redactText(`${' '.repeat(before)}${token} and ${token}`)).toEqual({
      text: `${' '.repeat(before)}[GITHUB_TOKEN_REDACTED] and [GITHUB_TOKEN_REDACTED]`,
      count: 2,
    });
});

test('what a tool was given or answered also loses what is assigned to a name in quotes, as JSON in JSON too', () => {
  const said = 'password = "hunter2!x"';

  expect(redactText(said).count).toBe(0);
  expect(redactToolText(said)).toEqual({ text: 'password = "[PASSWORD_REDACTED]"', count: 1 });
  expect(redactToolText(JSON.stringify({ said })).text).toBe(
    JSON.stringify({ said: 'password = "[PASSWORD_REDACTED]"' }),
  );
});

const assigned = fc.constantFrom(
  'password = "hunter2!x"',
  "db_password: 'S3cure#Horse'",
  'DB_PASSWORD=tr0ub4dor',
  'export db_pw="tr0ub4dor"',
  'curl -u ann:tr0ub4dor',
  'mysql -ptr0ub4dor',
  '--password tr0ub4dor',
  'X-Api-Key: f3Kq9ZtLw2Xb7Rm4Vc8N',
  '<password>tr0ub4dor</password>',
  '<add key="Password" value="tr0ub4dor"/>',
  'Server=db;Password=tr0ub4dor;',
  'host=db user=ann password=correcthorse',
  'postgres://ann:hunter2secret@db',
  "DB_PASSWORD='",
  "password='",
  '${PW:-tr0ub4dor}',
  'Cookie: sid=f3Kq9ZtLw2Xb7Rm4Vc8N',
  'password: tr0ub4dor#1',
  '_auth=YW5uOnRyMHViNGRvcg==',
);

test('whatever is assigned, JSON is still JSON with the same keys, at any depth', () => {
  const text = fc.array(fc.oneof(fc.string(), assigned, fc.constantFrom('"', "'", '\\', '\n', ' ')), { maxLength: 6 });

  fc.assert(
    fc.property(text, fc.integer({ min: 1, max: 3 }), (pieces, depth) => {
      let json = JSON.stringify({ a: pieces.join(''), b: pieces });
      for (let level = 1; level < depth; level++) json = JSON.stringify({ inner: json });
      for (const redact of [redactText, redactToolText]) {
        let redacted: unknown = JSON.parse(redact(json).text);
        for (let level = 1; level < depth; level++) redacted = JSON.parse((redacted as { inner: string }).inner);

        expect(redacted).toEqual({ a: expect.any(String) as string, b: expect.any(Array) as string[] });
        expect((redacted as { b: string[] }).b).toHaveLength(pieces.length);
      }
    }),
    { numRuns: 500 },
  );
});
