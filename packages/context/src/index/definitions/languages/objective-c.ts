import type { Definition } from '../definition.ts';
import { lineOf, markFrom, type Source } from '../scan-source.ts';

const TYPE = /@(interface|implementation|protocol)[ \t]+(\w+)/y;
const METHOD = /[-+][ \t]*\([^)\n]{1,200}\)[ \t]*(\w+)/y;

/** What Objective-C adds to C: classes and protocols up to their `@end`, and the methods in them. */
export function findObjectiveC(source: Source): Definition[] {
  const { text, lineCount, lineText, lineQuiet, markAt, markCount, markKind, markMatch } = source;
  const definitions: Definition[] = [];
  let around: Definition | undefined;
  for (let line = 0; line < lineCount; line++) {
    if (lineQuiet[line] === 1) continue;
    const at = lineText[line]!;
    const first = text.charCodeAt(at);
    if (first === 64) {
      if (text.startsWith('@end', at)) {
        if (around !== undefined) around.endLine = line + 1;
        around = undefined;
        continue;
      }
      TYPE.lastIndex = at;
      const match = TYPE.exec(text);
      if (match === null) continue;
      const isForward = match[1] === 'protocol' && /^[\w \t,]*;/.test(text.slice(TYPE.lastIndex, TYPE.lastIndex + 200));
      if (isForward) continue;
      around = {
        name: match[2]!,
        kind: match[1] === 'protocol' ? 'interface' : 'class',
        line: line + 1,
        endLine: line + 1,
      };
      definitions.push(around);
    } else if ((first === 45 || first === 43) && around !== undefined) {
      METHOD.lastIndex = at;
      const match = METHOD.exec(text);
      if (match === null) continue;
      let mark = markFrom(source, METHOD.lastIndex);
      while (mark < markCount && markKind[mark] !== 59 && markKind[mark] !== 123)
        mark = markMatch[mark]! > mark ? markMatch[mark]! + 1 : mark + 1;
      const end = mark < markCount && markKind[mark] === 123 ? markMatch[mark]! : mark;
      const endLine = end < markCount ? lineOf(source, markAt[end]!) + 1 : line + 1;
      definitions.push({ name: match[1]!, kind: 'method', line: line + 1, endLine, container: around.name });
    }
  }
  return definitions;
}
