import { type MarkdownToJSX, RuleType } from 'markdown-to-jsx/react';
import { enterHeading, type HeadingPath } from './heading-levels.ts';
import type { MarkdownNode } from './own-nodes.ts';

/**
 * What was read, with each heading one deeper at most than the one before it: texts begin with any level and leave some out,
 * and people who go from heading to heading by ear would look for what is missing.
 */
export function withHeadingDepths(nodes: readonly MarkdownNode[], above: HeadingPath): MarkdownNode[] {
  let path = above;
  return nodes.map(deepen);

  function deepen(node: MarkdownNode): MarkdownNode {
    if (node.type === RuleType.heading) {
      path = enterHeading(path, node.level);
      return { type: 'heading', size: node.level, depth: path.length, children: node.children };
    }
    if (node.type === RuleType.blockQuote) return { ...node, children: within(node.children) };
    if ('items' in node) return { ...node, items: node.items.map(within) };
    return node;
  }

  function within(children: readonly MarkdownToJSX.ASTNode[]): MarkdownToJSX.ASTNode[] {
    return children.map(deepen) as MarkdownToJSX.ASTNode[];
  }
}
