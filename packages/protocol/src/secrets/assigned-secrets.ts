import { isBareSecret, isEncodedLogin, isSecretInAddress, isSecretKey, isSecretPassword } from './looks-secret.ts';
import { LONGEST_READ, type SecretKind } from './secret-kind.ts';
import { COPIES, KEY_USES, namesWith, OPEN_USES, PASSWORD_NAMES, SHORT_PASSWORD_NAMES } from './secret-names.ts';

const PASSWORD = `(?:${namesWith('[_-]?', PASSWORD_NAMES)})`;
const KEY = String.raw`(?:secret|(?<!(?:${OPEN_USES})[_-]?)token|credentials?|(?:${KEY_USES})[_-]?key)`;
/** `DB_PASSWORD_PROD`, `apiKey2`. */
const COPY = String.raw`(?:[_-]?(?:\d{1,4}|${COPIES})(?![A-Za-z0-9])){0,2}`;
/** Where upper and lower case tell where a word begins. */
const SHORT_PASSWORD = String.raw`(?:(?<![A-Za-z])(?:[Pp]ass|PASS|[Pp]w|PW)|(?<=[a-z0-9])(?:Pass|Pw))`;
/** The names of both kinds at the end of a longer one, where upper and lower case are the same. */
const ANY_PASSWORD = String.raw`(?:${PASSWORD}|(?<![a-z])(?:${SHORT_PASSWORD_NAMES}))`;
const QUOTE = String.raw`\\{0,3}["'\x60]`;
/** Between a name and its value: the end of a quoted or indexed name, perhaps a type, and a sign. */
const IS = String.raw`${COPY}(?:(?:${QUOTE})?[\])]?(?:\[\d{0,4}\])?[^\S\n]{0,8}(?:={1,3}|:=|=>|\|\|=?|\?\?=?|(?<=\s)or\b|:[^\S\n]{0,4}&?[A-Za-z_]\w{0,30}\??[^\S\n]{0,4}=|:)|(?<![\x5b,]\s{0,40}${QUOTE}\w[\w-]{0,40})${QUOTE}[^\S\n]{0,4},|\()[^\S\n]{0,8}`;
/** The same for what is often the name of a function. */
const IS_NOT_CALLED = String.raw`(?!\()${IS}`;
/** The brackets are those of a value that is written in them. What is too long to see its end is read on later. */
const LITERAL = String.raw`(?:\(\s{0,40})?[bru@]?(?<quote>${QUOTE})(?:(?<secret>(?:(?!\k<quote>)(?:[^\\\n]|\\.)){6,${LONGEST_READ - 1}})\k<quote>|(?<long>[^\s"'\x60\\]{${LONGEST_READ}}))`;
const BARE = String.raw`(?<secret>[^\s"'\x60,;(){}<>[\]$#\\][^\s"'\x60,;(){}<>[\]\\]{5,${LONGEST_READ - 1}})`;
/** The same where everything but a space belongs to the value, unless a sign at its beginning means something. */
const BARE_SETTING = String.raw`(?<secret>[^\s"'\x60#&*!|>[{$<][^\s"'\x60]{5,${LONGEST_READ - 1}})`;

/** The same on a command line, where other signs begin something else. */
const ARGUMENT = String.raw`["']?(?<secret>[^\s"'\x60$<>{}[\]()|,;\\-][^\s"'\x60\\]{5,${LONGEST_READ - 1}})`;
/** The rest of a command, as far as that is looked at; its lines may go on after a backslash. */
const COMMAND = String.raw`(?:[^\n;|&]|(?<=\\)\n){0,300}?[^\S\n]`;

const passwordHints =
  'assw assW ASSW assphr assPhr ASSPHR asscode assCode ASSCODE ass_ ASS_ ass- Ass- pwd Pwd PWD'.split(' ');
const shortPasswordHints = ['pass', 'Pass', 'PASS', 'pw', 'Pw', 'PW'];
const keyHints = ['ecret', 'ECRET', 'oken', 'OKEN', 'redential', 'REDENTIAL', 'key', 'Key', 'KEY'];
const declaredHints = ['export ', 'declare ', 'ENV ', 'ARG '];

