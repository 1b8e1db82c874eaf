import type { RuleLanguage } from '../rule.ts';
import { markFrom, type Source } from '../scan-source.ts';

const MEMBER = String.raw`(?:(?:public|private|protected|static|abstract|override|readonly|async|get|set|declare|accessor)[ \t]+){0,6}\*?[ \t]*`;
const ANNOTATION = String.raw`(?:[?!]?[ \t]*:[^=\n]{0,300}(?:=>[^=\n]{0,300}){0,3})?`;

/** JavaScript and TypeScript, with and without JSX. */
export const typescript: RuleLanguage = {
  lexis: {
    lineComments: ['//'],
    blockComments: ['/*'],
    double: 'line',
    single: 'line',
    backtick: 'template',
    regexLiterals: true,
  },
  blocks: 'braces',
  endsWithLine: true,
  separator: /\.prototype\.|\.|::/,
  rules: [
    {
      words: 'export default declare async function',
      pattern: /(?:export[ \t]+)?(?:default[ \t]+)?(?:declare[ \t]+)?(?:async[ \t]+)?function[ \t]*\*?[ \t]*([\w$]+)/y,
      kind: 'function',
    },
    {
      words: 'export default declare abstract class',
      pattern: /(?:export[ \t]+)?(?:default[ \t]+)?(?:declare[ \t]+)?(?:abstract[ \t]+)?class[ \t]+([\w$]+)/y,
      kind: 'class',
    },
    {
      words: 'export default declare interface',
      pattern: /(?:export[ \t]+)?(?:default[ \t]+)?(?:declare[ \t]+)?interface[ \t]+([\w$]+)/y,
      kind: 'interface',
    },
    {
      words: 'export declare type',
      pattern: /(?:export[ \t]+)?(?:declare[ \t]+)?type[ \t]+([\w$]+)[ \t]*(?=[<=]|$)/my,
      kind: 'type',
      body: 'value',
      opens: 'code',
    },
    {
      words: 'export declare const enum',
      pattern: /(?:export[ \t]+)?(?:declare[ \t]+)?(?:const[ \t]+)?enum[ \t]+([\w$]+)/y,
      kind: 'enum',
      opens: 'code',
    },
    {
      words: 'export declare namespace module',
      pattern: /(?:export[ \t]+)?(?:declare[ \t]+)?(?:namespace|module)[ \t]+['"]?([\w$.@/*-]+)/y,
      kind: 'module',
      needsBlock: true,
    },
    {
      words: 'export declare const let var',
      pattern: new RegExp(
        String.raw`(?:export[ \t]+)?(?:declare[ \t]+)?(?:const|let|var)[ \t]+([\w$]+)${ANNOTATION}[ \t]*=(?![=>])`,
        'y',
      ),
      kind: 'function',
      body: 'value',
      in: ['file', 'code'],
      accepts: isFunctionValue,
    },
    {
      words: 'export const let var',
      pattern: /(?:export[ \t]+)?(?:const|let|var)[ \t]+([\w$]+)[^=\n]{0,300}=[ \t]*class\b/y,
      kind: 'class',
      in: ['file', 'code'],
    },
    {
      words: 'export',
      pattern: /export[ \t]+(?:declare[ \t]+)?(?:const|let|var)[ \t]+([\w$]+)/y,
      kind: 'constant',
      body: 'value',
      in: ['file'],
    },
    {
      words: 'const let var declare',
      pattern: /(?:declare[ \t]+)?(?:const|let|var)[ \t]+([A-Z][A-Z0-9_]+)[ \t]*[:=](?![ \t]*require\b)/y,
      kind: 'constant',
      body: 'value',
      in: ['file'],
    },
    {
      words: 'const let var',
      pattern:
        /(?:const|let|var)[ \t]+([\w$]+)[ \t]*(?::[^=\n]{0,300})?=(?![=>])(?![ \t]*(?:await[ \t]+)?(?:require|import)\b)/y,
      kind: 'constant',
      body: 'value',
      in: ['file'],
      needsLines: true,
    },
    {
      words: 'module exports',
      pattern: /(?:module\.)?exports[ \t]*=[ \t]*(?:async[ \t]+)?(?:function[ \t]*\*?|class)[ \t]+([\w$]+)/y,
      kind: 'function',
      in: ['file'],
    },
    { words: 'module', pattern: /module\.exports[ \t]*=[ \t]*()(?=\{)/y, in: ['file'], opens: 'object', body: 'value' },
    {
      words: 'export',
      pattern: /export[ \t]+default[ \t]+(?:[\w$.]+\()?()(?=\{)/y,
      in: ['file'],
      opens: 'object',
      body: 'value',
    },
    {
      words: 'module exports',
      pattern: /(?:module\.)?exports\.([\w$]+)[ \t]*=(?![=>])/y,
      kind: 'function',
      body: 'value',
      accepts: isFunctionValue,
    },
    {
      words: 'module exports',
      pattern: /(?:module\.)?exports\.([\w$]+)[ \t]*=(?![=>])(?![ \t]*(?:require\b|void 0|exports\.))/y,
      kind: 'constant',
      body: 'value',
      in: ['file'],
    },
    {
      words: 'this',
      pattern: /this\.([\w$]+)[ \t]*=(?![=>])/y,
      kind: 'method',
      body: 'value',
      accepts: isFunctionValue,
      needsBlock: true,
    },
    {
      pattern: /([\w$]+(?:\.[\w$]+){0,4}\.prototype\.[\w$]+)[ \t]*=(?![=>])/y,
      kind: 'method',
      body: 'value',
      in: ['file', 'code'],
      accepts: isFunctionValue,
    },
    {
      pattern: /([\w$]+(?:\.[\w$]+){1,4})[ \t]*=(?![=>])/y,
      kind: 'function',
      body: 'value',
      in: ['file', 'code'],
      accepts: isFunctionValue,
      needsBlock: true,
    },
    {
      pattern: new RegExp(
        String.raw`${MEMBER}(?:\[(?:[\w$]+\.)?)?(#?[\w$]+)\]?[?!]?[ \t]*(?:<[^\n(]{0,300})?(?=\()`,
        'y',
      ),
      kind: 'method',
      in: ['type'],
    },
    {
      pattern: new RegExp(String.raw`${MEMBER}(#?[\w$]+)${ANNOTATION}[ \t]*=(?![=>])`, 'y'),
      kind: 'method',
      body: 'value',
      in: ['type'],
      accepts: isFunctionValue,
    },
    {
      pattern: /(?:(?:async|get|set)[ \t]+)?\*?[ \t]*([\w$]+)[ \t]*(?:<[^\n(]{0,300})?(?=\()/y,
      kind: 'method',
      in: ['object'],
      needsBlock: true,
    },
    {
      pattern: /([\w$]+)[ \t]*:/y,
      kind: 'method',
      in: ['object'],
      accepts: isFunctionValue,
      needsBlock: true,
    },
  ],
};

const VALUE = /\s{0,200}(?:async\b[ \t]*)?(?:(function\b)|([\w$]+[ \t]*=>)|<[^\n(]{0,300}(?=\()|(?=\())/y;
const ARROW = /\)\s{0,20}(?:=>|:)/y;

/** Whether a function follows: `function`, `x =>`, or brackets with an arrow or a result behind them. */
function isFunctionValue(source: Source, end: number): boolean {
  VALUE.lastIndex = end;
  const match = VALUE.exec(source.text);
  if (match === null) return false;
  if (match[1] !== undefined || match[2] !== undefined) return true;
  const open = markFrom(source, end + match[0].length);
  const close = source.markMatch[open] ?? -1;
  if (open >= source.markCount || close < 0 || close >= source.markCount) return false;
  ARROW.lastIndex = source.markAt[close]!;
  return ARROW.test(source.text);
}
