import type { DomElement } from '@mixmark-io/domino';
import TurndownService from 'turndown';

/** What a cell of a table cannot hold in Markdown. */
const BLOCKS = 'table, pre, ul, ol, h1, h2, h3';

/** An element as Markdown, tables and code included. */
export function toMarkdown(element: DomElement): string {
  const service = new TurndownService({
    headingStyle: 'atx',
    codeBlockStyle: 'fenced',
    bulletListMarker: '-',
    emDelimiter: '_',
    hr: '---',
  });
  // It is read and not rendered: names such as `max_length` are to stay as they are.
  service.escape = (text) => text;
  // Many pages write a block of code without saying so inside, or with markup for its colours.
  service.addRule('code-block', {
    filter: ['pre'],
    replacement: (_content, node: DomElement) => fenced(node),
  });
  service.addRule('link', {
    filter: ['a'],
    replacement: (content, node: DomElement) => link(content, node.getAttribute('href') ?? ''),
  });
  service.addRule('image', { filter: ['img'], replacement: (_content, node: DomElement) => image(node) });
  const tableOf = tableReader();
  service.addRule('cell', {
    filter: ['td', 'th'],
    replacement: (content, node: DomElement) => cell(content, tableOf(node)),
  });
  service.addRule('row', {
    filter: ['tr'],
    replacement: (content, node: DomElement) => row(content, node, tableOf(node)),
  });
  service.addRule('table', { filter: ['table'], replacement: (content) => `\n\n${content.trim()}\n\n` });
  return service
    .turndown(element)
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim();
}

function fenced(node: DomElement): string {
  const code = node.textContent.replace(/^\n/, '').trimEnd();
  const classes = [node, ...Array.from(node.querySelectorAll('code'))].map(({ className }) => className).join(' ');
  const outer = node.parentNode?.className ?? '';
  const language = /\b(?:lang|language|highlight-source)-([\w+#-]+)/.exec(`${classes} ${outer}`)?.[1] ?? '';
  const longest = Math.max(2, ...[...code.matchAll(/^`{3,}/gm)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return `\n\n${fence}${language}\n${code}\n${fence}\n\n`;
}

/** A link without words, such as the mark beside a heading, says nothing. */
function link(content: string, target: string): string {
  const words = content.trim().replaceAll(/\s*\n\s*/g, ' ');
  if (words === '' || words === '#' || words === '¶') return '';
  return target === '' ? content : `[${words}](${target.replaceAll('(', '%28').replaceAll(')', '%29')})`;
}

function image(node: DomElement): string {
  const alt = (node.getAttribute('alt') ?? '').replaceAll(/\s+/g, ' ').trim();
  const source = node.getAttribute('src') ?? '';
  return alt === '' || source === '' ? '' : `![${alt}](${source})`;
}

interface Table {
  /** Tables that only put things in their place, such as those that hold other tables, are not shown as tables. */
  isData: boolean;
  firstRow: DomElement | undefined;
}

/** Tables are long and asked about at every cell, so each is looked at once. */
function tableReader(): (inside: DomElement) => Table {
  const known = new WeakMap<DomElement, Table>();
  return (inside) => {
    let element: DomElement | null = inside;
    while (element !== null && element.nodeName !== 'TABLE') element = element.parentNode;
    if (element === null) return { isData: false, firstRow: undefined };
    let table = known.get(element);
    if (table === undefined) {
      const isData =
        (element.querySelector(BLOCKS) ?? undefined) === undefined && element.querySelectorAll('tr').length > 1;
      table = { isData, firstRow: element.querySelector('tr') ?? undefined };
      known.set(element, table);
    }
    return table;
  };
}

function row(content: string, node: DomElement, { isData, firstRow }: Table): string {
  if (!isData) return content;
  const line = `\n|${content.trimEnd()}`;
  const width = Array.from(node.children).filter(({ nodeName }) => nodeName === 'TD' || nodeName === 'TH').length;
  return node === firstRow ? `${line}\n|${' --- |'.repeat(width)}` : line;
}

function cell(content: string, { isData }: Table): string {
  if (!isData) return `\n\n${content}\n\n`;
  return ` ${content
    .trim()
    .replaceAll(/\s*\n\s*/g, ' ')
    .replaceAll('|', '\\|')} |`;
}
