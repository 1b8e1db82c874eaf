import type { Declaration, Statement, StatementLanguage } from '../statement.ts';

const MODIFIERS = String.raw`(?:(?:public|private|protected|internal|static|abstract|sealed|partial|readonly|ref|unsafe|new|file|virtual|override|async|extern|required)\s+)*`;
const TYPE = new RegExp(
  String.raw`^${MODIFIERS}(class|interface|enum|struct|record(?:\s+(?:class|struct))?)\s+([A-Za-z_@]\w*)`,
);
const METHOD = /(?:^|[\s>\].?*])((?:operator\s*\S+)|~?[A-Za-z_@]\w*)\s*(?:<[\w\s,[\]]{1,200}>)?\s*$/;
const PROPERTY = /^[\s\S]*[\s>\]?.](?:this|([A-Za-z_@]\w*))\s*$/;
const NO_METHOD = new Set(
  'if for foreach while switch catch return new using lock fixed throw base this get set add remove init typeof nameof await checked unchecked'.split(
    ' ',
  ),
);
const AUTOMATIC = /^\s*(?:\w+\s+){0,2}(?:get|set|init)\s*;/;
const NO_STATEMENT = /^(?:return|new|throw|else|using|await|yield|case|goto|global)\b/;

export const csharp: StatementLanguage = {
  lexis: {
    lineComments: ['//'],
    blockComments: ['/*'],
    double: 'triple',
    single: 'character',
    rawPrefix: '@',
    preprocessor: true,
  },
  leads: { attributes: true },
  trailers: new Set(['where', 'base', 'this']),
  declare(statement: Statement): Declaration | undefined {
    const { head, parameters, hasBlock, hasValue, inside, container } = statement;
    const type = TYPE.exec(head);
    if (type !== null) {
      const kind = type[1] === 'enum' ? 'enum' : type[1] === 'interface' ? 'interface' : 'class';
      if (!hasBlock) return type[1]!.startsWith('record') ? { name: type[2]!, kind } : undefined;
      return { name: type[2]!, kind, ...(kind !== 'enum' && { opens: 'type' as const }), endsWithBlock: true };
    }
    if (hasBlock && /^namespace\b/.test(head)) return { name: '', opens: 'file', endsWithBlock: true };
    if (NO_STATEMENT.test(head)) return undefined;
    if (parameters !== undefined) {
      if (/(?:^|\s)delegate\s/.test(head)) {
        const name = METHOD.exec(head)?.[1];
        return name === undefined ? undefined : { name, kind: 'type' };
      }
      const name = METHOD.exec(head)?.[1]?.replace(/\s+/g, ' ');
      if (name === undefined || NO_METHOD.has(name)) return undefined;
      const isBare = name === head;
      if (isBare && (inside !== 'type' || name !== container)) return undefined;
      if (inside === 'file' && !hasBlock) return undefined;
      // `X f = g(…)` is a field; `X f(…) => …` is a method.
      if (!hasBlock && hasValue && !statement.tail.includes('=>')) return undefined;
      return { name, kind: inside === 'type' ? 'method' : 'function', endsWithBlock: true };
    }
    if (inside !== 'type') return undefined;
    if (/\b(?:const|static\s+readonly|readonly\s+static)\b/.test(head) && hasValue) {
      const name = PROPERTY.exec(head)?.[1];
      return name === undefined ? undefined : { name, kind: 'constant' };
    }
    if (hasBlock || statement.isArrow) {
      const name = PROPERTY.exec(head)?.[1];
      // A property that only holds its value is a field by another name.
      if (name === undefined || AUTOMATIC.test(statement.block) || !/\s/.test(head) || /\bevent\b/.test(head))
        return undefined;
      return { name, kind: 'method', endsWithBlock: true };
    }
    return undefined;
  },
};
