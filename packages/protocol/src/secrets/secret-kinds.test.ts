import { expect, test } from 'vitest';
import { redactText, redactToolText } from './redact-text.ts';
import { TOKEN_PREFIXES } from './secret-tokens.ts';

// Put together here, so that no scanner takes this file for a leak.
const key = (length: number, alphabet = 'aB3') => alphabet.repeat(Math.ceil(length / alphabet.length)).slice(0, length);
const RANDOM = 'f3Kq9ZtLw2Xb7Rm4Vc8N';
const LONG_KEY = key(900, RANDOM);
const HEX = key(40, '0a1b2c3d4e5f');
const UUID = '9f86d081-884c-4d63-a11f-b2c4e7d0a3f5';

/** What follows a beginning, where it is not forty letters and digits. */
const RESTS: Record<string, string> = {
  'fc-': HEX.slice(0, 32),
  'SG.': `${key(22)}.${key(43)}`,
  'key-': HEX.slice(0, 32),
  re_: `${key(8)}_${key(24)}`,
  'xkeysib-': `${key(64, 'a0')}-${key(16)}`,
  'xsmtpsib-': `${key(64, 'a0')}-${key(16)}`,
  ABSK: key(120),
  AKIA: key(16, 'A3B'),
  ASIA: key(16, 'A3B'),
  AIza: key(35),
  'ya29.': `c.${key(60)}`,
  xox: `b-${key(40)}`,
  DGM_: key(40, 'AB2'),
  'FlyV1 fm': `2_${key(60)}`,
  dapi: HEX.slice(0, 32),
  LTAI: key(20),
  secret_: key(43),
  'PMAK-': `${key(24, 'a0')}-${key(34, 'a0')}`,
  ATBB: key(32),
  glsa_: `${key(32)}_${key(8, 'a0')}`,
  'NRAK-': key(27, 'A3B'),
  shpat_: HEX.slice(0, 32),
  shpca_: HEX.slice(0, 32),
  shppa_: HEX.slice(0, 32),
  shpss_: HEX.slice(0, 32),
  SK: HEX.slice(0, 32),
  'tskey-': `auth-${key(12)}-${key(32)}`,
  lsv2_pt_: `${HEX.slice(0, 32)}_${HEX.slice(0, 10)}`,
  lsv2_sk_: `${HEX.slice(0, 32)}_${HEX.slice(0, 10)}`,
  'pat-na': `1-${UUID}`,
  'pat-eu': `1-${UUID}`,
  'AGE-SECRET-KEY-1': key(58, 'A3B'),
  rubygems_: key(48, 'a0'),
  'sq0atp-': key(22),
  'sq0csp-': key(43),
};
const LONG = [
  'pypi-AgEI',
  'pypi-AgEN',
  'AKCp',
  'ATATT3x',
  'ATCTT3x',
  'ops_eyJ',
  'doo_v1_',
  'dop_v1_',
  'dor_v1_',
  'sntryu_',
];

test.each(TOKEN_PREFIXES)('what begins with %s is a token, wherever it stands', (prefix) => {
  const secret = prefix + (RESTS[prefix] ?? (LONG.includes(prefix) ? key(64, '0a1b2c') : HEX));
  for (const before of [
    '',
    ' ',
    '=',
    '"',
    '\n',
    '\\n',
    '%3D',
    '\\u0027',
    '\\u003d',
    '\u001B[32m',
    '\\u001b[1;31m',
    '(',
    ':',
  ]) {
    const { text, count } = redactText(`${before}${secret}`);

    expect(text).toMatch(/^[^]{0,12}\[[A-Z_]+_REDACTED\]$/);
    expect(text.startsWith(before)).toBe(true);
    expect(count).toBe(1);
  }
});

