import type { Rule, RuleLanguage } from '../rule.ts';

const VISIBLE = String.raw`(?:pub(?:\([^)\n]{0,100}\))?[ \t]+)?`;
const item = (pattern: string) => new RegExp(VISIBLE + pattern, 'y');
const FUNCTION: Pick<Rule, 'words' | 'pattern'> = {
  words: 'pub fn async unsafe const extern default crate',
  pattern: item(
    String.raw`(?:(?:default|const|async|unsafe|extern(?:[ \t]+"[^"\n]{0,40}")?)[ \t]+){0,5}fn[ \t]+(?:r#)?(\w+)`,
  ),
};

export const rust: RuleLanguage = {
  lexis: {
    lineComments: ['//'],
    blockComments: ['/*'],
    nestedComments: true,
    double: 'lines',
    single: 'character',
    rawPrefix: 'r#',
  },
  blocks: 'braces',
  annotations: /(?:#\[[^\]\n]{0,200}\][ \t]+){1,4}/y,
  rules: [
    { ...FUNCTION, kind: 'method', in: ['type'] },
    { ...FUNCTION, kind: 'function' },
    { words: 'pub struct union', pattern: item(String.raw`(?:struct|union)[ \t]+(\w+)`), kind: 'class', opens: 'code' },
    { words: 'pub enum', pattern: item(String.raw`enum[ \t]+(\w+)`), kind: 'enum', opens: 'code' },
    {
      words: 'pub trait unsafe auto',
      pattern: item(String.raw`(?:unsafe[ \t]+)?(?:auto[ \t]+)?trait[ \t]+(\w+)`),
      kind: 'interface',
    },
    { words: 'pub type', pattern: item(String.raw`type[ \t]+(\w+)`), kind: 'type', in: ['file'], body: 'value' },
    { words: 'pub mod', pattern: item(String.raw`mod[ \t]+(\w+)`), kind: 'module', needsBlock: true },
    { words: 'macro_rules', pattern: /macro_rules![ \t]*(\w+)/y, kind: 'macro' },
    { words: 'pub macro', pattern: item(String.raw`macro[ \t]+(\w+)`), kind: 'macro', needsBlock: true },
    {
      words: 'pub const static',
      pattern: item(String.raw`(?:const|static)[ \t]+(?:mut[ \t]+)?(?!_\b)(\w+)[ \t]*:`),
      kind: 'constant',
      in: ['file', 'type'],
      body: 'value',
    },
    {
      words: 'impl unsafe default',
      pattern:
        /(?:default[ \t]+)?(?:unsafe[ \t]+)?impl\b(?:[^\n{]{0,400}[ \t]for[ \t]+|[ \t]*(?:<[^\n]{0,300}?(?<!-)>(?=[ \t]))?[ \t]*)(?:&(?:'\w+)?[ \t]*)?(?:mut[ \t]+)?(?:dyn[ \t]+)?(?:\w+::){0,8}(\w+)/y,
      opens: 'type',
    },
  ],
};
