import { createDocument, type DomDocument, type DomElement } from '@mixmark-io/domino';
import { Readability } from '@mozilla/readability';
import { toMarkdown } from './to-markdown.ts';
import { toPlainText } from './to-plain-text.ts';

/** A page as it is read. */
export interface ReadablePage {
  title: string;
  text: string;
}

/** Of a page's text the article must be this much; less, and what was left out is likely to matter. */
const LEAST_SHARE = 0.2;
/** In less than this the article is not told from what stands around it. */
const LEAST_LENGTH = 500;

const DROPPED = 'script, style, noscript, template, svg, iframe, object, embed, canvas, link, dialog';
/** Around what a page is about, wherever they stand. */
const SURROUNDINGS = 'nav, button, select, [role=navigation], [role=banner], [role=contentinfo], [aria-hidden=true]';
/** Only outside of the main part: inside, they are headings and notes. */
const OUTER_SURROUNDINGS = 'header, footer, aside';

/**
 * What a page says, as Markdown or plain text: its article where there is one, else the whole page without what stands
 * around it. Links are absolute, so that they can be followed from here.
 *
 * Its work can grow with the square of what a hostile page holds, so it runs in a thread that can be stopped; see
 * `read-html.ts`.
 */
export function htmlToMarkdown(html: string, url: string, format: 'markdown' | 'text'): ReadablePage {
  const page = createDocument(html, true);
  makeIterable(page);
  makeLinksAbsolute(page, url);
  const title = page.title.replaceAll(/\s+/g, ' ').trim();
  without(DROPPED, page);

  // Looking for the article takes the page apart, so what is needed of it afterwards is taken before.
  const whole = withoutSurroundings(createDocument(`<body>${page.body.innerHTML}</body>`, true).body);
  const article = findArticle(page, url);
  const isEnough = article !== undefined && lengthOf(article) >= Math.max(LEAST_LENGTH, lengthOf(whole) * LEAST_SHARE);
  const content = isEnough ? article : whole;
  return { title, text: format === 'text' ? toPlainText(content) : toMarkdown(content) };
}

/** The lists of this document cannot be walked with `for … of`, which the search for the article does. */
function makeIterable(page: DomDocument): void {
  for (const list of [page.getElementsByTagName('*'), page.body.children]) {
    const prototype = Object.getPrototypeOf(list) as object;
    if (!(Symbol.iterator in prototype))
      Object.defineProperty(prototype, Symbol.iterator, { value: Array.prototype[Symbol.iterator] });
  }
}

function makeLinksAbsolute(page: DomDocument, url: string): void {
  const base = URL.parse(page.querySelector('base')?.getAttribute('href') ?? '', url)?.href ?? url;
  for (const [selector, attribute] of [
    ['a[href]', 'href'],
    ['img[src]', 'src'],
  ] as const) {
    for (const element of Array.from(page.querySelectorAll(selector))) {
      const target = URL.parse(element.getAttribute(attribute)!.trim(), base);
      // What runs when it is clicked, or is written into the page itself, is of no use as text.
      if (target === null || !/^(?:https?|mailto|ftp):$/.test(target.protocol)) element.setAttribute(attribute, '');
      else element.setAttribute(attribute, target.href);
    }
  }
}

function findArticle(page: DomDocument, url: string): DomElement | undefined {
  Object.defineProperty(page, 'baseURI', { value: url });
  const found = new Readability<string>(page, {
    keepClasses: true,
  }).parse();
  const content = found?.content ?? '';
  return content === '' ? undefined : without(SURROUNDINGS, createDocument(`<body>${content}</body>`, true).body);
}

/** Where nothing would be left, everything stays. */
function withoutSurroundings(body: DomElement): DomElement {
  const all = body.innerHTML;
  const main = body.querySelector('main, [role=main]') ?? undefined;
  const hasMain = main !== undefined && lengthOf(main) > 0;
  const part = hasMain ? without(SURROUNDINGS, main) : without(`${SURROUNDINGS}, ${OUTER_SURROUNDINGS}`, body);
  return lengthOf(part) > 0 ? part : createDocument(`<body>${all}</body>`, true).body;
}

function without(selector: string, element: DomElement): DomElement {
  for (const found of Array.from(element.querySelectorAll(selector))) found.remove();
  return element;
}

function lengthOf(element: DomElement): number {
  return element.textContent.replaceAll(/\s+/g, ' ').trim().length;
}