const placed: [text: string, redacted: string][] = [
  // Tokens that are known by their place.
  [
    `https://api.telegram.org/bot123456789:AA${key(33)}/getMe`,
    'https://api.telegram.org/bot[TELEGRAM_TOKEN_REDACTED]/getMe',
  ],
  [
    `https://discord.com/api/webhooks/123456789012345678/${key(68)}`,
    'https://discord.com/api/webhooks/123456789012345678/[TOKEN_REDACTED]',
  ],
  [
    `https://discordapp.com/api/v10/webhooks/123456789012345678/${key(68)}`,
    'https://discordapp.com/api/v10/webhooks/123456789012345678/[TOKEN_REDACTED]',
  ],
  [
    `https://open.feishu.cn/open-apis/bot/v2/hook/${UUID}`,
    'https://open.feishu.cn/open-apis/bot/v2/hook/[TOKEN_REDACTED]',
  ],
  [
    `https://open.larksuite.com/open-apis/bot/hook/${UUID}`,
    'https://open.larksuite.com/open-apis/bot/hook/[TOKEN_REDACTED]',
  ],
  [
    `https://a.webhook.office.com/webhookb2/${UUID}@${UUID}/IncomingWebhook/${HEX}/${UUID}`,
    'https://a.webhook.office.com/webhookb2/[TOKEN_REDACTED]',
  ],
  [`${HEX.slice(0, 32)}-us12`, '[API_KEY_REDACTED]'],
  [`${key(14)}.atlasv1.${key(64)}`, '[TOKEN_REDACTED]'],
  [`M${key(23)}.G${key(5)}.${key(30)}`, '[TOKEN_REDACTED]'],
  [`abc8Q~${key(34)}`, '[AZURE_SECRET_REDACTED]'],
  [`SharedAccessKey=${key(43)}=`, 'SharedAccessKey=[SECRET_REDACTED]'],
  // Queries.
  ...[
    'key',
    'api_key',
    'access-token',
    'token',
    'code',
    'x-key',
    'subscription-key',
    'apikey',
    'refresh_token',
    'X-Amz-Security-Token',
    'X-Amz-Signature',
    'session_token',
    'auth_token',
    'id_token',
    'client_secret',
    'SECRET',
    'PASSWORD',
    'passwd',
    'SIG',
    'sig',
    'auth',
  ].map((name): [string, string] => [
    `https://a.b/c?d=e&${name}=${RANDOM}#f`,
    `https://a.b/c?d=e&${name}=[SECRET_REDACTED]#f`,
  ]),
  ...['?', '#', '&amp;', '\\u0026', '%26', '%3F'].map((sign): [string, string] => [
    `https://a.b/c${sign}access_token=${RANDOM}`,
    `https://a.b/c${sign}access_token=[SECRET_REDACTED]`,
  ]),
  // Addresses.
  ['postgres://a:%40dm1n24@db', 'postgres://a:[PASSWORD_REDACTED]@db'],
  ['postgres://a:$ecr-3t@db', 'postgres://a:[PASSWORD_REDACTED]@db'],
  ['postgres://a:ab/cd12@db:5432/x', 'postgres://a:[PASSWORD_REDACTED]@db:5432/x'],
  ['postgres://a:ab:cd12@db', 'postgres://a:[PASSWORD_REDACTED]@db'],
  ['postgres://a:p@ss1x@db/x', 'postgres://a:[PASSWORD_REDACTED]@db/x'],
  [`https://${LONG_KEY.slice(0, 52)}@dev.azure.com/a`, 'https://[TOKEN_REDACTED]@dev.azure.com/a'],
  [
    `https://${LONG_KEY.slice(0, 40)}:x-oauth-basic@github.com/a`,
    'https://[TOKEN_REDACTED]:[PASSWORD_REDACTED]@github.com/a',
  ],
  // Headers.
  [`Authorization: token ${HEX}`, 'Authorization: token [TOKEN_REDACTED]'],
  [`Authorization: ApiKey ${RANDOM}`, 'Authorization: ApiKey [TOKEN_REDACTED]'],
  [`Authorization: Basic ${key(12)}=`, 'Authorization: Basic [TOKEN_REDACTED]'],
  [`AUTHORIZATION: BEARER ${RANDOM}`, 'AUTHORIZATION: BEARER [TOKEN_REDACTED]'],
  [`Proxy-Authorization: ${RANDOM}`, 'Proxy-Authorization: [TOKEN_REDACTED]'],
  [
    `{\\\\\\"authorization\\\\\\": \\\\\\"Bearer ${RANDOM}\\\\\\"}`,
    '{\\\\\\"authorization\\\\\\": \\\\\\"Bearer [TOKEN_REDACTED]\\\\\\"}',
  ],
  ...[
    'api-key',
    'apikey',
    'DD-API-KEY',
    'Ocp-Apim-Subscription-Key',
    'X-Api-Key',
    'PRIVATE-TOKEN',
    'Job-Token',
    'x-vault-token',
  ].map((name): [string, string] => [`-H '${name}: ${RANDOM}'`, `-H '${name}: [SECRET_REDACTED]'`]),
  [`Cookie: theme=dark; sid=${RANDOM}`, 'Cookie: theme=dark; sid=[SECRET_REDACTED]'],
  [`set-cookie: sid=${RANDOM}; Secure`, 'set-cookie: sid=[SECRET_REDACTED]; Secure'],
  // Shells.
  ['${PW:-tr0ub4dor}', '${PW:-[PASSWORD_REDACTED]}'],
  ['${DB_PASSWORD:=tr0ub4dor}', '${DB_PASSWORD:=[PASSWORD_REDACTED]}'],
  [`\${API_KEY-${RANDOM}}`, '${API_KEY-[SECRET_REDACTED]}'],
  ['DB_PASSWORD_PROD=tr0ub4dor', 'DB_PASSWORD_PROD=[PASSWORD_REDACTED]'],
  ['PASSCODE2=tr0ub4dor', 'PASSCODE2=[PASSWORD_REDACTED]'],
  [`API_KEY_2=${RANDOM}`, 'API_KEY_2=[SECRET_REDACTED]'],
  ['machine a.b login ann password correct', 'machine a.b login ann password [PASSWORD_REDACTED]'],
  ['machine a.b\n  login ann\n  password correct', 'machine a.b\n  login ann\n  password [PASSWORD_REDACTED]'],
  ['default login ann password correct', 'default login ann password [PASSWORD_REDACTED]'],
  ['login a password tr0ub4dor', 'login a password [PASSWORD_REDACTED]'],
  ['sshpass -p correct ssh a', 'sshpass -p [PASSWORD_REDACTED] ssh a'],
  ["sshpass -p'correct' ssh a", "sshpass -p'[PASSWORD_REDACTED]' ssh a"],
  ['docker login -u ann -p correct a.b', 'docker login -u ann -p [PASSWORD_REDACTED] a.b'],
  ['podman login -p correct', 'podman login -p [PASSWORD_REDACTED]'],
  ['redis-cli -h db -a correct ping', 'redis-cli -h db -a [PASSWORD_REDACTED] ping'],
  ['redis-cli --pass correct', 'redis-cli --pass [PASSWORD_REDACTED]'],
  ['http -a ann:correct a.b', 'http -a ann:[PASSWORD_REDACTED] a.b'],
  ['https --auth=ann:correct a.b', 'https --auth=ann:[PASSWORD_REDACTED] a.b'],
  ['curl --proxy-user ann:correct a.b', 'curl --proxy-user ann:[PASSWORD_REDACTED] a.b'],
  ['mariadb -pcorrect', 'mariadb -p[PASSWORD_REDACTED]'],
  [`export AWS_SESSION_TOKEN="${LONG_KEY}"`, 'export AWS_SESSION_TOKEN="[SECRET_REDACTED]"'],
  [`export AWS_SESSION_TOKEN=${LONG_KEY.repeat(10)} x`, 'export AWS_SESSION_TOKEN=[SECRET_REDACTED] x'],
  [`AWS_SESSION_TOKEN='${LONG_KEY}'`, "AWS_SESSION_TOKEN='[SECRET_REDACTED]'"],
  // Settings, a line each.
  ['password: tr0ub4dor#1', 'password: [PASSWORD_REDACTED]'],
  ['a: 1\n  password: tr0ub4dor  # why\nb: 2', 'a: 1\n  password: [PASSWORD_REDACTED]  # why\nb: 2'],
  ['spring.datasource.password=Tr0ub4dor9', 'spring.datasource.password=[PASSWORD_REDACTED]'],
  [`aws_session_token = ${LONG_KEY}`, 'aws_session_token = [SECRET_REDACTED]'],
  [`//r/:_authToken=${UUID}`, '//r/:_authToken=[SECRET_REDACTED]'],
  [`api_key=${RANDOM}`, 'api_key=[SECRET_REDACTED]'],
  [`     7\tapi_key: ${RANDOM}`, '     7\tapi_key: [SECRET_REDACTED]'],
  [`    12→api_key: ${RANDOM}`, '    12→api_key: [SECRET_REDACTED]'],
  [`deploy/values.yaml:12:  token: ${RANDOM}`, 'deploy/values.yaml:12:  token: [SECRET_REDACTED]'],
  [
    `+  password: tr0ub4dor\n-  password: tr0ub5dor`,
    '+  password: [PASSWORD_REDACTED]\n-  password: [PASSWORD_REDACTED]',
  ],
  [`- export db_pw=tr0ub4dor`, '- export db_pw=[PASSWORD_REDACTED]'],
  ['- name: DB_PASSWORD\n  value: tr0ub4dor', '- name: DB_PASSWORD\n  value: [PASSWORD_REDACTED]'],
  [`  - name: "API_KEY"\n    value: "${RANDOM}"`, '  - name: "API_KEY"\n    value: "[SECRET_REDACTED]"'],
];

