/** No name is longer; what is longer is data. */
const MOST_LETTERS = 200;

/** What a password is called. `_` stands for what may separate two words of a name. */
export const PASSWORD_NAMES = 'pass_(?:word|wd|phrase|code)|pwd';
/** Too short to be found inside other words: not in bypass, and not in passes. */
export const SHORT_PASSWORD_NAMES = 'pass|pw';
/** What a key is for, where the word alone says too little. */
export const KEY_USES =
  'api|access|secret|private|signing|encryption|decryption|auth|account|master|shared|subscription|hmac|jwt|ssh|deploy';
/** Made to be handed around: pages of a list, and what data is found by. */
export const OPEN_USES =
  'page|next|previous|prev|continuation|sync|cursor|public|publishable|cache|primary|foreign|partition|sort|idempotency';
/** What follows the name of a secret that there are several of, or that was written in another form. */
export const COPIES =
  'prod|production|staging|stage|stg|dev|development|test|qa|uat|live|local|old|new|current|secondary|backup|main|default|value|string|data|plain|plaintext|text|raw|base64|b64|encoded';

/** The names for a place where words are separated in this way. */
export function namesWith(separator: string, names: string): string {
  return names.replaceAll('_', separator);
}

/** The words of a name, whatever its spelling: `clientSecret`, `client_secret` and `CLIENT-SECRET` are the same. */
function wordsOf(name: string): string {
  return name
    .replaceAll(/([a-z0-9])([A-Z])|([A-Z])(?=[A-Z][a-z])/g, '$1$3 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '')
    .join(' ');
}

const COPY = new RegExp(`(?: (?:v?\\d{1,4}|${COPIES}))+$|(?<=[a-z])\\d{1,4}$`);

const PASSWORDS = namesWith(' ?', PASSWORD_NAMES.replace('|pwd', ''));
/** What is never anything but a secret, also at the end of a longer word. */
const SECRET_ENDS = new RegExp(
  `(?:${PASSWORDS}|(?:api|access|secret|private) ?key|(?:access|refresh) ?token|client ?secret)s?$`,
);
/** The same, as words of their own. */
const SECRET_WORDS =
  /(?:^| )(?:secrets?|credentials?|authorization|cookies?|bearer|mnemonic|(?:seed|recovery) phrase|dsn|connection ?strings?|(?:signing|encryption|decryption|master|hmac|jwt|ssh|deploy|account) ?keys?|client key data)$/;
/** What a token or secret is for. */
const SECRET_USE =
  /(?:^| )(?:account|app|auth|authentication|bot|client|consumer|csrf|decryption|deploy|encryption|github|gitlab|hmac|id|jwt|license|login|master|npm|oauth2?|personal|reset|sas|security|service|session|shared|signing|slack|ssh|storage|subscription|user|vault|verification|webhook)s? ?(?:token|secret)s?$/;

/** What may be a password, and is one where it looks like one. */
const MAYBE_PASSWORD = new RegExp(`(?:^| )(?:pwd|${SHORT_PASSWORD_NAMES})$`);
/** What may be a key, and is one where it looks like one. */
const MAYBE_KEY =
  /(?:^| )(?:auth|pat|otp|sig|signature|(?:app|auth|client|consumer|id|license|login|service|session|shared|storage|subscription|user|vault|webhook)s? ?keys?)$|(?:token|secret)s?$/;

/** Named like a secret, and made to be handed around: also counts of a model, and questions about a password. */
const OPEN = new RegExp(
  `(?:^| )(?:${OPEN_USES}) (?:\\w+ )?(?:key|token)s?$|(?:^| )(?:max|min|num|total|input|output|prompt|completion|cached|reasoning|thinking|budget) (?:\\w+ )?tokens?$|(?:^| )(?:has|is|needs|requires|show|hide|forgot|confirm|invalid|wrong) (?:\\w+ )?pass ?(?:word|phrase)s?$`,
);

/** Whether a field of this name holds a secret: yes, no, or only where the value looks like one. */
export function judgeName(name: string): Judgement {
  if (name.length > MOST_LETTERS) return 'open';
  let judged = known.get(name);
  if (judged !== undefined) return judged;
  judged = judge(name);
  if (known.size === MOST_KNOWN) known.clear();
  known.set(name, judged);
  return judged;
}

type Judgement = 'secret' | 'maybe' | 'open';

/** The rows of a list have the same fields. */
const known = new Map<string, Judgement>();
const MOST_KNOWN = 1_000;

function judge(name: string): Judgement {
  const whole = wordsOf(name);
  const words = whole.replace(COPY, '');
  if (OPEN.test(words)) return 'open';
  if ([words, whole].some((said) => SECRET_ENDS.test(said) || SECRET_WORDS.test(said) || SECRET_USE.test(said)))
    return 'secret';
  return MAYBE_PASSWORD.test(words) || MAYBE_KEY.test(words) ? 'maybe' : 'open';
}

/** Whether what may be a secret by its name would be a password, which is shorter than a key. */
export function isMaybePassword(name: string): boolean {
  return name.length <= MOST_LETTERS && MAYBE_PASSWORD.test(wordsOf(name).replace(COPY, ''));
}

/** Words that a secret may be called by, also at the end of a longer one. */
const SOUND = new RegExp(
  `(?:^| )(?:\\w*(?:tokens?|secrets?|passw(?:or)?ds?|passphrases?|credentials?)|(?:${KEY_USES}|client|app)?keys?|${SHORT_PASSWORD_NAMES}|pwd|auth\\d?|authorization|bearer|cookies?|pat|sig|signature)(?: |$)|^(?:code|k)$`,
);

/** Whether something of this name may be a secret. For what is only shown to people: rather too much than too little. */
export function soundsSecret(name: string): boolean {
  return name.length > MOST_LETTERS || judgeName(name) !== 'open' || SOUND.test(wordsOf(name));
}
