import type { DomElement, DomNode } from '@mixmark-io/domino';

const BLOCKS = new Set(
  'ADDRESS ARTICLE ASIDE BLOCKQUOTE BR DD DIV DL DT FIELDSET FIGCAPTION FIGURE FOOTER FORM H1 H2 H3 H4 H5 H6 HEADER HR LI MAIN NAV OL P PRE SECTION TABLE TR UL'.split(
    ' ',
  ),
);
const TEXT_NODE = 3;

/** The words of an element, with a line for each block and a space between the cells of a table. */
export function toPlainText(element: DomElement): string {
  const pieces: string[] = [];
  collect(element, false, pieces);
  return pieces
    .join('')
    .replaceAll(/[ \t]*\n[ \t]*(?:\n[ \t]*)+/g, '\n\n')
    .trim();
}

function collect(node: DomNode, isPreformatted: boolean, pieces: string[]): void {
  for (const child of node.childNodes) {
    if (child.nodeType === TEXT_NODE) {
      pieces.push(isPreformatted ? child.textContent : child.textContent.replaceAll(/\s+/g, ' '));
      continue;
    }
    const isBlock = BLOCKS.has(child.nodeName);
    if (isBlock) pieces.push('\n');
    collect(child, isPreformatted || child.nodeName === 'PRE', pieces);
    if (isBlock) pieces.push('\n');
    else if (child.nodeName === 'TD' || child.nodeName === 'TH') pieces.push(' ');
  }
}
