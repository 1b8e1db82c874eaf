import type { Rule, RuleLanguage } from '../rule.ts';

const TYPE_PARAMETERS = String.raw`(?:\[[^\n]{1,300}\])?`;

/** `struct`, `interface` or another type behind a name, alone or in a group. */
const types = (prefix: string, words?: string): Rule[] => {
  const place = words === undefined ? (['types'] as const) : (['file', 'code'] as const);
  const rule = (pattern: string, kind: Rule['kind']): Rule => ({
    ...(words !== undefined && { words }),
    pattern: new RegExp(prefix + pattern, 'y'),
    ...(kind !== undefined && { kind }),
    in: place,
  });
  return [
    { ...rule(String.raw`(\w+)${TYPE_PARAMETERS}[ \t]+struct\b`, 'class'), opens: 'code' },
    rule(String.raw`(\w+)${TYPE_PARAMETERS}[ \t]+interface\b`, 'interface'),
    { ...rule(String.raw`(\w+)`, 'type'), opens: 'code', body: 'value' },
  ];
};

export const go: RuleLanguage = {
  lexis: { lineComments: ['//'], blockComments: ['/*'], double: 'line', single: 'character', backtick: 'raw' },
  blocks: 'braces',
  endsWithLine: true,
  rules: [
    {
      words: 'func',
      pattern: /func[ \t]*\([ \t]*(?:\w+[ \t]+)?\*?[ \t]*(\w+)[^)\n]{0,200}\)[ \t]*(\w+)/y,
      kind: 'method',
      isContainerFirst: true,
      in: ['file'],
    },
    { words: 'func', pattern: /func[ \t]+(\w+)/y, kind: 'function', in: ['file'] },
    { words: 'type', pattern: /type[ \t]*()(?=\()/y, in: ['file'], opens: 'types', body: 'parens' },
    { words: 'const', pattern: /const[ \t]*()(?=\()/y, in: ['file'], opens: 'constants', body: 'parens' },
    { words: 'var', pattern: /var[ \t]*()(?=\()/y, in: ['file'], opens: 'constants', body: 'parens' },
    ...types(String.raw`type[ \t]+`, 'type'),
    { words: 'const var', pattern: /(?:const|var)[ \t]+(?!_\b)(\w+)/y, kind: 'constant', body: 'value', in: ['file'] },
    ...types(''),
    { pattern: /(?!_\b)([A-Za-z_]\w*)/y, kind: 'constant', body: 'value', in: ['constants'] },
    { pattern: /([A-Za-z_]\w*)(?=\()/y, kind: 'method', in: ['type'] },
  ],
};