test.each(placed)('in %j the secret is taken out', (text, redacted) => {
  expect(redactText(text).text).toBe(redacted);
  expect(redactToolText(text).text).toBe(redacted);
});

const quoted: [text: string, redacted: string][] = [
  [`process.env.JWT_SECRET || "${RANDOM}"`, 'process.env.JWT_SECRET || "[SECRET_REDACTED]"'],
  [`process.env.JWT_SECRET ?? '${RANDOM}'`, "process.env.JWT_SECRET ?? '[SECRET_REDACTED]'"],
  [`process.env['JWT_SECRET'] || '${RANDOM}'`, "process.env['JWT_SECRET'] || '[SECRET_REDACTED]'"],
  [`os.getenv("JWT_SECRET") or "${RANDOM}"`, 'os.getenv("JWT_SECRET") or "[SECRET_REDACTED]"'],
  [`os.environ.get("JWT_SECRET", "${RANDOM}")`, 'os.environ.get("JWT_SECRET", "[SECRET_REDACTED]")'],
  [`self.password or "tr0ub4dor"`, 'self.password or "[PASSWORD_REDACTED]"'],
  ['password2 = "tr0ub4dor"', 'password2 = "[PASSWORD_REDACTED]"'],
  ['db_password_prod: "tr0ub4dor"', 'db_password_prod: "[PASSWORD_REDACTED]"'],
  ['passcode = "tr0ub4dor"', 'passcode = "[PASSWORD_REDACTED]"'],
  [`spawn("a", ["--password", "tr0ub4dor"]);`, 'spawn("a", ["--password", "[PASSWORD_REDACTED]"]);'],
  [`x { "name": "DB_PASSWORD", "value": "tr0ub4dor" }`, 'x { "name": "DB_PASSWORD", "value": "[PASSWORD_REDACTED]" }'],
  [`x { name: 'API_KEY', value: '${RANDOM}' }`, "x { name: 'API_KEY', value: '[SECRET_REDACTED]' }"],
  [`x "auths": {"a.b": {"auth": "${btoa('ann:tr0ub4dor')}"}}`, 'x "auths": {"a.b": {"auth": "[SECRET_REDACTED]"}}'],
  [`_auth=${btoa('ann:tr0ub4dor')}`, '_auth=[SECRET_REDACTED]'],
  [`x = {"kty":"EC","d":"${key(43)}","x":"y"}`, 'x = {"kty":"EC","d":"[PRIVATE_KEY_REDACTED]","x":"y"}'],
  [`token = "${LONG_KEY}";`, 'token = "[SECRET_REDACTED]";'],
];

