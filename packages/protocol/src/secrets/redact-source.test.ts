import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { redactSource, redactSourceLine } from './redact-source.ts';
import { toEnd } from './turns.ts';

// Put together here, so that no scanner takes this file for a leak.
const key = (prefix: string, length: number, alphabet = 'aB3') =>
  prefix + alphabet.repeat(Math.ceil(length / alphabet.length)).slice(0, length);
const pem = (kind: string, edge: string) => `-----${edge} ${kind}PRIVATE KEY-----`;
const LINE = key('', 64, 'aB3xY/7+');
const RANDOM = 'f3Kq9ZtLw2Xb7Rm4Vc8N';

const tokens: [secret: string, mark: string][] = [
  [key('sk-', 48), '[API_KEY_REDACTED]'],
  [key('sk-proj-', 100, 'aB-_3'), '[API_KEY_REDACTED]'],
  [key('sk-ant-api03-', 90, 'aB-_3'), '[API_KEY_REDACTED]'],
  [key('AKIA', 16, 'A3B'), '[AWS_KEY_REDACTED]'],
  [key('AIza', 35, 'aB-_3'), '[GOOGLE_KEY_REDACTED]'],
  [key('ya29.', 60, 'aB-_3'), '[GOOGLE_KEY_REDACTED]'],
  [key('ghp_', 36), '[GITHUB_TOKEN_REDACTED]'],
  [key('github_pat_', 82, 'aB_3'), '[GITHUB_TOKEN_REDACTED]'],
  [key('glpat-', 20, 'aB-_3'), '[GITLAB_TOKEN_REDACTED]'],
  [`${key('glpat-', 27)}.01.${key('', 9, 'a0')}`, '[GITLAB_TOKEN_REDACTED]'],
  [key('xoxb-', 50, '12-aB'), '[SLACK_TOKEN_REDACTED]'],
  [key('sk_live_', 24), '[STRIPE_KEY_REDACTED]'],
  [key('whsec_', 32), '[STRIPE_KEY_REDACTED]'],
  [key('npm_', 36), '[NPM_TOKEN_REDACTED]'],
  [key('hf_', 34), '[API_KEY_REDACTED]'],
  [key('DGM_', 40, 'AB2'), '[DRAGOMAN_TOKEN_REDACTED]'],
  [key('123456789:AA', 33, 'aB-_3'), '[TELEGRAM_TOKEN_REDACTED]'],
  [`${key('eyJ', 30)}.${key('eyJ', 60)}.${key('', 43, 'aB-_3')}`, '[JWT_REDACTED]'],
];

test.each(tokens)('the secret %j becomes %s, and the rest of its line stays', (secret, mark) => {
  expect(redactSource(secret)).toBe(mark);
  expect(redactSource(`a();\n  const token = "${secret}"; // why\nb();\n`)).toBe(
    `a();\n  const token = "${mark}"; // why\nb();\n`,
  );
  expect(redactSource(`curl -H 'X: ${secret}'\\n${secret}`)).toBe(`curl -H 'X: ${mark}'\\n${mark}`);
});

describe('a private key', () => {
  test('loses its lines one by one, so that every line keeps its number', () => {
    const text = `before\n${pem('RSA ', 'BEGIN')}\nProc-Type: 4,ENCRYPTED\n\n${LINE}\n${LINE}\naB3x==\n${pem('RSA ', 'END')}\nafter\n`;

    expect(redactSource(text)).toBe(`before
${pem('RSA ', 'BEGIN')}
Proc-Type: 4,ENCRYPTED

[PRIVATE_KEY_REDACTED]
[PRIVATE_KEY_REDACTED]
[PRIVATE_KEY_REDACTED]
${pem('RSA ', 'END')}
after
`);
  });

  test('is found in strings of code, on one line or put together from several', () => {
    const one = `KEY="${pem('', 'BEGIN')}\\n${LINE}\\n${LINE}\\n${pem('', 'END')}\\n"`;
    const several = `  "${pem('EC ', 'BEGIN')}\\n" +\n  "${LINE}\\n" +\n  "aB3x==\\n" +\n  "${pem('EC ', 'END')}";`;

    expect(redactSource(one)).toBe(`KEY="${pem('', 'BEGIN')}[PRIVATE_KEY_REDACTED]${pem('', 'END')}\\n"`);
    expect(redactSource(several)).toBe(
      `  "${pem('EC ', 'BEGIN')}\\n" +\n  "[PRIVATE_KEY_REDACTED]" +\n  "[PRIVATE_KEY_REDACTED]" +\n  "${pem('EC ', 'END')}";`,
    );
  });

  test('that is cut off is masked as far as it goes, and one that is only mentioned is no key', () => {
    const mention = `const HEAD = '${pem('', 'BEGIN')}';\nconst FOOT = '${pem('', 'END')}';`;

    expect(redactSource(`${pem('', 'BEGIN')}\n${LINE}\n${LINE}`)).toBe(
      `${pem('', 'BEGIN')}\n[PRIVATE_KEY_REDACTED]\n[PRIVATE_KEY_REDACTED]`,
    );
    expect(redactSource(mention)).toBe(mention);
    expect(redactSource(`-----BEGIN PUBLIC KEY-----\n${LINE}\n-----END PUBLIC KEY-----`)).toContain(LINE);
  });
});

