import { isSecretInAddress, isSecretKey, isSecretPassword } from './looks-secret.ts';
import { redactKeyBlocks } from './redact-key-blocks.ts';

interface SecretRule {
  /** Without one of these in the text the pattern cannot match. Looking for them is much faster than the pattern is. */
  hints: string[];
  pattern: RegExp;
  /** Stands for the whole match, or for the group named `secret`. */
  mark: string;
  /** What the group named `secret` must look like, where its surroundings do not say enough. */
  isSecret?: (secret: string) => boolean;
}

/** Where a word starts, also after a line break or tab that stands in a string as an escape. */
const START = String.raw`(?:(?<![A-Za-z0-9_])|(?<=\\[nrt]))`;
/** The same for words with hyphens. A pattern that could start anywhere inside a long word would read it over and over. */
const HYPHENATED_START = String.raw`(?:(?<![A-Za-z0-9_-])|(?<=\\[nrt]))`;

const word = (source: string) => new RegExp(`${START}(?:${source})`, 'g');

/** Known by their look alone. */
const TOKENS: SecretRule[] = [
  {
    hints: ['sk-'],
    pattern: word('sk-(?:(?:proj|svcacct|admin|None|ant|or)-[A-Za-z0-9_-]{20,}|[A-Za-z0-9]{20,})'),
    mark: '[API_KEY_REDACTED]',
  },
  { hints: ['AKIA', 'ASIA'], pattern: word('A[KS]IA[A-Z0-9]{16}(?![A-Za-z0-9])'), mark: '[AWS_KEY_REDACTED]' },
  {
    hints: ['ecret', 'ECRET'],
    pattern:
      /(?:aws[_-]?secret[_-]?(?:access[_-]?)?key|secret[_-]?access[_-]?key)\\?["']?[^\S\n]{0,8}[:=][^\S\n]{0,8}\\?["']?(?<secret>[A-Za-z0-9/+]{40})(?![A-Za-z0-9/+=])/dgi,
    mark: '[AWS_SECRET_REDACTED]',
  },
  { hints: ['AIza'], pattern: word('AIza[A-Za-z0-9_-]{35}(?![A-Za-z0-9_-])'), mark: '[GOOGLE_KEY_REDACTED]' },
  {
    hints: ['ya29.', 'GOCSPX-'],
    pattern: word(String.raw`ya29\.[\w-]{20,}|GOCSPX-[\w-]{20,}`),
    mark: '[GOOGLE_KEY_REDACTED]',
  },
  {
    hints: ['ghp_', 'gho_', 'ghu_', 'ghs_', 'ghr_', 'github_pat_'],
    pattern: word('gh[pousr]_[A-Za-z0-9]{36,}|github_pat_[A-Za-z0-9_]{22,}'),
    mark: '[GITHUB_TOKEN_REDACTED]',
  },
  {
    hints: ['glpat-', 'gldt-', 'glrt-', 'glptt-'],
    // Newer ones have two short parts after dots.
    pattern: word(String.raw`gl(?:pat|dt|rt|ptt)-[A-Za-z0-9_-]{20,}(?:\.[a-z0-9]{2}\.[a-z0-9]{9})?`),
    mark: '[GITLAB_TOKEN_REDACTED]',
  },
  { hints: ['xox', 'xapp-'], pattern: word('(?:xox[a-z]|xapp)-[A-Za-z0-9-]{10,}'), mark: '[SLACK_TOKEN_REDACTED]' },
  {
    hints: ['hooks.slack.com'],
    pattern: /hooks\.slack\.com\/services\/(?<secret>T\w{6,16}\/B\w{6,16}\/\w{16,40})/dg,
    mark: '[SLACK_TOKEN_REDACTED]',
  },
  {
    hints: ['k_live_', 'k_test_', 'whsec_'],
    pattern: word('[sr]k_(?:live|test)_[A-Za-z0-9]{16,}|whsec_[A-Za-z0-9+/=]{24,}'),
    mark: '[STRIPE_KEY_REDACTED]',
  },
  { hints: ['npm_'], pattern: word('npm_[A-Za-z0-9]{36,}'), mark: '[NPM_TOKEN_REDACTED]' },
  { hints: ['hf_'], pattern: word('hf_[A-Za-z0-9]{34,}'), mark: '[API_KEY_REDACTED]' },
  { hints: ['SG.'], pattern: word(String.raw`SG\.[\w-]{16,32}\.[\w-]{32,64}`), mark: '[API_KEY_REDACTED]' },
  { hints: ['DGM_'], pattern: word('DGM_[A-Z2-7]{40}'), mark: '[DRAGOMAN_TOKEN_REDACTED]' },
  {
    hints: [':AA'],
    pattern: word('[0-9]{8,12}:AA[A-Za-z0-9_-]{33}(?![A-Za-z0-9_-])'),
    mark: '[TELEGRAM_TOKEN_REDACTED]',
  },
  {
    hints: ['eyJ'],
    pattern: new RegExp(
      String.raw`${HYPHENATED_START}eyJ[A-Za-z0-9_-]{10,}\.eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}`,
      'g',
    ),
    mark: '[JWT_REDACTED]',
  },
];

const PASSWORD = String.raw`(?:password|passwd|passphrase|pwd)`;
const KEY = String.raw`(?:secret|token|credentials?|(?:api|access|secret|private|signing|encryption|auth|account|master|shared)[_-]?key)`;
/** Too short to be found inside other words: not in bypass, and not in passes. */
const SHORT_PASSWORD = String.raw`(?:(?<![A-Za-z])(?:[Pp]ass|PASS|[Pp]w|PW)|(?<=[a-z0-9])(?:Pass|Pw))`;
/** The names of both kinds at the end of a longer one, where upper and lower case are the same. */
const ANY_PASSWORD = String.raw`(?:${PASSWORD}|(?<![a-z])(?:pass|pw))`;
/** Between a name and its value: the end of a quoted or indexed name, perhaps a type, and a sign. */
const IS = String.raw`(?:["'\x60]?\]?(?:\[\d{0,4}\])?[^\S\n]{0,8}(?:={1,3}|:=|=>|:[^\S\n]{0,4}&?[A-Za-z_]\w{0,30}\??[^\S\n]{0,4}=|:)|["'\x60][^\S\n]{0,4},|\()[^\S\n]{0,8}`;
/** The same for what is often the name of a function. */
const IS_NOT_CALLED = String.raw`(?!\()${IS}`;
/** The brackets are those of a value that is written in them. */
const LITERAL = String.raw`(?:\(\s{0,40})?[bru@]?(?<quote>["'\x60])(?<secret>(?:(?!\k<quote>)[^\\\n]|\\.){6,512})\k<quote>`;
const BARE = String.raw`(?<secret>[^\s"'\x60,;(){}<>[\]$#][^\s"'\x60,;(){}<>[\]]{5,511})`;
/** The same where everything but a space belongs to the value, unless a sign at its beginning means something. */
const BARE_SETTING = String.raw`(?<secret>[^\s"'\x60#&*!|>[{]\S{5,511})`;

/** The same on a command line, where other signs begin something else. */
const ARGUMENT = String.raw`["']?(?<secret>[^\s"'\x60$<>{}[\]()|,;-][^\s"'\x60]{5,511})`;
/** The rest of a command, as far as that is looked at; its lines may go on after a backslash. */
const COMMAND = String.raw`(?:[^\n;|&]|(?<=\\)\n){0,300}?[^\S\n]`;

const passwordHints = ['assw', 'ASSW', 'assphrase', 'ASSPHRASE', 'pwd', 'Pwd', 'PWD'];
const shortPasswordHints = ['pass', 'Pass', 'PASS', 'pw', 'Pw', 'PW'];
const keyHints = ['ecret', 'ECRET', 'oken', 'OKEN', 'redential', 'REDENTIAL', 'key', 'Key', 'KEY'];

/** What stands before the end of a name. */
const DECLARED = String.raw`(?<![A-Za-z0-9_])(?:export|declare|ENV|ARG)[^\S\n]{1,8}\w{0,60}?`;
const ENV = String.raw`(?<![A-Za-z0-9_])ENV[^\S\n]{1,8}\w{0,60}?`;
const OPTION = String.raw`(?<![\w-])--[\w-]{0,40}?`;
const NAMED = String.raw`(?:key|name)=["'][\w.:-]{0,60}?`;
const VALUED = String.raw`["'][^\S\n]{1,8}value=["'](?<secret>[^"'\n<]{6,512})["']`;

const password = (pattern: RegExp, hints = passwordHints): SecretRule => ({
  hints,
  pattern,
  mark: '[PASSWORD_REDACTED]',
  isSecret: isSecretPassword,
});
const key = (pattern: RegExp, hints = keyHints): SecretRule => ({
  hints,
  pattern,
  mark: '[SECRET_REDACTED]',
  isSecret: isSecretKey,
});

/** Known by the name they are given to, and then by their look. */
const ASSIGNMENTS: SecretRule[] = [
  password(new RegExp(PASSWORD + IS + LITERAL, 'dgi')),
  password(new RegExp(SHORT_PASSWORD + IS_NOT_CALLED + LITERAL, 'dg'), shortPasswordHints),
  key(new RegExp(KEY + IS + LITERAL, 'dgi')),
  // As in a shell: ADMIN_PASSWORD=…
  password(
    new RegExp(String.raw`(?:PASSWORD|PASSWD|PASSPHRASE|PWD|(?<![A-Za-z])(?:PASS|PW))=${BARE}`, 'dg'),
    shortPasswordHints,
  ),
  key(new RegExp(`(?:SECRET|TOKEN|CREDENTIALS?|_KEY)=${BARE}`, 'dg')),
  // export db_password=… and, in a Dockerfile, ENV DB_PASSWORD …
  password(new RegExp(String.raw`${DECLARED}${ANY_PASSWORD}=${BARE}`, 'dgi'), ['export ', 'declare ', 'ENV ', 'ARG ']),
  key(new RegExp(String.raw`${DECLARED}${KEY}=${BARE}`, 'dgi'), ['export ', 'declare ', 'ENV ', 'ARG ']),
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
  // AccountName=…;AccountKey=…;
  key(/(?:Account|SharedAccess)Key=(?<secret>[A-Za-z0-9+/]{20,512}={0,2})/dg, ['AccountKey=', 'AccessKey=']),
  // <password>…</password>
  password(new RegExp(`${PASSWORD}>(?<secret>[^\\s<>]{6,512})(?=</)`, 'dgi')),
  key(new RegExp(`${KEY}>(?<secret>[^\\s<>]{6,512})(?=</)`, 'dgi')),
  // Server=…;Password=…;
  password(
    new RegExp(
      String.raw`[;"'\x60>][^\S\n]?${PASSWORD}[^\S\n]?=[^\S\n]?(?<secret>[^\s;"'\x60<]{6,128})(?=[;"'\x60<\n]|$)`,
      'dgi',
    ),
  ),
  {
    hints: ['curl'],
    pattern: new RegExp(
      String.raw`curl${COMMAND}(?:-[A-Za-z]{0,6}u|--(?:proxy-)?user)[^\S\n=]{0,4}=?["']?[^\s:"'\x60]{0,64}:(?<secret>[^\s"'\x60$<{%[][^\s"'\x60]{2,127})`,
      'dg',
    ),
    mark: '[PASSWORD_REDACTED]',
    isSecret: isSecretInAddress,
  },
  {
    hints: ['mysql', 'mariadb'],
    // Compilers have options of the same letter.
    pattern: new RegExp(
      String.raw`(?:mysql|mariadb)${COMMAND}-p(?!thread|ipe|edantic)["']?(?<secret>(?=[^\s"'\x60]{0,126}[A-Za-z])[^\s"'\x60$<{[][^\s"'\x60]{3,127})`,
      'dg',
    ),
    mark: '[PASSWORD_REDACTED]',
    isSecret: isSecretInAddress,
  },
  {
    hints: ['://'],
    // The password of an address, unless it is filled in from somewhere.
    pattern: /:\/\/[^\s/:@'"]{0,64}:(?<secret>[^\s/:@'"${}<>%[\]][^\s/:@'"]{2,127})(?=@)/dg,
    mark: '[PASSWORD_REDACTED]',
    isSecret: isSecretInAddress,
  },
  {
    hints: ['earer ', 'asic '],
    pattern:
      /authorization["']?[^\S\n]{0,4}[:=,][^\S\n]{0,4}["']?(?:bearer|basic) (?<secret>[A-Za-z0-9._~+/-]{16,512}={0,2})/dgi,
    mark: '[TOKEN_REDACTED]',
  },
];

/** Where a line is a name and a value, a value without quotes is a literal and not the name of a variable. */
const SETTINGS_FILE =
  /(?:^|\/)\.env(?:\.[^/]*)?$|\.(?:env|ya?ml|ini|properties|cfg|conf|toml|tfvars)$|(?:^|\/)\.npmrc$/i;
const SETTINGS: SecretRule[] = [
  password(new RegExp(`${ANY_PASSWORD}[^\\S\\n]{0,4}[:=][^\\S\\n]{0,4}${BARE_SETTING}`, 'dgi'), shortPasswordHints),
  key(new RegExp(`${KEY}[^\\S\\n]{0,4}[:=][^\\S\\n]{0,4}${BARE_SETTING}`, 'dgi')),
];

/**
 * The text of a file without what looks like a secret, line for line.
 *
 * What is shown of a file goes to a model, and with it to whoever serves that model. Names, quotes and the rest of a
 * line stay, so that the code still reads; so do values that only stand for a secret. Takes time in proportion to the
 * length, whatever the text.
 */
export function redactSecrets(text: string, path = ''): string {
  let redacted = redactKeyBlocks(text);
  /** Many rules look for the same hints. */
  const found = new Map<string, boolean>();
  const has = (hint: string) => {
    let is = found.get(hint);
    if (is === undefined) found.set(hint, (is = redacted.includes(hint)));
    return is;
  };
  for (const rules of SETTINGS_FILE.test(path) ? [TOKENS, ASSIGNMENTS, SETTINGS] : [TOKENS, ASSIGNMENTS])
    for (const rule of rules) {
      if (!rule.hints.some(has)) continue;
      const before = redacted;
      redacted = applyRule(before, rule);
      if (redacted !== before) found.clear();
    }
  return redacted;
}

function applyRule(text: string, { pattern, mark, isSecret }: SecretRule): string {
  let redacted = '';
  let at = 0;
  for (const match of text.matchAll(pattern)) {
    const [start, end] = match.indices?.groups?.['secret'] ?? [match.index, match.index + match[0].length];
    if (isSecret !== undefined && !isSecret(text.slice(start, end))) continue;
    redacted += text.slice(at, start) + mark;
    at = end;
  }
  return redacted + text.slice(at);
}
