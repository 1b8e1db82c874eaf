import type { Rule, RuleLanguage } from '../rule.ts';

const METHOD: Pick<Rule, 'words' | 'pattern'> = {
  words: 'def private protected public private_class_method module_function memoize',
  pattern:
    /(?:(?:private|protected|public|private_class_method|module_function|memoize)[ \t]+)?def[ \t]+(?:self\.|[a-z_]\w*\.)?((?:[A-Z]\w*\.)?\w+[?!=]?(?=[\s(;]|$)|[[\]+\-*/<>=~!%&|^]{1,3})/y,
};

export const ruby: RuleLanguage = {
  lexis: {
    lineComments: ['#'],
    blockComments: ['=begin'],
    double: 'line',
    single: 'line',
    heredoc: 'ruby',
    regexLiterals: true,
  },
  blocks: 'end',
  continuedBy: new Set(['rescue', 'else', 'elsif', 'ensure', 'when', 'in']),
  separator: /::|\./,
  rules: [
    { words: 'module', pattern: /module[ \t]+([A-Z][\w:]*)/y, kind: 'module', opens: 'type' },
    { words: 'class', pattern: /class[ \t]+(?:::)?([A-Z][\w:]*)/y, kind: 'class' },
    { words: 'class', pattern: /class[ \t]*<<[ \t]*self()/y, opens: 'type' },
    { ...METHOD, kind: 'method', in: ['type'] },
    { ...METHOD, kind: 'function' },
    { words: 'define_method', pattern: /define_method[( ][ \t]*[:"'](\w+[?!=]?)/y, kind: 'method' },
    {
      pattern: /([A-Z]\w*)[ \t]*=[ \t]*(?:Struct|Class|Data)\.(?:new|define)\b/y,
      kind: 'class',
      in: ['file', 'type'],
    },
    { pattern: /([A-Z]\w*)[ \t]*=(?![=~>])/y, kind: 'constant', in: ['file', 'type'], opens: 'code' },
  ],
};