test.each(quoted)('of a tool, in %j the secret is taken out', (text, redacted) => {
  expect(redactToolText(text)).toEqual({ text: redacted, count: 1 });
});

test.each([
  'password: tr0ub4dor,',
  'password: hash_sha256(password1)',
  'password: z.string().min(8)',
  'password: user1.pwd2',
  'password = user2password',
  'password: string1',
  'password: ${DB_PASSWORD1}',
  'password: $DB_PASSWORD1',
  'password: <your-password-1>',
  'password: {{ .Values.db1 }}',
  'password: /run/secrets/db1',
  'password: changeme123!',
  'token = tokens[index1].value2',
  'token = prefixOfToken1+suffixOfToken2',
  'token: lexer.nextToken2(),',
  'token: ParserToken2 | undefined',
  'secret: projects/my-team/secrets/database-url-v2',
  'nextPageToken: f3Kq9ZtLw2Xb7Rm4Vc8N',
  'PWD=/home/ann/work2',
  'api_key = 0x1234567890abcdef12',
  '["password","address1"]',
  `["password", "tr0ub4dor"].includes(name)`,
  'const fields = ["user", "password", "address1"];',
  'process.env.JWT_SECRET || ""',
  'process.env.JWT_SECRET || "changeme"',
  'test("password or token1 is refused", () => {})',
  '${PW:-changeme}',
  '${PASSWORD:-$OTHER1}',
  'login with password authentication',
  'The login form: password field2 and so on',
  'docker login -u ann --password-stdin',
  'docker run -p 8080:80 login',
  'redis-cli -a "$REDIS_PW1"',
  'sshpass -e ssh a',
  'https://a.b/c -a d:e1',
  'https://example.com:8080/path?a=b@c and http://localhost:3000/@scope/pkg2',
  'docker://alpine:latest@sha256:abc',
  'webpack://app:./src/@x1/a.ts',
  'https://a.b/c?code=200&key=name&token=none',
  '# token = value',
  'Authorization: Bearer <token>',
  'authorization: config.headers2.authorizationValue',
  'Cookie: theme=dark; lang=en',
  'Content-Security-Policy-Key: default-src',
  'secret_access_for_all_of_the_members_of_the_team_here_now',
  're_export_something_that_is_long_enough_for_it',
  '"auth": "required"',
  'auth=disabled',
  '{ kty: "EC", crv: "P-256" }',
  '- name: DB_PASSWORD\n  valueFrom: secret1',
  'name: password\nvalue: ${A1}',
])('%j is ordinary and stays', (text) => {
  expect(redactText(text)).toEqual({ text, count: 0 });
  expect(redactToolText(text)).toEqual({ text, count: 0 });
});

test('a secret that lies on the edge of a block of text is taken out once', () => {
  const secrets = [`ghp_${key(36)}`, `password: tr0ub4dor`, `https://a:tr0ub4dor@b`, `API_KEY=${LONG_KEY}`];

  for (const secret of secrets)
    for (const before of [64_000, 65_000, 65_500, 65_520, 65_530, 65_536, 65_540, 100_000]) {
      const text = `${'.\n'.repeat(before / 2)}${secret}\n${'.\n'.repeat(50_000)}`;
      const { text: redacted, count } = redactText(text);

      expect(count).toBe(1);
      expect(redacted.length).toBe(text.length - secret.length + redactText(secret).text.length);
    }
});