test('a line alone is masked where it may be one of a private key, and a checksum stays', () => {
  const checksum = '  "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",';

  expect(toEnd(redactSourceLine(`  "${LINE}\\n" +`))).toBe('  "[PRIVATE_KEY_REDACTED]\\n" +');
  expect(toEnd(redactSourceLine(LINE))).toBe('[PRIVATE_KEY_REDACTED]');
  expect(toEnd(redactSourceLine(checksum))).toBe(checksum);
  expect(toEnd(redactSourceLine('password: tr0ub4dor', 'a.yaml'))).toBe('password: [PASSWORD_REDACTED]');
});

test.each([
  ['password = "hunter2!x"', 'password = "[PASSWORD_REDACTED]"'],
  ["db_password: 'S3cure#Horse',", "db_password: '[PASSWORD_REDACTED]',"],
  ['const adminPassword: string = `tr0ub4dor&3`;', 'const adminPassword: string = `[PASSWORD_REDACTED]`;'],
  ['let passwd: &str = "tr0ub4dor&3";', 'let passwd: &str = "[PASSWORD_REDACTED]";'],
  ['char pwd[] = "tr0ub4dor&3";', 'char pwd[] = "[PASSWORD_REDACTED]";'],
  ['pwd := "tr0ub4dor&3"', 'pwd := "[PASSWORD_REDACTED]"'],
  ["$cfg['password'] = 'tr0ub4dor';", "$cfg['password'] = '[PASSWORD_REDACTED]';"],
  ["define('DB_PASSWORD', 'tr0ub4dor');", "define('DB_PASSWORD', '[PASSWORD_REDACTED]');"],
  ['builder.password("tr0ub4dor")', 'builder.password("[PASSWORD_REDACTED]")'],
  ['{"user":"ann","password":"hunter2secret"}', '{"user":"ann","password":"[PASSWORD_REDACTED]"}'],
  ['<password>tr0ub4dor</password>', '<password>[PASSWORD_REDACTED]</password>'],
  ['docker run -e POSTGRES_PASSWORD=tr0ub4dor db', 'docker run -e POSTGRES_PASSWORD=[PASSWORD_REDACTED] db'],
  [`api_key: '${RANDOM}'`, "api_key: '[SECRET_REDACTED]'"],
  [`"clientSecret" => "${RANDOM}",`, '"clientSecret" => "[SECRET_REDACTED]",'],
  [`if (token === '${RANDOM}') return;`, "if (token === '[SECRET_REDACTED]') return;"],
  [`export SESSION_SECRET=${RANDOM}`, 'export SESSION_SECRET=[SECRET_REDACTED]'],
  [`SIGNING_KEY = '9f86d081-884c-4d63-a11f-b2c4e7d0a3f5'`, "SIGNING_KEY = '[SECRET_REDACTED]'"],
  [`aws_secret_access_key=${key('', 40, 'aB/+3')}`, 'aws_secret_access_key=[AWS_SECRET_REDACTED]'],
  ['postgres://ann:hunter2secret@db/work', 'postgres://ann:[PASSWORD_REDACTED]@db/work'],
  ['Server=db;User Id=sa;Password=correcthorse;', 'Server=db;User Id=sa;Password=[PASSWORD_REDACTED];'],
  ['host=db user=ann password=correcthorse', 'host=db user=ann password=[PASSWORD_REDACTED]'],
  ['"Server=db;User Id=sa;Password=tr0ub4dor;"', '"Server=db;User Id=sa;Password=[PASSWORD_REDACTED];"'],
  [`'Authorization': 'Bearer ${RANDOM}'`, "'Authorization': 'Bearer [TOKEN_REDACTED]'"],
  ['DB_PASS=tr0ub4dor', 'DB_PASS=[PASSWORD_REDACTED]'],
  ['POSTGRES_PASSWORD=tr0ub$4dor#1', 'POSTGRES_PASSWORD=[PASSWORD_REDACTED]'],
  ['db_pass = "tr0ub4dor"', 'db_pass = "[PASSWORD_REDACTED]"'],
  ['const smtpPass = "tr0ub4dor";', 'const smtpPass = "[PASSWORD_REDACTED]";'],
  ['connect(user="ann", pass="tr0ub4dor")', 'connect(user="ann", pass="[PASSWORD_REDACTED]")'],
  ['{"pass":"tr0ub4dor"}', '{"pass":"[PASSWORD_REDACTED]"}'],
  ['pw = "tr0ub4dor"', 'pw = "[PASSWORD_REDACTED]"'],
  ['export db_password=tr0ub4dor', 'export db_password=[PASSWORD_REDACTED]'],
  [`export github_token=${RANDOM}`, 'export github_token=[SECRET_REDACTED]'],
  ['ENV POSTGRES_PASSWORD tr0ub4dor', 'ENV POSTGRES_PASSWORD [PASSWORD_REDACTED]'],
  [`ENV API_TOKEN "${RANDOM}"`, 'ENV API_TOKEN "[SECRET_REDACTED]"'],
  ['redis://:tr0ub4dor@cache:6379/0', 'redis://:[PASSWORD_REDACTED]@cache:6379/0'],
  [
    `AccountName=a;AccountKey=${key('', 86, 'aB3xY/7+qZ')}==;EndpointSuffix=b`,
    'AccountName=a;AccountKey=[SECRET_REDACTED];EndpointSuffix=b',
  ],
  ['<cs>Server=db;Password=tr0ub4dor</cs>', '<cs>Server=db;Password=[PASSWORD_REDACTED]</cs>'],
  ['Server=db;Password=tr0ub4dor', 'Server=db;Password=[PASSWORD_REDACTED]'],
  ['"Password=tr0ub4dor;Server=db"', '"Password=[PASSWORD_REDACTED];Server=db"'],
  ['<add key="Password" value="tr0ub4dor"/>', '<add key="Password" value="[PASSWORD_REDACTED]"/>'],
  [`<add key="Api.Token" value='${RANDOM}' />`, `<add key="Api.Token" value='[SECRET_REDACTED]' />`],
  [`token = ("${RANDOM}")`, 'token = ("[SECRET_REDACTED]")'],
  [`token = (\n    "${RANDOM}"\n)`, 'token = (\n    "[SECRET_REDACTED]"\n)'],
  ['curl -u ann:correcthorse https://a.b', 'curl -u ann:[PASSWORD_REDACTED] https://a.b'],
  ['curl -s \\\n  --user "ann:tr0ub4dor" https://a.b', 'curl -s \\\n  --user "ann:[PASSWORD_REDACTED]" https://a.b'],
  ['mysqldump -h db -uroot -ptr0ub4dor work', 'mysqldump -h db -uroot -p[PASSWORD_REDACTED] work'],
  ['tool --password tr0ub4dor -v', 'tool --password [PASSWORD_REDACTED] -v'],
  ["tool --db-password=tr0ub4dor' -v", "tool --db-password=[PASSWORD_REDACTED]' -v"],
  [`tool --token=${RANDOM} -v`, 'tool --token=[SECRET_REDACTED] -v'],
  [`tool --api-key ${RANDOM}`, 'tool --api-key [SECRET_REDACTED]'],
  [`curl --header "PRIVATE-TOKEN: ${RANDOM}" x`, 'curl --header "PRIVATE-TOKEN: [SECRET_REDACTED]" x'],
  [`X-Api-Key: ${RANDOM}`, 'X-Api-Key: [SECRET_REDACTED]'],
  [
    `https://hooks.slack.com/services/T00000000/B00000000/${key('', 24)}`,
    'https://hooks.slack.com/services/[SLACK_TOKEN_REDACTED]',
  ],
])('in %j the value is masked', (line, expected) => {
  expect(redactSource(`${line}\n`)).toBe(`${expected}\n`);
});

