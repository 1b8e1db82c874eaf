import { createLowlight } from 'lowlight';
import { type CodeKind, codeKindOf } from './code-kinds.ts';
import { GRAMMARS } from './grammars.ts';

/** A piece of a line. */
export interface CodePiece {
  text: string;
  kind?: CodeKind | undefined;
}

const lowlight = createLowlight();

interface TreeNode {
  type: string;
  value?: string;
  properties?: { className?: unknown };
  children?: readonly TreeNode[];
}

/** Code in pieces, line by line; nothing where there is no grammar of that name. */
export async function highlightLines(text: string, language: string): Promise<CodePiece[][] | undefined> {
  const load = GRAMMARS[language];
  if (load === undefined) return undefined;
  if (!lowlight.registered(language)) lowlight.register(language, (await load()).default);
  const lines: CodePiece[][] = [[]];
  const add = (node: TreeNode, kind: CodeKind | undefined) => {
    if (node.value !== undefined) {
      for (const [index, part] of node.value.split('\n').entries()) {
        if (index > 0) lines.push([]);
        if (part !== '') lines.at(-1)!.push({ text: part, kind });
      }
      return;
    }
    const classes = node.properties?.className;
    // What is put into a string is code again.
    const isCode = Array.isArray(classes) && classes.includes('hljs-subst');
    const inner = isCode ? undefined : ((Array.isArray(classes) ? codeKindOf(classes as string[]) : undefined) ?? kind);
    for (const child of node.children ?? []) add(child, inner);
  };
  add(lowlight.highlight(language, text), undefined);
  return lines;
}