/** How the name of a variable ends. */
const UPPER_COPY = `(?:_?(?:\\d{1,4}|${COPIES.toUpperCase()})){0,2}`;
const PASSWORD_VARIABLE = `(?:${namesWith('_?', PASSWORD_NAMES.toUpperCase())}|(?<![A-Za-z])(?:${SHORT_PASSWORD_NAMES.toUpperCase()}))${UPPER_COPY}`;
const KEY_VARIABLE = `(?:SECRET|(?<!(?:${OPEN_USES.toUpperCase()})_?)TOKEN|CREDENTIALS?|(?<!(?:${OPEN_USES.toUpperCase()}))_KEY)${UPPER_COPY}`;
/** What stands before the end of a name. */
const DECLARED = String.raw`(?<![A-Za-z0-9_])(?:export|declare|ENV|ARG)[^\S\n]{1,8}\w{0,60}?`;
const ENV = String.raw`(?<![A-Za-z0-9_])ENV[^\S\n]{1,8}\w{0,60}?`;
const OPTION = String.raw`(?<![\w-])--[\w-]{0,40}?`;
const NAMED = String.raw`(?:key|name)=["'][\w.:-]{0,60}?`;
const VALUED = String.raw`["'][^\S\n]{1,8}value=["'](?<secret>[^"'\n<\\]{6,${LONGEST_READ}})["']`;

/** Behind a hint: the rest of a name, a sign and the longest value, every character of which may be escaped. */
const REACH = 1_500;

const password = (pattern: RegExp, hints = passwordHints): SecretKind => ({
  hints,
  pattern,
  reach: REACH,
  mark: '[PASSWORD_REDACTED]',
  isSecret: isSecretPassword,
  mayGoOn: true,
});
const key = (pattern: RegExp, hints = keyHints): SecretKind => ({
  hints,
  pattern,
  reach: REACH,
  mark: '[SECRET_REDACTED]',
  isSecret: isSecretKey,
  mayGoOn: true,
});
/** Known by its place, whatever it looks like. */
const placed = (hints: readonly string[], pattern: RegExp, isSecret = isSecretInAddress): SecretKind => ({
  hints,
  pattern,
  reach: REACH,
  mark: '[PASSWORD_REDACTED]',
  isSecret,
});
/** After an option of a command. */
const argument = (hints: readonly string[], command: string): SecretKind =>
  placed(
    hints,
    new RegExp(String.raw`(?<![\w-])${command}["']?(?<secret>[^\s"'\x60$<{%[\\-][^\s"'\x60\\]{2,127})`, 'dg'),
  );

/** As code and data assign them: `password = "…"`, `"clientSecret": "…"`. Known by the name, and then by the look. */
export const QUOTED_SECRETS: readonly SecretKind[] = [
  password(new RegExp(PASSWORD + IS + LITERAL, 'dgi')),
  password(new RegExp(SHORT_PASSWORD + IS_NOT_CALLED + LITERAL, 'dg'), shortPasswordHints),
  key(new RegExp(KEY + IS + LITERAL, 'dgi')),
  // "name": "DB_PASSWORD", "value": "…"
  password(
    new RegExp(
      String.raw`${ANY_PASSWORD}${COPY}["'],?\s{1,40}["']?value["']?[^\S\n]{0,4}[:=][^\S\n]{0,4}${LITERAL}`,
      'dgi',
    ),
    ['alue'],
  ),
  key(new RegExp(String.raw`${KEY}${COPY}["'],?\s{1,40}["']?value["']?[^\S\n]{0,4}[:=][^\S\n]{0,4}${LITERAL}`, 'dgi'), [
    'alue',
  ]),
  // A login of Docker: "auth": "…", a name and a password in base64.
  {
    hints: ['auth'],
    pattern:
      /(?<![\w-])_?auth\\{0,3}["']?[^\S\n]{0,4}[:=][^\S\n]{0,4}(?:\\{0,3}["'])?(?<secret>[A-Za-z0-9+/]{8,512}={0,2})(?![\w+/=])/dg,
    reach: REACH,
    mark: '[SECRET_REDACTED]',
    isSecret: isEncodedLogin,
  },
  // The private number of a key that is written as JSON.
  {
    hints: ['kty'],
    pattern:
      /["']kty["'](?:(?!["']kty)[^{}]){0,1000}?["'](?:d|k|p|q|dp|dq|qi)["'][^\S\n]{0,4}:[^\S\n]{0,4}["'](?<secret>[\w-]{20,1400})["']/dg,
    reach: 3_000,
    mark: '[PRIVATE_KEY_REDACTED]',
  },
];

