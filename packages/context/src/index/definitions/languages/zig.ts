import type { Rule, RuleLanguage } from '../rule.ts';

const FUNCTION: Omit<Rule, 'kind'> = {
  words: 'pub fn export extern inline noinline',
  pattern:
    /(?:pub[ \t]+)?(?:(?:export|extern(?:[ \t]+"[^"\n]{0,40}")?|inline|noinline)[ \t]+){0,3}fn[ \t]+(\w+|@"[^"\n]+")/y,
};
const VALUE = String.raw`(?:pub[ \t]+)?const[ \t]+(\w+)[ \t]*(?::[^=\n]{0,100})?=[ \t]*(?:extern[ \t]+|packed[ \t]+)?`;

export const zig: RuleLanguage = {
  lexis: { lineComments: ['//'], double: 'line', single: 'character', backslashLines: true },
  blocks: 'braces',
  rules: [
    { ...FUNCTION, kind: 'method', in: ['type'] },
    { ...FUNCTION, kind: 'function' },
    { words: 'pub const', pattern: new RegExp(String.raw`${VALUE}(?:struct|union|opaque)\b`, 'y'), kind: 'class' },
    { words: 'pub const', pattern: new RegExp(String.raw`${VALUE}(?:enum|error)\b`, 'y'), kind: 'enum' },
    {
      words: 'pub',
      pattern: /pub[ \t]+(?:const|var)[ \t]+(\w+)[^=\n]{0,200}=(?![ \t]*@import\([^)\n]*\)(?:\.\w+)*;)/y,
      kind: 'constant',
      in: ['file', 'type'],
      body: 'value',
      opens: 'code',
    },
    {
      words: 'const var',
      pattern: /(?:const|var)[ \t]+(\w+)[^=\n]{0,200}=(?![ \t]*@import)/y,
      kind: 'constant',
      in: ['file', 'type'],
      body: 'value',
      needsLines: true,
      opens: 'code',
    },
    // A function that gives a type: what is inside belongs to the name of the function.
    {
      words: 'return',
      pattern: /return[ \t]+(?:extern[ \t]+|packed[ \t]+)?(?:struct|union|enum)\b()/y,
      opens: 'type',
      needsBlock: true,
    },
  ],
};
