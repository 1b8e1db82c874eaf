import type { RuleLanguage } from '../rule.ts';

/** Shells of the Bourne family. */
export const bash: RuleLanguage = {
  lexis: { lineComments: ['#'], double: 'lines', single: 'raw', heredoc: 'shell', brackets: '{}' },
  blocks: 'braces',
  endsWithLine: true,
  rules: [
    { words: 'function', pattern: /function[ \t]+([\w:.@+-]+)/y, kind: 'function' },
    { pattern: /([\w:.@+-]+)[ \t]*\([ \t]*\)/y, kind: 'function' },
    { words: 'alias', pattern: /alias[ \t]+(?:-[-\w]+[ \t]+)?([\w:.@+-]+)=/y, kind: 'constant', body: 'line' },
    {
      words: 'readonly export declare typeset',
      pattern: /(?:readonly|export|(?:declare|typeset)[ \t]+-\w+)[ \t]+([A-Z][A-Z0-9_]+)=/y,
      kind: 'constant',
      in: ['file'],
      body: 'line',
    },
    { pattern: /([A-Z][A-Z0-9_]+)=/y, kind: 'constant', in: ['file'], isFlush: true, body: 'line' },
  ],
};

export const fish: RuleLanguage = {
  lexis: { lineComments: ['#'], double: 'lines', single: 'lines', brackets: '' },
  blocks: 'end',
  continuedBy: new Set(['else', 'case']),
  rules: [
    { words: 'function', pattern: /function[ \t]+([\w:.@+-]+)/y, kind: 'function' },
    { words: 'alias', pattern: /alias[ \t]+([\w:.@+-]+)[= ]/y, kind: 'constant', body: 'line' },
  ],
};