test.each([
  'password = request.password',
  'password = "password"',
  "password: 'changeme'",
  'password: "password123"',
  'password: "correct"',
  'const password = `${prefix}-${index}-a1`;',
  "password: process.env['DB_PASSWORD1'],",
  'password: user1.pwd2,',
  'password = hash_sha256(password1)',
  'password: z.string().min(8)',
  '<input type="password" id="password1" name="pwd-field-2">',
  '"password": "Please enter 8 or more characters"',
  'passwordField = "user_password2"',
  'PWD=/home/ann/work2',
  'api_key = "your-api-key-123456789"',
  'token = "xxxxxxxxxxxxxxxxxxxx1"',
  "token: 'refresh-token-rotation-2024'",
  'const accessKey = "settings.access.key.v2"',
  'token := lexer.Token{Kind: 12, Text: "identifier_name_1"}',
  "tokens: ['a1', 'b2', 'c3']",
  'secretName: "projects/my-team/secrets/database-url-v2"',
  'postgres://${user}:${password}@host/db and postgres://{user}:{password}@host',
  'mongodb://username:password@host:1234 and socks5://user:pass@localhost',
  'https://example.com:8080/path?a=b@c and http://[::1]:80/',
  'AKIA is the prefix of AWS keys, AIza of Google keys and ghp_ of GitHub tokens.',
  '.sk-fading-circle-with-a-long-name { color: red }',
  'const sha = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";',
  'key: "e3b0c44298fc1c149afbf4c8996fb924"',
  'token: ${{ secrets.GITHUB_TOKEN }}',
  'def f():\n    pass\nclass A2: pass\n    pass  # b2=1',
  'bypass = "level2-gate"',
  "password: 'secret-2-levels'",
  'def login(self, user=None, password=None, port=1):',
  'find(user=user, password=password).get_uri()',
  `{"nextPageToken":"${RANDOM}","page_token":"${RANDOM}"}`,
  `PUBLIC_KEY=${RANDOM} CACHE_KEY="${RANDOM}"`,
  '"pass": "要素に0より大きいtabindexは存在しません"',
  'compass: "north4east"',
  'passes = "first1,second2"',
  't.pass("works#1now")',
  'pass = render_pass2.begin()',
  'f(pass=args1.pass2, pw=args1.pw2)',
  'pw = "${PW}"',
  'export password=$1',
  'export db_password=$(cat /run/secrets/db1)',
  'export const passwordRules = rules1.min8',
  'ENV PASSWORD_FILE /run/secrets/db1',
  'ENV POSTGRES_PASSWORD ${PASSWORD1}',
  'redis://:${REDIS_PASSWORD1}@cache and redis://:password@cache',
  'AccountKey = settings.storage.accountKey1',
  '<add key="Password" value="changeme"/>',
  '<input name="password" value="{{ form1.value2 }}">',
  'token = (a1, "b")',
  'curl -u user:password https://a.b && curl -u "$USER1:$PASS1" https://a.b',
  'docker run -u 1000:1000 -p3306:3306 mysql && docker run mysql -p3306:3306',
  'gcc -I/usr/include/mysql -pthread -pipe a.c',
  'mysql -uroot -p work2',
  'mysql -p"$MYSQL_PWD1" -p$PW1',
  'tool --password <password1> --token=$TOKEN1 --password "$PW1"',
  'tool --password-file /run/secrets/db1 --token string',
  '--password-stdin1 --no-password --pass-through2',
  'PRIVATE-TOKEN: <your_access_token>',
  'X-Auth-Token: $TOKEN_OF_SERVICE_1234',
  '',
])('%j is code like any other and stays', (line) => {
  for (const path of ['', 'src/a.ts']) expect(redactSource(`${line}\n`, path)).toBe(`${line}\n`);
});

