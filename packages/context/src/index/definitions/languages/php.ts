import type { Rule, RuleLanguage } from '../rule.ts';

const MODIFIERS = String.raw`(?:(?:abstract|final|public|protected|private|static|readonly|var)[ \t]+){0,5}`;
const declares = (pattern: string) => new RegExp(MODIFIERS + pattern, 'y');
const WORDS = 'abstract final public protected private static readonly ';
const FUNCTION: Omit<Rule, 'kind'> = {
  words: `${WORDS}function`,
  pattern: declares(String.raw`function[ \t]+&?[ \t]*(\w+)`),
};

export const php: RuleLanguage = {
  lexis: {
    lineComments: ['//', '#'],
    blockComments: ['/*'],
    double: 'lines',
    single: 'lines',
    heredoc: 'php',
  },
  blocks: 'braces',
  annotations: /(?:#\[[^\]\n]{0,200}\][ \t]+){1,4}/y,
  rules: [
    { ...FUNCTION, kind: 'method', in: ['type'] },
    { ...FUNCTION, words: 'function', kind: 'function' },
    // Of a class without a name.
    { ...FUNCTION, words: WORDS.trim(), kind: 'method' },
    { words: `${WORDS}class`, pattern: declares(String.raw`class[ \t]+(\w+)`), kind: 'class' },
    { words: 'trait', pattern: /trait[ \t]+(\w+)/y, kind: 'class' },
    { words: 'interface', pattern: /interface[ \t]+(\w+)/y, kind: 'interface' },
    { words: 'enum', pattern: /enum[ \t]+(\w+)/y, kind: 'enum', needsBlock: true },
    {
      words: `${WORDS}const`,
      pattern: declares(String.raw`const[ \t]+(?:\??\w+[ \t]+)?(\w+)[ \t]*=`),
      kind: 'constant',
      in: ['file', 'type'],
      body: 'value',
    },
    { words: 'define', pattern: /define\([ \t]*['"](\w+)['"]/y, kind: 'constant', body: 'value' },
    { words: 'namespace', pattern: /namespace[ \t]+[\w\\]+[ \t]*()(?=\{)/y, opens: 'file' },
  ],
};
