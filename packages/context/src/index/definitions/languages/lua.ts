import type { RuleLanguage } from '../rule.ts';

export const lua: RuleLanguage = {
  lexis: {
    lineComments: ['--'],
    blockComments: ['--[['],
    double: 'line',
    single: 'line',
    longBrackets: true,
  },
  blocks: 'end',
  continuedBy: new Set(['else', 'elseif', 'until']),
  separator: /[.:]/,
  rules: [
    { words: 'function', pattern: /function[ \t]+([\w.]+:\w+)/y, kind: 'method' },
    { words: 'local function', pattern: /(?:local[ \t]+)?function[ \t]+([\w.]+)/y, kind: 'function' },
    { pattern: /(?:local[ \t]+)?([A-Za-z_][\w.]*)[ \t]*=[ \t]*function\b/y, kind: 'function' },
    {
      // A table with a capital is what others call a class.
      words: 'local',
      pattern: /local[ \t]+([A-Z]\w+)[ \t]*=[ \t]*(?:\{|setmetatable\b|\w+[:.]extend\b)/y,
      kind: 'class',
      isFlush: true,
      opens: 'code',
    },
    {
      pattern: /(?:local[ \t]+)?([A-Za-z_][\w.]*)[ \t]*=[ \t]*\{[ \t]*\r?$/my,
      kind: 'constant',
      isFlush: true,
      opens: 'code',
    },
    { words: 'local', pattern: /local[ \t]+([A-Z][A-Z0-9_]+)[ \t]*=/y, kind: 'constant', isFlush: true, body: 'line' },
  ],
};
