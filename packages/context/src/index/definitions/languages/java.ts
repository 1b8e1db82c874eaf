import type { Declaration, Statement, StatementLanguage } from '../statement.ts';

const MODIFIERS = String.raw`(?:(?:public|private|protected|static|final|abstract|sealed|non-sealed|strictfp|default|synchronized|native|transient|volatile)\s+)*`;
const TYPE = new RegExp(String.raw`^${MODIFIERS}(class|interface|enum|record|@interface|trait)\s+([A-Za-z_$][\w$]*)`);
const METHOD = /(?:^|[\s>\].])([A-Za-z_$][\w$]*)\s*$/;
const NO_METHOD = new Set('if for while switch catch return new synchronized try super this assert throw'.split(' '));
const CONSTANT = /^(?=[\s\S]*\bstatic\b)(?=[\s\S]*\bfinal\b)[\s\S]*\s([A-Za-z_$][\w$]*)\s*(?:\[\s*\])*$/;

/** Java, and Groovy where it reads like it. */
export const java: StatementLanguage = {
  lexis: {
    lineComments: ['//'],
    blockComments: ['/*'],
    double: 'triple',
    single: 'line',
  },
  leads: { annotations: true },
  trailers: new Set(['throws', 'default']),
  declare(statement: Statement): Declaration | undefined {
    const { head, parameters, hasBlock, hasValue, inside, container } = statement;
    const type = TYPE.exec(head);
    if (type !== null && hasBlock) {
      const kind =
        type[1] === 'enum' ? 'enum' : type[1] === 'interface' || type[1] === '@interface' ? 'interface' : 'class';
      return { name: type[2]!, kind, opens: kind === 'enum' ? 'enum' : 'type', endsWithBlock: true };
    }
    if (parameters !== undefined && !hasValue) {
      const name = METHOD.exec(head)?.[1];
      if (name === undefined || NO_METHOD.has(name) || /^(?:return|new|throw|else|import|package)\b/.test(head))
        return undefined;
      if (name === head && !hasBlock) return undefined;
      if (inside === 'file' && !hasBlock) return undefined;
      if (name === head && name !== container && inside !== 'file') return undefined;
      if (inside === 'file' && !/\s/.test(head)) return undefined;
      return { name, kind: inside === 'file' ? 'function' : 'method', endsWithBlock: true };
    }
    // A record's compact constructor repeats its name only, and a static block declares nothing.
    if (hasValue && inside !== 'file') {
      const name = CONSTANT.exec(head)?.[1];
      return name === undefined ? undefined : { name, kind: 'constant' };
    }
    return undefined;
  },
};