describe('in a file of settings a value needs no quotes', () => {
  const YAML = 'db:\n  password: tr0ub4dor#1  # of the database\n  user: ann2\n  api_key: ';

  test.each(['deploy/values.yaml', 'a.yml', '.env', 'app/.env.local', 'x.ini', 'application.properties', 'b.toml'])(
    '%s',
    (path) => {
      expect(redactSource(`${YAML}${RANDOM}\n`, path)).toBe(
        'db:\n  password: [PASSWORD_REDACTED]  # of the database\n  user: ann2\n  api_key: [SECRET_REDACTED]\n',
      );
    },
  );

  test('also where the name of a password is short', () => {
    expect(redactSource('db_pass: tr0ub4dor\npw=tr0ub4dor\nbypass: tr0ub4dor\n', 'a.yaml')).toBe(
      'db_pass: [PASSWORD_REDACTED]\npw=[PASSWORD_REDACTED]\nbypass: tr0ub4dor\n',
    );
  });

  test('but what is looked up elsewhere stays', () => {
    const text =
      'password: ${DB_PASSWORD1}\npassword: {{ vault_pw1 }}\npassword: !vault |\npassword: *anchor1\npassword: <set-me-1>\npassword: /run/secrets/db1\n';

    expect(redactSource(text, 'a.yaml')).toBe(text);
  });

  test('and in code the same value is a name', () => {
    expect(redactSource('password: tr0ub4dor\n', 'src/a.ts')).toBe('password: tr0ub4dor\n');
  });
});

