import type { RuleLanguage } from '../rule.ts';

export const python: RuleLanguage = {
  lexis: { lineComments: ['#'], double: 'triple', single: 'triple' },
  blocks: 'indentation',
  rules: [
    { words: 'def async', pattern: /(?:async[ \t]+)?def[ \t]+(\w+)/y, kind: 'method', in: ['type'] },
    { words: 'def async', pattern: /(?:async[ \t]+)?def[ \t]+(\w+)/y, kind: 'function' },
    { words: 'class', pattern: /class[ \t]+(\w+)/y, kind: 'class' },
    { words: 'type', pattern: /type[ \t]+(\w+)[^=\n]{0,200}=/y, kind: 'type', isFlush: true },
    {
      pattern: /(?!__)([A-Z]\w*)[ \t]*(?::[^=\n]{0,300})?=(?!=)/y,
      kind: 'constant',
      in: ['file'],
      isFlush: true,
    },
    {
      pattern: /(?!__|log(?:ger)?\b|_\b)([a-z_]\w*)[ \t]*(?::[^=\n]{0,300})?=(?!=)/y,
      kind: 'constant',
      in: ['file'],
      isFlush: true,
    },
  ],
};
