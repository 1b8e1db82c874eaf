import { RuleType } from 'markdown-to-jsx/react';
import { Fragment, type ReactNode } from 'react';
import { Code } from '../code/code-block.tsx';
import { FormulaView } from '../formula/formula-view.tsx';
import { FootnoteReference } from './footnotes.tsx';
import { InlineCode, MarkdownImage, Quote, TaskBox } from './markdown-pieces.tsx';
import { MarkdownLink } from './markdown-link.tsx';
import { MarkdownTable } from './markdown-table.tsx';
import { type InlineTag, type MarkdownNode, textOf } from './own-nodes.ts';

const MAX_DEPTH = 40;
const HEADINGS = ['h3', 'h4', 'h5', 'h6', 'h6', 'h6'] as const;
const HEADING_SIZES = ['text-lg', 'text-base', 'text-sm', 'text-sm', 'text-sm', 'text-sm'];
const TAGS = new Set(['strong', 'em', 'del']);
const TAG_LOOKS: Readonly<Record<InlineTag, string>> = {
  kbd: 'rounded-sm border border-b-2 border-line-strong bg-raised px-1 font-mono text-code',
  sub: 'text-note',
  sup: 'text-note',
};

/**
 * What was read, as elements. Only what is named here is ever made; there is no way for a text to name an element or an
 * attribute of its own.
 */
export function renderNodes(nodes: readonly MarkdownNode[], depth = 0): ReactNode {
  if (depth > MAX_DEPTH) return textOf(nodes);
  return nodes.map((node, index) => <Fragment key={index}>{renderNode(node, depth + 1)}</Fragment>);
}

function renderNode(node: MarkdownNode, depth: number): ReactNode {
  switch (node.type) {
    case RuleType.text:
      return node.text;
    case RuleType.paragraph:
      return <p>{renderNodes(node.children, depth)}</p>;
    case RuleType.textFormatted: {
      const Tag = (TAGS.has(node.tag) ? node.tag : 'span') as 'strong' | 'em' | 'del' | 'span';
      return <Tag>{renderNodes(node.children, depth)}</Tag>;
    }
    case RuleType.codeInline:
      return <InlineCode text={node.text} />;
    case RuleType.codeBlock:
      return <Code text={node.text} language={node.lang} />;
    case 'heading': {
      const Tag = HEADINGS[node.depth - 1] ?? 'h6';
      return (
        <Tag className={`font-semibold ${HEADING_SIZES[node.size - 1] ?? ''}`}>{renderNodes(node.children, depth)}</Tag>
      );
    }
    case RuleType.unorderedList:
      return (
        <ul className={isTaskList(node.items) ? 'pl-1 [&>li>ol]:pl-12 [&>li>ul]:pl-10' : 'list-disc pl-5'}>
          {renderItems(node.items, depth)}
        </ul>
      );
    case RuleType.orderedList:
      return (
        <ol start={node.start ?? 1} className="list-decimal pl-7">
          {renderItems(node.items, depth)}
        </ol>
      );
    case RuleType.blockQuote:
      return <Quote alert={node.alert}>{renderNodes(node.children, depth)}</Quote>;
    case RuleType.table:
      return <MarkdownTable table={node} render={(cell) => renderNodes(cell, depth)} />;
    case RuleType.link:
      return (
        <MarkdownLink target={node.target} text={textOf(node.children)}>
          {renderNodes(node.children, depth)}
        </MarkdownLink>
      );
    case RuleType.image:
      return <MarkdownImage target={node.target} alt={node.alt} />;
    case RuleType.gfmTask:
      return <TaskBox isDone={node.completed} />;
    case 'tag':
      return <node.tag className={TAG_LOOKS[node.tag]}>{renderNodes(node.children, depth)}</node.tag>;
    case 'formula':
      return <FormulaView text={node.text} isDisplay={node.isDisplay} isWhole={node.isWhole} />;
    case 'note':
      return <FootnoteReference number={node.number} occurrence={node.occurrence} />;
    case 'line-break':
    case RuleType.breakLine:
      return <br />;
    case RuleType.breakThematic:
      return <hr className="border-line" />;
    case RuleType.footnoteReference:
      return `[^${node.text}]`;
    default: // Definitions are not shown, and tags are read as text.
      return null;
  }
}

function renderItems(items: readonly (readonly MarkdownNode[])[], depth: number): ReactNode {
  return items.map((item, index) => (
    <li key={index} className="[&>p]:my-1">
      {renderNodes(item, depth)}
    </li>
  ));
}

function isTaskList(items: readonly (readonly MarkdownNode[])[]): boolean {
  return items.every(([first]) => first?.type === RuleType.gfmTask);
}
