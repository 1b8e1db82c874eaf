/**
 * Text that people and models wrote, so that it stays in its place in a Markdown document: tags are shown instead of
 * followed, and text whose fences do not close in order is shown as it was written. Everything else is left as it was meant.
 */
export function safeMarkdown(text: string): string {
  const lines: string[] = [];
  let open: { indent: number; marker: string } | undefined;
  for (const line of text.split(/\r\n?|\n/)) {
    // Behind the mark of a list, or moved by tabs: where that ends depends on what is around it.
    if (/^\s*(?:[-*+]|\d+[.)])\s[^]*(?:```|~~~)/.test(line) || /^ *\t\s*(?:```|~~~)/.test(line)) return fenced(text);
    // Farther in it is a fence only inside of a list, which ends it; so what is in there is treated like any line.
    const [, indent = '', marker, info = ''] = /^( {0,3})(`{3,}|~{3,})([^]*)$/.exec(line) ?? [];
    if (open === undefined) {
      const isFence = marker !== undefined && !(marker.startsWith('`') && info.includes('`'));
      if (isFence) open = { indent: indent.length, marker };
      lines.push(isFence ? line : withoutTags(line));
      continue;
    }
    // What stands left of an open fence ends the list that it is in, and with it the fence.
    if (line.trim() !== '' && line.search(/\S/) < open.indent) return fenced(text);
    if (marker?.startsWith(open.marker) === true && info.trim() === '') {
      if (indent.length !== open.indent) return fenced(text);
      open = undefined;
    }
    lines.push(line);
  }
  return open === undefined ? lines.join('\n') : fenced(text);
}

/** Any text between fences that are longer than every fence in it. */
export function fenced(text: string, language = ''): string {
  const longest = (text.match(/`+/g) ?? []).reduce((most, run) => Math.max(most, run.length), 2);
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language}\n${text.endsWith('\n') ? text.slice(0, -1) : text}\n${fence}`;
}

/** A text as one line in which nothing means anything but itself. */
export function plainLine(text: string): string {
  return htmlLine(text).replace(/[\\`*_[\]#|~!]/g, String.raw`\$&`);
}

/** A text as one line of HTML. */
export function htmlLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim().replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');
}

/** Lines that were said on the side. */
export function quoted(markdown: string): string {
  return markdown.replace(/^/gm, '> ');
}

/** Code within the line keeps what it says, and so do addresses in angle brackets. */
function withoutTags(line: string): string {
  if (!/<[a-z/!?]/i.test(line)) return line;
  return line
    .split(/((?<![`\\])`+(?!`).*?(?<!`)`+(?!`))/)
    .map((piece, index) => (index % 2 === 1 ? codeWithoutTags(piece) : shownTags(piece)))
    .join('');
}

function shownTags(text: string): string {
  return text.replace(/<(?=[a-z/!?])(?!(?:https?|mailto):[^\s<>]*>)/gi, '&lt;');
}

/** Entities mean nothing in code that Markdown marks, so it is marked as HTML. */
function codeWithoutTags(piece: string): string {
  if (!/<[a-z/!?]/i.test(piece)) return piece;
  const [, marks = '', code = '', end = ''] = /^(`+)(.*?)(`+)$/.exec(piece) ?? [];
  if (marks !== end) return shownTags(piece);
  return `<code>${htmlLine(code).replace(/[\\`*_[\]~]/g, (character) => `&#${character.charCodeAt(0)};`)}</code>`;
}
