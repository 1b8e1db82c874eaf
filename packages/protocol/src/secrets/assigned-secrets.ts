import { isSecretInAddress, isSecretKey, isSecretPassword } from './looks-secret.ts';
import type { SecretKind } from './secret-kind.ts';

const PASSWORD = String.raw`(?:password|passwd|passphrase|pwd)`;
/** Made to be handed around: pages of a list, and what data is found by. */
const OPEN =
  '(?:page|next|previous|prev|continuation|sync|cursor|public|publishable|cache|primary|foreign|partition|sort|idempotency)';
const KEY = String.raw`(?:secret|(?<!${OPEN}[_-]?)token|credentials?|(?:api|access|secret|private|signing|encryption|auth|account|master|shared)[_-]?key)`;
/** Too short to be found inside other words: not in bypass, and not in passes. */
const SHORT_PASSWORD = String.raw`(?:(?<![A-Za-z])(?:[Pp]ass|PASS|[Pp]w|PW)|(?<=[a-z0-9])(?:Pass|Pw))`;
/** The names of both kinds at the end of a longer one, where upper and lower case are the same. */
const ANY_PASSWORD = String.raw`(?:${PASSWORD}|(?<![a-z])(?:pass|pw))`;
/** Between a name and its value: the end of a quoted or indexed name, perhaps a type, and a sign. */
const IS = String.raw`(?:(?:\\{0,3}["'\x60])?\]?(?:\[\d{0,4}\])?[^\S\n]{0,8}(?:={1,3}|:=|=>|:[^\S\n]{0,4}&?[A-Za-z_]\w{0,30}\??[^\S\n]{0,4}=|:)|\\{0,3}["'\x60][^\S\n]{0,4},|\()[^\S\n]{0,8}`;
/** The same for what is often the name of a function. */
const IS_NOT_CALLED = String.raw`(?!\()${IS}`;
/** The brackets are those of a value that is written in them. */
const LITERAL = String.raw`(?:\(\s{0,40})?[bru@]?(?<quote>\\{0,3}["'\x60])(?<secret>(?:(?!\k<quote>)(?:[^\\\n]|\\.)){6,512})\k<quote>`;
const BARE = String.raw`(?<secret>[^\s"'\x60,;(){}<>[\]$#\\][^\s"'\x60,;(){}<>[\]\\]{5,511})`;
/** The same where everything but a space belongs to the value, unless a sign at its beginning means something. */
const BARE_SETTING = String.raw`(?<secret>[^\s"'\x60#&*!|>[{]\S{5,511})`;

/** The same on a command line, where other signs begin something else. */
const ARGUMENT = String.raw`["']?(?<secret>[^\s"'\x60$<>{}[\]()|,;\\-][^\s"'\x60\\]{5,511})`;
/** The rest of a command, as far as that is looked at; its lines may go on after a backslash. */
const COMMAND = String.raw`(?:[^\n;|&]|(?<=\\)\n){0,300}?[^\S\n]`;

const passwordHints = ['assw', 'ASSW', 'assphrase', 'ASSPHRASE', 'pwd', 'Pwd', 'PWD'];
const shortPasswordHints = ['pass', 'Pass', 'PASS', 'pw', 'Pw', 'PW'];
const keyHints = ['ecret', 'ECRET', 'oken', 'OKEN', 'redential', 'REDENTIAL', 'key', 'Key', 'KEY'];

/** How the name of a variable ends. */
const PASSWORD_VARIABLE = '(?:PASSWORD|PASSWD|PASSPHRASE|PWD|(?<![A-Za-z])(?:PASS|PW))';
const KEY_VARIABLE = `(?:SECRET|(?<!${OPEN.toUpperCase()}_?)TOKEN|CREDENTIALS?|(?<!${OPEN.toUpperCase()})_KEY)`;
/** What stands before the end of a name. */
const DECLARED = String.raw`(?<![A-Za-z0-9_])(?:export|declare|ENV|ARG)[^\S\n]{1,8}\w{0,60}?`;
const ENV = String.raw`(?<![A-Za-z0-9_])ENV[^\S\n]{1,8}\w{0,60}?`;
const OPTION = String.raw`(?<![\w-])--[\w-]{0,40}?`;
const NAMED = String.raw`(?:key|name)=["'][\w.:-]{0,60}?`;
const VALUED = String.raw`["'][^\S\n]{1,8}value=["'](?<secret>[^"'\n<\\]{6,512})["']`;

