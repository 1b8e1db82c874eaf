import type { Rule, RuleLanguage } from '../rule.ts';

const MODIFIERS = String.raw`(?:(?:private|protected|override|final|implicit|lazy|sealed|abstract|case|inline|transparent|opaque|open|infix|package)(?:\[\w+\])?[ \t]+){0,8}`;
const declares = (pattern: string) => new RegExp(MODIFIERS + pattern, 'y');
const WORDS =
  'private protected override final implicit lazy sealed abstract case inline transparent opaque open infix package ';
const NAME = String.raw`[A-Za-z_$][\w$]*|${'`'}[^${'`'}\n]+${'`'}`;
const METHOD: Omit<Rule, 'kind'> = {
  words: `${WORDS}def`,
  pattern: declares(String.raw`def[ \t]+(?!this\b)(${NAME}|[-+*/%<>=!&|^~?:#@\\]{1,6})`),
};

export const scala: RuleLanguage = {
  lexis: {
    lineComments: ['//'],
    blockComments: ['/*'],
    nestedComments: true,
    double: 'triple',
    single: 'character',
  },
  blocks: 'braces',
  endsWithLine: true,
  hasIndentedBlocks: true,
  annotations: /(?:@[\w.]+(?:\([^)\n]{0,200}\))?[ \t]+){1,6}/y,
  continuedBy: new Set(['extends', 'with', 'derives']),
  rules: [
    { ...METHOD, kind: 'method', in: ['type'] },
    { ...METHOD, words: 'def private inline', kind: 'function' },
    // Overridden in a value made on the spot.
    { ...METHOD, kind: 'method' },
    { words: `${WORDS}class`, pattern: declares(String.raw`class[ \t]+(${NAME})`), kind: 'class' },
    { words: `${WORDS}trait`, pattern: declares(String.raw`trait[ \t]+(${NAME})`), kind: 'interface' },
    { words: `${WORDS}object`, pattern: declares(String.raw`object[ \t]+(${NAME})`), kind: 'class' },
    { words: `${WORDS}enum`, pattern: declares(String.raw`enum[ \t]+(${NAME})`), kind: 'enum' },
    {
      words: `${WORDS}type`,
      pattern: declares(String.raw`type[ \t]+(${NAME})`),
      kind: 'type',
      in: ['file', 'type'],
      body: 'value',
    },
    {
      words: `${WORDS}given`,
      pattern: declares(String.raw`given[ \t]+(\w+)[ \t]*(?:\[[^\n]{0,200}\][ \t]*)?(?=[:(]|as\b)`),
      kind: 'constant',
      opens: 'type',
    },
    {
      words: `${WORDS}val var`,
      pattern: declares(String.raw`(?:val|var)[ \t]+(${NAME})[ \t]*(?=[:=])`),
      kind: 'constant',
      in: ['file', 'type'],
      body: 'value',
      opens: 'code',
    },
    {
      words: 'extension',
      pattern: /extension\b(?=[ \t]*(?:\[[^\n]{0,200}\][ \t]*)?\([^:\n]{0,100}:[ \t]*(\w+))/y,
      opens: 'type',
    },
  ],
};
