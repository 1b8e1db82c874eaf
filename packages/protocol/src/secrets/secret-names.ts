/** The words of a name, whatever its spelling: `clientSecret`, `client_secret` and `CLIENT-SECRET` are the same. */
function wordsOf(name: string): string {
  return name
    .replaceAll(/([a-z0-9])([A-Z])|([A-Z])(?=[A-Z][a-z])/g, '$1$3 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '')
    .join(' ');
}

/** What is never anything but a secret, also at the end of a longer word. */
const SECRET_ENDS =
  /(?:pass ?word|pass ?wd|pass ?phrase|api ?key|access ?key|secret ?key|private ?key|access ?token|refresh ?token|client ?secret)s?$/;
/** The same, as words of their own. */
const SECRET_WORDS =
  /(?:^| )(?:pwd|secrets?|credentials?|authorization|cookies?|bearer|mnemonic|(?:seed|recovery) phrase|dsn|connection ?strings?)$/;
/** What something is for, and what it is called then. */
const SECRET_USE =
  /(?:^| )(?:account|app|auth|authentication|bot|client|consumer|csrf|decryption|deploy|encryption|github|gitlab|hmac|id|jwt|license|login|master|npm|oauth2?|personal|reset|sas|security|service|session|shared|signing|slack|ssh|storage|subscription|user|vault|verification|webhook)s? ?(?:key|token|secret)s?$/;

/** What may be a secret, and is one where it looks like one. */
const MAYBE = /(?:^| )(?:tokens?|auth|pass|pw|pat|otp|sig|signature)$/;

/** Named like a secret, and made to be handed around: pages of a list, counts of a model, questions about a password. */
const OPEN =
  /(?:^| )(?:public|publishable|primary|foreign|partition|sort|cache|page|next|previous|continuation|sync|idempotency) (?:\w+ )?(?:key|token)s?$|(?:^| )(?:max|min|num|total|input|output|prompt|completion|cached|reasoning|thinking|budget) (?:\w+ )?tokens?$|(?:^| )(?:has|is|needs|requires|show|hide|forgot|confirm|invalid|wrong) (?:\w+ )?pass ?(?:word|phrase)s?$/;

/** Whether a field of this name holds a secret: yes, no, or only where the value looks like one. */
export function judgeName(name: string): 'secret' | 'maybe' | 'open' {
  const words = wordsOf(name);
  if (OPEN.test(words)) return 'open';
  if (SECRET_ENDS.test(words) || SECRET_WORDS.test(words) || SECRET_USE.test(words)) return 'secret';
  return MAYBE.test(words) ? 'maybe' : 'open';
}

/** Words that a secret may be called by, also at the end of a longer one. */
const SOUND =
  /(?:^| )(?:\w*(?:tokens?|secrets?|passw(?:or)?ds?|passphrases?|credentials?)|(?:api|access|private|secret|auth|master|signing|ssh|deploy|account|client|app)?keys?|pass|pwd|pw|auth\d?|authorization|bearer|cookies?|pat|sig|signature)(?: |$)|^(?:code|k)$/;

/** Whether something of this name may be a secret. For what is only shown to people: rather too much than too little. */
export function soundsSecret(name: string): boolean {
  return SOUND.test(wordsOf(name)) || judgeName(name) !== 'open';
}
