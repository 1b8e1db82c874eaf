import type { RuleLanguage } from '../rule.ts';

const CONTEXT = String.raw`(?:[^\n=]{0,300}=>[ \t]*)?`;

export const haskell: RuleLanguage = {
  lexis: { lineComments: ['--'], blockComments: ['{-'], nestedComments: true, double: 'line', single: 'character' },
  blocks: 'indentation',
  isRepeated: true,
  rules: [
    {
      words: 'data',
      pattern: new RegExp(String.raw`data[ \t]+(?:family[ \t]+)?${CONTEXT}([A-Z][\w']*)`, 'y'),
      kind: 'class',
      isFlush: true,
      opens: 'code',
    },
    {
      words: 'newtype',
      pattern: new RegExp(String.raw`newtype[ \t]+${CONTEXT}([A-Z][\w']*)`, 'y'),
      kind: 'class',
      isFlush: true,
      opens: 'code',
    },
    {
      words: 'type',
      pattern: /type[ \t]+(?:family[ \t]+)?(?!instance\b)([A-Z][\w']*)/y,
      kind: 'type',
      isFlush: true,
      opens: 'code',
    },
    {
      words: 'class',
      pattern: new RegExp(String.raw`class[ \t]+${CONTEXT}([A-Z][\w']*)`, 'y'),
      kind: 'interface',
      isFlush: true,
    },
    {
      words: 'instance deriving import module infixl infixr infix foreign default',
      pattern: /()/y,
      body: 'line',
      isFlush: true,
    },
    { words: 'pattern', pattern: /pattern[ \t]+([A-Z][\w']*)/y, kind: 'function', isFlush: true },
    {
      pattern: /([a-z_][\w']*)(?:[ \t]*,[ \t]*[a-z_][\w']*){0,8}[ \t]*(?:::|\r?\n[ \t]+::)/y,
      kind: 'function',
      isFlush: true,
    },
    { pattern: /([a-z_][\w']*)[ \t]*::/y, kind: 'method', in: ['type'] },
    { pattern: /([a-z_][\w']*)(?:[ \t][^={\n]{0,300})?=(?!=)/y, kind: 'function', isFlush: true },
  ],
};