const SECRETS = [
  ...tokens.map(([secret]) => secret),
  `password = "hunter2!x"`,
  `DB_PASSWORD=tr0ub4dor`,
  'pass="tr0ub4dor"',
  'export db_pw=tr0ub4dor',
  'curl -u ann:tr0ub4dor',
  'mysql -ptr0ub4dor',
  '--password tr0ub4dor',
  `X-Api-Key: ${RANDOM}`,
  `api_key: '${RANDOM}'`,
  `${pem('', 'BEGIN')}\n${LINE}\n${LINE}\n${pem('', 'END')}`,
  'postgres://ann:hunter2secret@db',
];
const piece = fc.oneof(
  fc.string(),
  fc.constantFrom('\n', '"', "'", 'password', 'token=', 'sk-', 'eyJ', ': ', pem('', 'BEGIN'), '\\', '://a:'),
  fc.constantFrom(...SECRETS),
);

test('whatever the text, it keeps its number of lines, and what was redacted holds nothing more to redact', () => {
  fc.assert(
    fc.property(
      fc.array(piece, { maxLength: 12 }),
      fc.constantFrom('', 'a.yaml'),
      fc.constantFrom(' ', '\n'),
      (pieces, path, between) => {
        const text = pieces.join(between);
        const redacted = redactSource(text, path);

        expect(redacted.split('\n').length).toBe(text.split('\n').length);
        expect(redactSource(redacted, path)).toBe(redacted);
      },
    ),
    { seed: 1, numRuns: 1_000 },
  );
});

test('a tenth of a megabyte of what only looks like the start of secrets are read to their end', () => {
  const starts = [
    'eyJ',
    'eyJaaaaaaaaaaaa.',
    'sk-',
    'sk-or-',
    pem('', 'BEGIN'),
    `${pem('', 'BEGIN')}\n${'+'.repeat(500)}`,
    'password',
    'password=',
    'password="',
    'password: a',
    'password: string ',
    ';password=a1',
    'token\\',
    'API_KEY=a',
    '<secret>a1',
    '://a:b',
    '://:b1',
    'pass="',
    'db_pass',
    'pw=',
    'export ',
    'export a_',
    'ENV A_PASSWORD ',
    'AccountKey=',
    'key="password" value="a1',
    'token = ( ',
    'curl ',
    'curl -u a:',
    'curl -u',
    'curl\\\n',
    'mysql -p',
    'mysql ',
    '--password ',
    '--a-',
    '--',
    'PRIVATE-TOKEN: ',
    'X-Token-',
    'authorization: bearer a',
    '    ',
    '["',
    'a-',
  ];

  for (const start of starts) {
    const text = start.repeat(100_000 / start.length);
    for (const path of ['a.ts', 'a.yaml']) expect(redactSource(text, path).length).toBeLessThanOrEqual(text.length * 4);
  }
});
