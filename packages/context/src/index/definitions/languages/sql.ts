import type { Rule, RuleLanguage } from '../rule.ts';

const create = (what: string, kind: Rule['kind']): Rule => ({
  words: 'create CREATE Create',
  pattern: new RegExp(
    String.raw`create[ \t]+(?:or[ \t]+(?:replace|alter)[ \t]+)?(?:(?:temp|temporary|unlogged|materialized|recursive|unique|external|global|local)[ \t]+){0,2}${what}[ \t]+(?:if[ \t]+not[ \t]+exists[ \t]+)?([\w."\[\]${'`'}]+)`,
    'iy',
  ),
  ...(kind !== undefined && { kind }),
  body: 'value',
  opens: 'code',
});

export const sql: RuleLanguage = {
  lexis: { lineComments: ['--'], blockComments: ['/*'], single: 'lines', dollarQuotes: true },
  blocks: 'braces',
  separator: /\./,
  rules: [
    create('(?:table|view)', 'class'),
    create('(?:function|procedure|aggregate)', 'function'),
    create('(?:type|domain)', 'type'),
    create('(?:schema|database|package(?:[ \\t]+body)?)', 'module'),
    create('(?:trigger|index|sequence|extension|policy)', 'constant'),
  ],
};