/** Behind a hint: the rest of a name, a sign and the longest value, every character of which may be escaped. */
const REACH = 1_500;

const password = (pattern: RegExp, hints = passwordHints): SecretKind => ({
  hints,
  pattern,
  reach: REACH,
  mark: '[PASSWORD_REDACTED]',
  isSecret: isSecretPassword,
});
const key = (pattern: RegExp, hints = keyHints): SecretKind => ({
  hints,
  pattern,
  reach: REACH,
  mark: '[SECRET_REDACTED]',
  isSecret: isSecretKey,
});

/** As code and data assign them: `password = "…"`, `"clientSecret": "…"`. Known by the name, and then by the look. */
export const QUOTED_SECRETS: readonly SecretKind[] = [
  password(new RegExp(PASSWORD + IS + LITERAL, 'dgi')),
  password(new RegExp(SHORT_PASSWORD + IS_NOT_CALLED + LITERAL, 'dg'), shortPasswordHints),
  key(new RegExp(KEY + IS + LITERAL, 'dgi')),
];

/** As shells, settings and addresses assign them. */
export const ASSIGNED_SECRETS: readonly SecretKind[] = [
  // ADMIN_PASSWORD=…
  password(new RegExp(String.raw`${PASSWORD_VARIABLE}=${BARE}`, 'dg'), shortPasswordHints),
  password(new RegExp(String.raw`${PASSWORD_VARIABLE}=${LITERAL}`, 'dg'), shortPasswordHints),
  key(new RegExp(`${KEY_VARIABLE}=${BARE}`, 'dg')),
  key(new RegExp(`${KEY_VARIABLE}=${LITERAL}`, 'dg')),
  // export db_password=… and, in a Dockerfile, ENV DB_PASSWORD …
  password(new RegExp(String.raw`${DECLARED}${ANY_PASSWORD}=${BARE}`, 'dgi'), ['export ', 'declare ', 'ENV ', 'ARG ']),
  key(new RegExp(String.raw`${DECLARED}${KEY}=${BARE}`, 'dgi'), ['export ', 'declare ', 'ENV ', 'ARG ']),
  password(new RegExp(String.raw`${DECLARED}${ANY_PASSWORD}=${LITERAL}`, 'dgi'), [
    'export ',
    'declare ',
    'ENV ',
    'ARG ',
  ]),
  key(new RegExp(String.raw`${DECLARED}${KEY}=${LITERAL}`, 'dgi'), ['export ', 'declare ', 'ENV ', 'ARG ']),
  password(new RegExp(String.raw`${ENV}${ANY_PASSWORD}[^\S\n]{1,8}["']?${BARE}`, 'dgi'), ['ENV ']),
  key(new RegExp(String.raw`${ENV}${KEY}[^\S\n]{1,8}["']?${BARE}`, 'dgi'), ['ENV ']),
  // --password=…, --api-key …
  password(new RegExp(String.raw`${OPTION}${ANY_PASSWORD}(?:=|[^\S\n]{1,4})${ARGUMENT}`, 'dgi'), ['--']),
  key(new RegExp(String.raw`${OPTION}${KEY}(?:=|[^\S\n]{1,4})${ARGUMENT}`, 'dgi'), ['--']),
  // PRIVATE-TOKEN: …
  key(
    new RegExp(
      String.raw`(?<![\w-])(?:private|job|deploy|x(?:-[a-z]{1,20}){0,4}?)-(?:token|key|secret):[^\S\n]{0,4}(?<secret>[\w.~+/=-]{16,512})`,
      'dgi',
    ),
    ['-TOKEN:', '-Token:', '-token:', '-KEY:', '-Key:', '-key:', '-SECRET:', '-Secret:', '-secret:'],
  ),
  // <add key="Password" value="…"/>
  password(new RegExp(String.raw`${NAMED}${ANY_PASSWORD}${VALUED}`, 'dgi'), ['value=']),
  key(new RegExp(String.raw`${NAMED}${KEY}${VALUED}`, 'dgi'), ['value=']),
  // <password>…</password>
  password(new RegExp(`${PASSWORD}>(?<secret>[^\\s<>"\\\\]{6,512})(?=</)`, 'dgi')),
  key(new RegExp(`${KEY}>(?<secret>[^\\s<>"\\\\]{6,512})(?=</)`, 'dgi')),
  // Server=…;Password=…;
  password(
    new RegExp(
      String.raw`[;"'\x60>][^\S\n]?${PASSWORD}[^\S\n]?=[^\S\n]?(?<secret>[^\s;"'\x60<\\()]{6,128})(?=[;"'\x60<\n\\]|$)`,
      'dgi',
    ),
  ),
  // The same beside what else such a text names, and host=… user=… password=…: whatever it looks like.
  {
    hints: passwordHints,
    pattern: new RegExp(
      String.raw`(?<![\w.-])(?:server|data source|host|user ?id|uid|user|username|database|initial catalog|dbname|port)[^\S\n]?=[^\s;,)"'\x60=]{1,60}(?:;[^\S\n]?|[^\S\n])(?:[\w ]{1,20}=[^\s;,)"'\x60=]{0,40}(?:;[^\S\n]?|[^\S\n])){0,2}?${PASSWORD}[^\S\n]?=(?<secret>[^\s;,"'\x60<\\$({[][^\s;,"'\x60<\\(){[]{2,127})`,
      'dgi',
    ),
    reach: REACH,
    mark: '[PASSWORD_REDACTED]',
    isSecret: isSecretInAddress,
  },
  {
    hints: ['curl'],
    pattern: new RegExp(
      String.raw`curl${COMMAND}(?:-[A-Za-z]{0,6}u|--(?:proxy-)?user)[^\S\n=]{0,4}=?["']?[^\s:"'\x60]{0,64}:(?<secret>[^\s"'\x60$<{%[\\][^\s"'\x60\\]{2,127})`,
      'dg',
    ),
    reach: REACH,
    mark: '[PASSWORD_REDACTED]',
    isSecret: isSecretInAddress,
  },
  {
    hints: ['mysql', 'mariadb'],
    // Compilers have options of the same letter.
    pattern: new RegExp(
      String.raw`(?:mysql|mariadb)${COMMAND}-p(?!thread|ipe|edantic)["']?(?<secret>(?=[^\s"'\x60]{0,126}[A-Za-z])[^\s"'\x60$<{[\\][^\s"'\x60\\]{3,127})`,
      'dg',
    ),
    reach: REACH,
    mark: '[PASSWORD_REDACTED]',
    isSecret: isSecretInAddress,
  },
];

/** Where a line is a name and a value, a value without quotes is a literal and not the name of a variable. */
export const SETTINGS_FILE =
  /(?:^|\/)\.env(?:\.[^/]*)?$|\.(?:env|ya?ml|ini|properties|cfg|conf|toml|tfvars)$|(?:^|\/)\.npmrc$/i;
export const SECRETS_OF_SETTINGS: readonly SecretKind[] = [
  password(new RegExp(`${ANY_PASSWORD}[^\\S\\n]{0,4}[:=][^\\S\\n]{0,4}${BARE_SETTING}`, 'dgi'), shortPasswordHints),
  key(new RegExp(`${KEY}[^\\S\\n]{0,4}[:=][^\\S\\n]{0,4}${BARE_SETTING}`, 'dgi')),
];
