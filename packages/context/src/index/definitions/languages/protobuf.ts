import type { RuleLanguage } from '../rule.ts';

export const protobuf: RuleLanguage = {
  lexis: { lineComments: ['//'], blockComments: ['/*'], double: 'line', single: 'line' },
  blocks: 'braces',
  rules: [
    { words: 'message', pattern: /message[ \t]+(\w+)/y, kind: 'class', needsBlock: true },
    { words: 'service', pattern: /service[ \t]+(\w+)/y, kind: 'interface', needsBlock: true },
    { words: 'enum', pattern: /enum[ \t]+(\w+)/y, kind: 'enum', needsBlock: true },
    { words: 'rpc', pattern: /rpc[ \t]+(\w+)/y, kind: 'method', in: ['type'] },
  ],
};
