import type { Rule, RuleLanguage } from '../rule.ts';

const MODIFIERS = String.raw`(?:(?:public|private|fileprivate|internal|open|package|static|class|final|override|mutating|nonmutating|consuming|borrowing|convenience|required|lazy|weak|unowned|dynamic|indirect|nonisolated|isolated|distributed|prefix|postfix|infix|optional)(?:\(\w+\))?[ \t]+){0,8}`;
const declares = (pattern: string) => new RegExp(MODIFIERS + pattern, 'y');
const WORDS =
  'public private fileprivate internal open package static class final override mutating nonmutating consuming borrowing convenience required lazy weak unowned dynamic indirect nonisolated isolated distributed prefix postfix infix optional ';
const FUNCTION: Omit<Rule, 'kind'> = {
  words: `${WORDS}func`,
  pattern: declares(String.raw`func[ \t]+(\w+|${'`'}\w+${'`'}|[-+*/%<>=!&|^~?]{1,4}?(?=[ \t]*(?:\(|<\w)))`),
};

export const swift: RuleLanguage = {
  lexis: { lineComments: ['//'], blockComments: ['/*'], nestedComments: true, double: 'triple', rawPrefix: '#' },
  blocks: 'braces',
  endsWithLine: true,
  annotations: /(?:@\w+(?:\([^)\n]{0,200}\))?[ \t]+){1,6}/y,
  continuedBy: new Set(['where']),
  separator: /\./,
  rules: [
    { ...FUNCTION, kind: 'method', in: ['type'] },
    { ...FUNCTION, kind: 'function' },
    { words: `${WORDS}init`, pattern: declares(String.raw`(init)[?!]?[ \t]*(?=[(<])`), kind: 'method', in: ['type'] },
    { words: `${WORDS}deinit`, pattern: /(deinit)\b/y, kind: 'method', in: ['type'] },
    {
      words: `${WORDS}subscript`,
      pattern: declares(String.raw`(subscript)[ \t]*(?=[(<])`),
      kind: 'method',
      in: ['type'],
    },
    { words: `${WORDS}struct actor`, pattern: declares(String.raw`(?:struct|actor)[ \t]+(\w+)`), kind: 'class' },
    { words: `${WORDS}enum`, pattern: declares(String.raw`enum[ \t]+(\w+)`), kind: 'enum' },
    { words: `${WORDS}protocol`, pattern: declares(String.raw`protocol[ \t]+(\w+)`), kind: 'interface' },
    {
      words: WORDS.trim(),
      pattern: declares(String.raw`class[ \t]+(?!func\b|var\b|let\b|subscript\b)(\w+)`),
      kind: 'class',
    },
    {
      words: `${WORDS}extension`,
      pattern: declares(String.raw`extension[ \t]+([\w.]+)`),
      opens: 'type',
      needsBlock: true,
    },
    {
      words: `${WORDS}typealias associatedtype`,
      pattern: declares(String.raw`(?:typealias|associatedtype)[ \t]+(\w+)`),
      kind: 'type',
      body: 'value',
    },
    { words: `${WORDS}macro`, pattern: declares(String.raw`macro[ \t]+(\w+)[ \t]*\(`), kind: 'macro', body: 'value' },
    {
      // A computed property is as good as a method without parameters.
      words: `${WORDS}var`,
      pattern: declares(String.raw`var[ \t]+(\w+)[ \t]*:[^=\n{]{1,200}(?=\{)`),
      kind: 'method',
      in: ['type', 'file'],
      needsBlock: true,
    },
    {
      words: `${WORDS}let var`,
      pattern: declares(String.raw`(?:let|var)[ \t]+(\w+)`),
      kind: 'constant',
      in: ['file'],
      body: 'value',
    },
    {
      words: `${WORDS}let`,
      pattern: declares(String.raw`(?<=\bstatic[ \t]+)let[ \t]+(\w+)`),
      kind: 'constant',
      in: ['type'],
      body: 'value',
    },
  ],
};