/** As shells, settings and addresses assign them. */
export const ASSIGNED_SECRETS: readonly SecretKind[] = [
  // ADMIN_PASSWORD=…
  password(new RegExp(String.raw`${PASSWORD_VARIABLE}=${BARE}`, 'dg'), shortPasswordHints),
  password(new RegExp(String.raw`${PASSWORD_VARIABLE}=${LITERAL}`, 'dg'), shortPasswordHints),
  key(new RegExp(`${KEY_VARIABLE}=${BARE}`, 'dg')),
  key(new RegExp(`${KEY_VARIABLE}=${LITERAL}`, 'dg')),
  // ${ADMIN_PASSWORD:-…}
  password(new RegExp(String.raw`\$\{\w{0,60}?${ANY_PASSWORD}${COPY}:?[-=]${BARE}`, 'dgi'), ['${']),
  key(new RegExp(String.raw`\$\{\w{0,60}?${KEY}${COPY}:?[-=]${BARE}`, 'dgi'), ['${']),
  // export db_password=… and, in a Dockerfile, ENV DB_PASSWORD …
  password(new RegExp(String.raw`${DECLARED}${ANY_PASSWORD}${COPY}=${BARE}`, 'dgi'), declaredHints),
  key(new RegExp(String.raw`${DECLARED}${KEY}${COPY}=${BARE}`, 'dgi'), declaredHints),
  password(new RegExp(String.raw`${DECLARED}${ANY_PASSWORD}${COPY}=${LITERAL}`, 'dgi'), declaredHints),
  key(new RegExp(String.raw`${DECLARED}${KEY}${COPY}=${LITERAL}`, 'dgi'), declaredHints),
  password(new RegExp(String.raw`${ENV}${ANY_PASSWORD}${COPY}[^\S\n]{1,8}["']?${BARE}`, 'dgi'), ['ENV ']),
  key(new RegExp(String.raw`${ENV}${KEY}${COPY}[^\S\n]{1,8}["']?${BARE}`, 'dgi'), ['ENV ']),
  // --password=…, --api-key …
  password(new RegExp(String.raw`${OPTION}${ANY_PASSWORD}(?:=|[^\S\n]{1,4})${ARGUMENT}`, 'dgi'), ['--']),
  key(new RegExp(String.raw`${OPTION}${KEY}(?:=|[^\S\n]{1,4})${ARGUMENT}`, 'dgi'), ['--']),
  // PRIVATE-TOKEN: …, DD-API-KEY: …
  key(
    new RegExp(
      String.raw`(?<![\w-])(?:(?:private|job|deploy|[a-z]{1,20}(?:-[a-z]{1,20}){1,3}|x(?:-[a-z]{1,20}){0,4}?)-(?:token|key|secret)|api-?key):[^\S\n]{0,4}(?<secret>[\w.~+/=-]{16,${LONGEST_READ}})`,
      'dgi',
    ),
    [
      '-TOKEN:',
      '-Token:',
      '-token:',
      '-KEY:',
      '-Key:',
      '-key:',
      '-SECRET:',
      '-Secret:',
      '-secret:',
      'pikey:',
      'piKey:',
    ],
  ),
  // Cookie: sid=…
  key(
    new RegExp(
      String.raw`(?<![\w-])(?:set-)?cookie["']?[^\S\n]{0,4}[:,][^\S\n]{0,4}["']?(?:[\w.-]{1,60}=[^\s;"'\x60]{0,200};[^\S\n]{0,4}){0,6}?[\w.-]{1,60}=(?<secret>[^\s;"'\x60\\]{16,${LONGEST_READ}})`,
      'dgi',
    ),
    ['ookie', 'OOKIE'],
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
  placed(
    passwordHints,
    new RegExp(
      String.raw`(?<![\w.-])(?:server|data source|host|user ?id|uid|user|username|database|initial catalog|dbname|port)[^\S\n]?=[^\s;,)"'\x60=]{1,60}(?:;[^\S\n]?|[^\S\n])(?:[\w ]{1,20}=[^\s;,)"'\x60=]{0,40}(?:;[^\S\n]?|[^\S\n])){0,2}?${PASSWORD}[^\S\n]?=(?<secret>[^\s;,"'\x60<\\$({[][^\s;,"'\x60<\\(){[]{2,127})`,
      'dgi',
    ),
  ),
  // .netrc: machine … login … password …, or only the end of that.
  placed(
    ['machine ', 'default '],
    /(?:machine[^\S\n]{1,8}[\w.:-]{1,100}|default)\s{1,40}(?:login[^\S\n]{1,8}[^\s"'`]{1,100}\s{1,40})?password[^\S\n]{1,8}(?<secret>[^\s"'`\\]{3,200})/dg,
  ),
  placed(
    ['login '],
    /(?<![\w-])login[^\S\n]{1,8}[^\s"'`]{1,100}\s{1,40}password[^\S\n]{1,8}(?<secret>[^\s"'`\\]{6,200})/dg,
    isBareSecret(isSecretPassword),
  ),
  // Commands. Compilers have options of the same letter as mysql.
  argument(
    ['curl'],
    String.raw`curl${COMMAND}(?:-[A-Za-z]{0,6}u|--(?:proxy-)?user)[^\S\n=]{0,4}=?["']?[^\s:"'\x60]{0,64}:`,
  ),
  argument(
    ['http ', 'https '],
    String.raw`https?(?=[^\S\n])${COMMAND}(?:-a|--auth)[^\S\n=]{0,4}=?["']?[^\s:"'\x60]{1,64}:`,
  ),
  argument(['sshpass'], String.raw`sshpass[^\S\n]{1,4}-p[^\S\n]{0,4}`),
  argument(
    ['login'],
    String.raw`(?:docker|podman|helm registry|az|oras|nerdctl|skopeo|buildah)[^\S\n]{1,4}login${COMMAND}-p[^\S\n]{1,4}`,
  ),
  argument(['redis-cli'], String.raw`redis-cli${COMMAND}(?:-a|--pass)[^\S\n]{1,4}`),
  placed(
    ['mysql', 'mariadb'],
    new RegExp(
      String.raw`(?:mysql|mariadb)${COMMAND}-p(?!thread|ipe|edantic)["']?(?<secret>(?=[^\s"'\x60]{0,126}[A-Za-z])[^\s"'\x60$<{[\\][^\s"'\x60\\]{3,127})`,
      'dg',
    ),
  ),
];

/** Before a name that begins a line: its number or the mark of a diff, the file it is from, and the mark of a list. */
const LINE_START = String.raw`(?<=^|\n|\\n)(?:[^\S\n]{0,12}\d{1,7}[\t:|→-]|[\w./-]{1,100}[:-]\d{1,7}[:-])?[+> -]{0,3}[^\S\n]{0,60}(?:-[^\S\n]{1,4}|export[^\S\n]{1,4})?[\w.:/@-]{0,100}?`;
const LINE_END = String.raw`(?=[^\S\n]{0,20}(?:#[^\n]{0,200})?(?:\r?\n|\\r|\\n|$))`;

const LINE_VALUE = String.raw`(?:${BARE_SETTING}${LINE_END}|(?<long>[^\s"'\x60#&*!|>[{$<][^\s"'\x60]{${LONGEST_READ - 1}}))`;

/** Where a whole line is a name and a value, the value needs no quotes, unless it may be the name of something else. */
export const SETTING_LINES: readonly SecretKind[] = [
  {
    ...password(
      new RegExp(`${LINE_START}${ANY_PASSWORD}${COPY}["']?[^\\S\\n]{0,4}[:=][^\\S\\n]{0,4}${LINE_VALUE}`, 'dgi'),
      shortPasswordHints,
    ),
    isSecret: isBareSecret(isSecretPassword),
  },
  {
    ...key(new RegExp(`${LINE_START}${KEY}${COPY}["']?[^\\S\\n]{0,4}[:=][^\\S\\n]{0,4}${LINE_VALUE}`, 'dgi')),
    isSecret: isBareSecret(isSecretKey),
  },
  // - name: DB_PASSWORD, and in the next line value: …
  {
    ...password(
      new RegExp(
        String.raw`name:[^\S\n]{1,4}["']?[\w.-]{0,60}?${ANY_PASSWORD}${COPY}["']?[^\S\n]{0,8}\n[^\S\n]{0,60}value:[^\S\n]{1,4}["']?${BARE_SETTING}`,
        'dgi',
      ),
      ['alue:'],
    ),
    isSecret: isSecretPassword,
  },
  key(
    new RegExp(
      String.raw`name:[^\S\n]{1,4}["']?[\w.-]{0,60}?${KEY}${COPY}["']?[^\S\n]{0,8}\n[^\S\n]{0,60}value:[^\S\n]{1,4}["']?${BARE_SETTING}`,
      'dgi',
    ),
    ['alue:'],
  ),
];

/** Where a line is a name and a value, a value without quotes is a literal and not the name of a variable. */
export const SETTINGS_FILE =
  /(?:^|\/)\.env(?:\.[^/]*)?$|\.(?:env|ya?ml|ini|properties|cfg|conf|toml|tfvars)$|(?:^|\/)\.npmrc$/i;
export const SECRETS_OF_SETTINGS: readonly SecretKind[] = [
  password(
    new RegExp(`${ANY_PASSWORD}${COPY}[^\\S\\n]{0,4}[:=][^\\S\\n]{0,4}${BARE_SETTING}`, 'dgi'),
    shortPasswordHints,
  ),
  key(new RegExp(`${KEY}${COPY}[^\\S\\n]{0,4}[:=][^\\S\\n]{0,4}${BARE_SETTING}`, 'dgi')),
  ...SETTING_LINES,
];
