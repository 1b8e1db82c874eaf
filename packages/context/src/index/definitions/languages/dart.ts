import type { Declaration, Statement, StatementLanguage } from '../statement.ts';

const TYPE =
  /^(?:(?:abstract|base|final|interface|sealed|mixin|macro|augment)\s+)*(class|mixin|enum|extension(?:\s+type)?)\s+(?:const\s+)?([A-Za-z_$][\w$]*)/;
const METHOD = /(?:^|[\s>?.])(operator\s*\S{1,3}|[A-Za-z_$][\w$]*)\s*(?:<[^()]{0,200}>)?\s*$/;
const GETTER = /\bget\s+([A-Za-z_$][\w$]*)\s*$/;
const NO_METHOD = new Set('if for while switch catch return new super this assert throw await'.split(' '));

export const dart: StatementLanguage = {
  lexis: { lineComments: ['//'], blockComments: ['/*'], nestedComments: true, double: 'triple', single: 'triple' },
  leads: { annotations: true },
  trailers: new Set(['async', 'sync', 'native']),
  declare(statement: Statement): Declaration | undefined {
    const { head, parameters, hasBlock, hasValue, inside, container } = statement;
    const type = TYPE.exec(head);
    if (type !== null && hasBlock) {
      const kind = type[1] === 'enum' ? 'enum' : 'class';
      const on = type[1] === 'extension' ? /\bon\s+([A-Za-z_$][\w$]*)/.exec(head)?.[1] : undefined;
      return {
        name: type[2]!,
        ...(on && { container: on }),
        kind,
        opens: kind === 'enum' ? 'enum' : 'type',
        endsWithBlock: true,
      };
    }
    if (/^typedef\b/.test(head)) {
      const name = /([A-Za-z_$][\w$]*)\s*(?:<[^=]*>)?$/.exec(head)?.[1];
      return name === undefined ? undefined : { name, kind: 'type' };
    }
    const kind = inside === 'file' ? 'function' : 'method';
    const getter = parameters === undefined ? GETTER.exec(head)?.[1] : undefined;
    if (getter !== undefined) return { name: getter, kind, endsWithBlock: true };
    if (parameters !== undefined) {
      const name = METHOD.exec(head)?.[1];
      if (
        name === undefined ||
        NO_METHOD.has(name) ||
        /^(?:return|throw|else|import|export|part|library|await)\b/.test(head)
      )
        return undefined;
      if (name === head && name !== container && !hasBlock && inside === 'file') return undefined;
      if (!hasBlock && hasValue && !statement.tail.includes('=>')) return undefined;
      return { name, kind, endsWithBlock: true };
    }
    if (hasValue && (inside === 'file' || /\bstatic\b/.test(head)) && /\b(?:const|final)\b/.test(head)) {
      const name = /([A-Za-z_$][\w$]*)\s*$/.exec(head)?.[1];
      return name === undefined ? undefined : { name, kind: 'constant' };
    }
    return undefined;
  },
};
