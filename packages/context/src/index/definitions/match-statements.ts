import type { Definition } from './definition.ts';
import { type Block, markBehind, offsetBehind, readStatement } from './read-statement.ts';
import { lineOf, markFrom, type Source } from './scan-source.ts';
import type { Declaration, StatementLanguage } from './statement.ts';

const SEMICOLON = 59;
const MAX_DEPTH = 40;

/** Finds definitions statement by statement; the bodies of functions are stepped over. */
export function matchStatements(source: Source, language: StatementLanguage): Definition[] {
  const definitions: Definition[] = [];
  walk(source, language, definitions, { from: 0, to: source.text.length, inside: 'file', container: undefined }, 0);
  return definitions;
}

function walk(
  source: Source,
  language: StatementLanguage,
  definitions: Definition[],
  block: Block,
  depth: number,
): void {
  const { text, markAt } = source;
  let at = block.inside === 'enum' ? behindValues(source, block) : block.from;
  for (;;) {
    const read = readStatement(source, language, block, at);
    if (read === undefined) return;
    const { statement, declaration, start, mark } = read;
    const end = Math.min(offsetBehind(source, mark), block.to);
    at = end;
    if (declaration === undefined) continue;

    let name = declaration.name;
    let behind: Declaration | undefined;
    if (statement.hasBlock && !declaration.endsWithBlock) {
      const semicolon = semicolonBehind(source, mark, end);
      if (semicolon !== -1) {
        behind = language.declareBehind?.(statement, text.slice(end, semicolon));
        at = semicolon + 1;
      }
    }
    const line = lineOf(source, start) + 1;
    const endLine = lineOf(source, at - 1) + 1;
    add(declaration, line, endLine);
    if (behind !== undefined && behind.name !== name) {
      add(behind, line, endLine);
      name ||= behind.name;
    }
    if (statement.hasBlock && declaration.opens !== undefined && depth < MAX_DEPTH) {
      const inner = {
        from: markAt[mark]! + 1,
        to: end - 1,
        inside: declaration.opens,
        container: name || block.container,
      };
      walk(source, language, definitions, inner, depth + 1);
    }
  }

  function add({ name, kind, container = block.container }: Declaration, line: number, endLine: number): void {
    if (kind === undefined || name === '') return;
    const definition: Definition = { name, kind, line, endLine };
    if (container) definition.container = container;
    definitions.push(definition);
  }
}

/** The values of an enum come first; what else it holds is behind a semicolon. */
function behindValues(source: Source, { from, to }: Block): number {
  let mark = markFrom(source, from);
  while (mark < source.markCount && source.markAt[mark]! < to && source.markKind[mark] !== SEMICOLON)
    mark = markBehind(source, mark);
  return mark < source.markCount ? source.markAt[mark]! + 1 : to;
}

/** The semicolon that ends a declaration behind its block; -1 when something else follows. */
function semicolonBehind(source: Source, brace: number, end: number): number {
  const mark = markBehind(source, brace);
  if (mark >= source.markCount || source.markKind[mark] !== SEMICOLON) return -1;
  const at = source.markAt[mark]!;
  return at - end <= 200 && !source.text.slice(end, at).includes('\n\n') ? at : -1;
}
