const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' };

/** The bare words of a piece of HTML. It takes time in proportion to the length, whatever is in it. */
export function stripTags(html: string): string {
  return decodeEntities(
    withoutElements(html, ['script', 'style'])
      .replaceAll(/<!--|-->/g, ' ')
      .replaceAll(/<\/?(?:p|div|br|li|tr|h[1-6]|section|article|ul|ol|table|pre|blockquote)\b[^<>]{0,2000}>/gi, '\n')
      .replaceAll(/<\/?[a-z][^<>]{0,2000}>/gi, '')
      .replaceAll(/<![^<>]{0,2000}>/g, ''),
  )
    .replaceAll(/[ \t\r\f]+/g, ' ')
    .replaceAll(/ ?\n[ \n]*/g, '\n')
    .trim();
}

/** `&amp;`, `&#39;` and their like, as far as they are usual. */
export function decodeEntities(text: string): string {
  return text.replaceAll(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]{2,4}));/gi, (whole, decimal, hex, name) => {
    if (name !== undefined) return ENTITIES[String(name).toLowerCase()] ?? whole;
    const code = decimal === undefined ? Number.parseInt(String(hex), 16) : Number(decimal);
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });
}

/** The closing tags stay; they go with all others. */
function withoutElements(html: string, names: readonly string[]): string {
  let text = html;
  for (const name of names) {
    const [opening, closing] = [new RegExp(`<${name}`, 'gi'), new RegExp(`</${name}`, 'gi')];
    const kept: string[] = [];
    let from = 0;
    for (let start = find(opening, text, 0); start !== -1; start = find(opening, text, from)) {
      kept.push(text.slice(from, start));
      const end = find(closing, text, start);
      from = end === -1 ? text.length : end;
    }
    text = kept.join('') + text.slice(from);
  }
  return text;
}

function find(pattern: RegExp, text: string, from: number): number {
  pattern.lastIndex = from;
  return pattern.exec(text)?.index ?? -1;
}
