import { type MarkdownToJSX, RuleType } from 'markdown-to-jsx/react';
import type { Formula } from './take-math.ts';

/** What the library reads out of a text, and what we read beside it. */
export type MarkdownNode = MarkdownToJSX.ASTNode | OwnNode;
type OwnNode =
  | { type: 'tag'; tag: InlineTag; children: MarkdownNode[] }
  | { type: 'line-break' }
  | { type: 'heading'; size: number; depth: number; children: readonly MarkdownNode[] }
  | { type: 'note'; number: number; occurrence: number }
  | Formula;

export type InlineTag = 'kbd' | 'sub' | 'sup';

/**
 * The sign that stands for a node of ours while the library reads is enclosed by two marks that Unicode keeps for such use.
 * A third counts as a letter beside the marks of emphasis.
 */
export const SIGN = { open: '\uFDD0', close: '\uFDD1', letter: '\uFDD2' } as const;

/** A text in which nobody else's signs are left. */
export function withoutSigns(text: string): string {
  return text.replaceAll(/[\uFDD0\uFDD2]/g, '\uFFFD');
}

const PIECE = /\uFDD0n(\d{1,6})\.(\d{1,6})\uFDD1|\uFDD0m(\d{1,6})\uFDD1|<(br) ?\/?>|<(\/?)(kbd|sub|sup)>/gi;

/** What was read, with the signs and the few tags that mean something as nodes. */
export function withOwnNodes(nodes: readonly MarkdownToJSX.ASTNode[], formulas: readonly Formula[]): MarkdownNode[] {
  return pairTags(nodes.flatMap(piecesOf));

  function piecesOf(node: MarkdownToJSX.ASTNode): Piece[] {
    if (node.type === RuleType.text) return piecesOfText(node.text);
    if (node.type === RuleType.codeInline || node.type === RuleType.codeBlock)
      return [{ ...node, text: asWritten(node.text) }];
    if (node.type === RuleType.table)
      return [{ ...node, header: node.header.map(within), cells: node.cells.map((row) => row.map(within)) }];
    if (node.type === RuleType.image)
      return [
        { ...node, target: node.target && asWritten(node.target), ...(node.alt && { alt: asWritten(node.alt) }) },
      ];
    if (node.type === RuleType.link)
      return [{ ...node, target: node.target && asWritten(node.target), children: within(node.children) }];
    if ('items' in node) return [{ ...node, items: node.items.map(within) }];
    if ('children' in node && Array.isArray(node.children)) return [{ ...node, children: within(node.children) }];
    return [node];
  }

  /** The library's types know of its own nodes alone; the renderer knows both. */
  function within(inner: readonly MarkdownToJSX.ASTNode[]): MarkdownToJSX.ASTNode[] {
    return withOwnNodes(inner, formulas) as MarkdownToJSX.ASTNode[];
  }

  function piecesOfText(written: string): Piece[] {
    const text = written.replaceAll(SIGN.letter, '');
    if (!/[<\uFDD0]/.test(text)) return [{ type: RuleType.text, text }];
    const pieces: Piece[] = [];
    let from = 0;
    for (const match of text.matchAll(PIECE)) {
      if (match.index > from) pieces.push({ type: RuleType.text, text: text.slice(from, match.index) });
      pieces.push(pieceOf(match));
      from = match.index + match[0].length;
    }
    if (from < text.length) pieces.push({ type: RuleType.text, text: text.slice(from) });
    return pieces;
  }

  function pieceOf([all, number, occurrence, formula, lineBreak, end, tag]: RegExpExecArray): Piece {
    if (number !== undefined) return { type: 'note', number: Number(number), occurrence: Number(occurrence) };
    if (lineBreak !== undefined) return { type: 'line-break' };
    if (tag !== undefined) return { type: 'mark', tag: tag.toLowerCase() as InlineTag, isEnd: end === '/', text: all };
    return formulas[Number(formula)] ?? { type: RuleType.text, text: '' };
  }

  /** Where a sign got into something that is shown as it is, it is the text that it stood for. */
  function asWritten(text: string): string {
    if (!/[\uFDD0\uFDD2]/.test(text)) return text;
    return text
      .replaceAll(SIGN.letter, '')
      .replaceAll(/\uFDD0n(\d{1,6})\.\d{1,6}\uFDD1/g, '[^$1]')
      .replaceAll(/\uFDD0m(\d{1,6})\uFDD1/g, (_all, index: string) => formulas[Number(index)]?.written ?? '');
  }
}

type Piece = MarkdownNode | { type: 'mark'; tag: InlineTag; isEnd: boolean; text: string };

/** A tag holds what stands between its two ends; one without the other is text. */
function pairTags(pieces: readonly Piece[]): MarkdownNode[] {
  const levels: { mark: (Piece & { type: 'mark' }) | undefined; nodes: MarkdownNode[] }[] = [
    { mark: undefined, nodes: [] },
  ];
  const fold = () => {
    const { mark, nodes } = levels.pop()!;
    levels.at(-1)!.nodes.push({ type: RuleType.text, text: mark!.text }, ...nodes);
  };
  for (const piece of pieces) {
    if (piece.type !== 'mark') levels.at(-1)!.nodes.push(piece);
    else if (!piece.isEnd && levels.length < 20) levels.push({ mark: piece, nodes: [] });
    else if (piece.isEnd && levels.some(({ mark }) => mark?.tag === piece.tag)) {
      while (levels.at(-1)!.mark!.tag !== piece.tag) fold();
      const { nodes } = levels.pop()!;
      levels.at(-1)!.nodes.push({ type: 'tag', tag: piece.tag, children: nodes });
    } else levels.at(-1)!.nodes.push({ type: RuleType.text, text: piece.text });
  }
  while (levels.length > 1) fold();
  return levels[0]!.nodes;
}

/** The words of what was read, up to some thousand. */
export function textOf(nodes: readonly MarkdownNode[]): string {
  let text = '';
  const left: MarkdownNode[] = [...nodes].reverse();
  for (let node = left.pop(); node !== undefined && text.length < 2000; node = left.pop()) {
    if ('text' in node && typeof node.text === 'string') text += node.text;
    else if ('children' in node && Array.isArray(node.children)) left.push(...[...node.children].reverse());
    else if ('items' in node) left.push(...node.items.flat().reverse());
  }
  return text;
}
