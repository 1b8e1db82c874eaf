import type { Rule, RuleLanguage } from '../rule.ts';

const MODIFIERS = String.raw`(?:(?:public|private|internal|protected|open|abstract|final|sealed|data|inner|value|inline|suspend|override|operator|infix|tailrec|external|actual|expect|const|lateinit|annotation|enum)[ \t]+){0,8}`;
const declares = (pattern: string) => new RegExp(MODIFIERS + pattern, 'y');
const WORDS =
  'public private internal protected open abstract final sealed data inner value inline suspend override operator infix tailrec external actual expect const lateinit annotation enum ';
const FUNCTION: Omit<Rule, 'kind'> = {
  words: `${WORDS}fun`,
  pattern: declares(
    // Type parameters, then what is extended, then the name.
    String.raw`fun[ \t]+(?:<[^\n(]{0,300}>[ \t]*)?(?:(\w+)(?:<[^\n(]{0,200}>)?\??\.(?:\w+\.)?)?(\w+|${'`'}[^${'`'}\n]+${'`'})[ \t]*(?=[(<])`,
  ),
  isContainerFirst: true,
};

export const kotlin: RuleLanguage = {
  lexis: {
    lineComments: ['//'],
    blockComments: ['/*'],
    nestedComments: true,
    double: 'triple',
    single: 'character',
  },
  blocks: 'braces',
  endsWithLine: true,
  annotations: /(?:@(?:\w+:)?[\w.]+(?:\([^)\n]{0,200}\))?[ \t]+){1,6}/y,
  continuedBy: new Set(['where']),
  rules: [
    { ...FUNCTION, kind: 'method', in: ['type'] },
    // Overridden in an object made on the spot.
    { ...FUNCTION, words: 'override', kind: 'method' },
    { ...FUNCTION, kind: 'function' },
    {
      words: `${WORDS}class`,
      pattern: declares(String.raw`(?<=\benum[ \t]+)class[ \t]+(\w+)`),
      kind: 'enum',
    },
    { words: `${WORDS}class`, pattern: declares(String.raw`class[ \t]+(\w+)`), kind: 'class' },
    {
      words: `${WORDS}interface fun`,
      pattern: declares(String.raw`(?:fun[ \t]+)?interface[ \t]+(\w+)`),
      kind: 'interface',
    },
    { words: `${WORDS}object`, pattern: declares(String.raw`object[ \t]+(\w+)`), kind: 'class' },
    {
      words: `${WORDS}companion`,
      pattern: declares(String.raw`companion[ \t]+object\b()`),
      in: ['type'],
      opens: 'type',
      needsBlock: true,
    },
    { words: `${WORDS}typealias`, pattern: declares(String.raw`typealias[ \t]+(\w+)`), kind: 'type', body: 'value' },
    {
      words: `${WORDS}val var`,
      pattern: declares(
        String.raw`(?:val|var)[ \t]+(?:<[^\n]{0,200}?>[ \t]*)?(?:(\w+)(?:<[^\n(=]{0,200}>)?\??\.)?(\w+)[ \t]*(?=[:=\n]|by\b|$)`,
      ),
      isContainerFirst: true,
      kind: 'constant',
      in: ['file'],
      body: 'value',
    },
    {
      words: `${WORDS}val`,
      pattern: declares(String.raw`(?<=\bconst[ \t]+)val[ \t]+(\w+)`),
      kind: 'constant',
      in: ['type'],
      body: 'value',
    },
  ],
};
