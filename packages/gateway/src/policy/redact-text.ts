import { redactPrivateKeys } from './redact-private-keys.ts';

interface SecretRule {
  /** Without one of these in the text the pattern cannot match. Looking for them is much faster than the pattern is. */
  hints: string[];
  pattern: RegExp;
  replacement: string;
}

/** Where a word starts, also after a line break or tab that stands in the text as an escape, as in JSON. */
const START = String.raw`(?:(?<![A-Za-z0-9_])|(?<=\\[nrt]))`;
/** The same for words with hyphens. A pattern that could start anywhere inside a long word would read it over and over. */
const HYPHENATED_START = String.raw`(?:(?<![A-Za-z0-9_-])|(?<=\\[nrt]))`;

/** No part is looked at further than 8,192 characters: a pattern without an end fails on megabytes that fit it. */
const RULES: SecretRule[] = [
  {
    hints: ['sk-'],
    pattern: new RegExp(`${START}sk-(?:proj|svcacct|admin|None|ant|or)-[A-Za-z0-9_-]{20,8192}`, 'g'),
    replacement: '[API_KEY_REDACTED]',
  },
  { hints: ['sk-'], pattern: /sk-[a-zA-Z0-9]{20,8192}/g, replacement: '[API_KEY_REDACTED]' },
  {
    hints: ['AKIA', 'ASIA'],
    pattern: new RegExp(`${START}A[KS]IA[A-Z0-9]{16}(?![A-Za-z0-9])`, 'g'),
    replacement: '[AWS_KEY_REDACTED]',
  },
  {
    hints: ['ecret', 'ECRET'],
    pattern:
      /((?:aws[_-]?secret[_-]?(?:access[_-]?)?key|secret[_-]?access[_-]?key)\\?["']?\s{0,8}[:=]\s{0,8}\\?["']?)[A-Za-z0-9/+]{40}(?![A-Za-z0-9/+=])/gi,
    replacement: '$1[AWS_SECRET_REDACTED]',
  },
  {
    hints: ['AIza'],
    pattern: new RegExp(`${START}AIza[A-Za-z0-9_-]{35}(?![A-Za-z0-9_-])`, 'g'),
    replacement: '[GOOGLE_KEY_REDACTED]',
  },
  {
    hints: ['ghp_', 'gho_', 'ghu_', 'ghs_', 'ghr_', 'github_pat_'],
    pattern: new RegExp(`${START}(?:gh[pousr]_[A-Za-z0-9]{36,8192}|github_pat_[A-Za-z0-9_]{22,8192})`, 'g'),
    replacement: '[GITHUB_TOKEN_REDACTED]',
  },
  {
    hints: ['xox', 'xapp-'],
    pattern: new RegExp(`${START}(?:xox[a-z]|xapp)-[A-Za-z0-9-]{10,8192}`, 'g'),
    replacement: '[SLACK_TOKEN_REDACTED]',
  },
  {
    hints: ['glpat-'],
    // Newer ones have two short parts after dots.
    pattern: new RegExp(String.raw`${START}glpat-[A-Za-z0-9_-]{20,8192}(?:\.[a-z0-9]{2}\.[a-z0-9]{9})?`, 'g'),
    replacement: '[GITLAB_TOKEN_REDACTED]',
  },
  {
    hints: ['k_live_', 'k_test_'],
    pattern: new RegExp(`${START}[sr]k_(?:live|test)_[A-Za-z0-9]{16,8192}`, 'g'),
    replacement: '[STRIPE_KEY_REDACTED]',
  },
  {
    hints: ['npm_'],
    pattern: new RegExp(`${START}npm_[A-Za-z0-9]{36,8192}`, 'g'),
    replacement: '[NPM_TOKEN_REDACTED]',
  },
  {
    hints: ['://'],
    // The password of an address with user and password.
    pattern: /(:\/\/[^\s/:@'"]{1,64}:)[^\s/:@'"]{3,128}(?=@)/g,
    replacement: '$1[PASSWORD_REDACTED]',
  },
  {
    hints: ['earer '],
    pattern: /(authorization["']?\s{0,4}[:=]\s{0,4}["']?bearer )[A-Za-z0-9._~+/-]{16,200}=*/gi,
    replacement: '$1[TOKEN_REDACTED]',
  },
  {
    hints: ['eyJ'],
    pattern: new RegExp(
      String.raw`${HYPHENATED_START}eyJ[A-Za-z0-9_-]{10,8192}\.eyJ[A-Za-z0-9_-]{10,8192}\.[A-Za-z0-9_-]{10,8192}`,
      'g',
    ),
    replacement: '[JWT_REDACTED]',
  },
];

/**
 * The text without the secrets that are known by their look, and how many there were.
 *
 * The same text always gives the same result, so a prompt that grows turn by turn keeps its beginning, and with it the
 * provider's cache. Takes time in proportion to the length, whatever the text. Inside JSON the result is still JSON.
 */
export function redactText(text: string): { text: string; count: number } {
  let redacted = redactPrivateKeys(text);
  for (const { hints, pattern, replacement } of RULES) {
    if (!hints.some((hint) => redacted.text.includes(hint))) continue;
    const matches = redacted.text.match(pattern);
    if (matches === null) continue;
    redacted = { text: redacted.text.replace(pattern, replacement), count: redacted.count + matches.length };
  }
  return redacted;
}
