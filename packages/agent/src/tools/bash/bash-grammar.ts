import type { Node, Parser } from '@vscode/tree-sitter-wasm';
import { fileURLToPath } from 'node:url';

let loading: Promise<Parser> | undefined;

/** A piece of the tree that a shell text was read into. */
export type ShellNode = Node;

/**
 * Reads a shell text and shows its tree to `look`.
 *
 * The grammar is 1.4 MB of WebAssembly, so it is loaded when the first command is asked for, and one parser is kept. The
 * tree lives in the grammar's memory and is given back when `look` returns; nothing of it may be kept.
 */
export async function readShellText<Result>(text: string, look: (program: ShellNode) => Result): Promise<Result> {
  loading ??= loadParser();
  const parser = await loading;
  const tree = parser.parse(text);
  if (tree === null) throw new Error('The shell grammar gave no tree.');
  try {
    return look(tree.rootNode);
  } finally {
    tree.delete();
  }
}

/** What stands directly below a node, tokens included. */
export function childrenOf(node: ShellNode): ShellNode[] {
  return node.children.filter((child) => child !== null);
}

/** What stands directly below a node and has a meaning of its own: no tokens, no comments. */
export function namedChildrenOf(node: ShellNode): ShellNode[] {
  return node.namedChildren.filter((child): child is ShellNode => child !== null && child.type !== 'comment');
}

/** Every token and comment below a node, as its type and where it begins and ends. */
export function tokensOf(node: ShellNode): ReadonlySet<string> {
  const tokens = new Set<string>();
  const cursor = node.walk();
  for (let isBelow = true; isBelow;) {
    const { nodeType, startIndex, endIndex } = cursor;
    if (!cursor.nodeIsNamed || nodeType === 'comment') tokens.add(`${nodeType} ${startIndex} ${endIndex}`);
    if (cursor.gotoFirstChild()) continue;
    while (isBelow && !cursor.gotoNextSibling()) isBelow = cursor.gotoParent();
  }
  cursor.delete();
  return tokens;
}

async function loadParser(): Promise<Parser> {
  // The package is CommonJS whose names Node cannot see from outside; all of them are on its default export.
  const { Language, Parser } = (await import('@vscode/tree-sitter-wasm')).default;
  await Parser.init();
  const grammar = fileURLToPath(import.meta.resolve('@vscode/tree-sitter-wasm/wasm/tree-sitter-bash.wasm'));
  return new Parser().setLanguage(await Language.load(grammar));
}
