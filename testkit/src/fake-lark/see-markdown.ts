/** What a person sees of a Markdown component. */
export interface SeenMarkdown {
  lines: string[];
  /** Who is mentioned, by id: their phones ring. */
  mentions: string[];
  /** Tags that the platform does not know: it shows or refuses them, as it likes. */
  unknownTags: string[];
  /** Where links lead. */
  links: string[];
  /** The first colour of a `<font>`. */
  color: string | undefined;
  tables: number;
}

const KNOWN_TAGS = new Set([
  'a',
  'at',
  'br',
  'font',
  'hr',
  'link',
  'local_datetime',
  'number_tag',
  'person',
  'record',
  'text_tag',
  'audio',
]);
const ENTITIES: Readonly<Record<string, string>> = {
  lt: '<',
  gt: '>',
  amp: '&',
  quot: '"',
  apos: "'",
  nbsp: '\u00a0',
  sim: '~',
  ast: '*',
  lowbar: '_',
  grave: '`',
  lbrack: '[',
  rbrack: ']',
  num: '#',
  bsol: '\\',
};
const PUNCTUATION = /[!-/:-@[-`{-~]/;
const SEPARATOR = /^\s*\|?\s*:?-+:?\s*(\|\s*:?-+:?\s*)*\|?\s*$/;
/** Around what is literal, while the marks of emphasis are taken away. */
const [OPEN, CLOSE] = ['\ue000', '\ue001'];

/**
 * Reads Markdown as the client shows it: marks, escapes and entities are gone, code stays as it is.
 *
 * It is no whole CommonMark; it is what a test needs to find the words of a session in a card.
 */
export function seeMarkdown(source: string): SeenMarkdown {
  const seen: SeenMarkdown = { lines: [], mentions: [], unknownTags: [], links: [], color: undefined, tables: 0 };
  let fence: string | undefined;
  let previous = '';
  for (const line of source.split('\n')) {
    const mark = /^\s*(`{3,}|~{3,})(.*)$/.exec(line);
    if (fence !== undefined) {
      const isEnd = mark !== null && mark[1]!.startsWith(fence) && mark[2]!.trim() === '';
      if (isEnd) fence = undefined;
      else seen.lines.push(line);
    } else if (mark !== null && !(mark[1]!.startsWith('`') && mark[2]!.includes('`'))) {
      fence = mark[1]!;
    } else if (SEPARATOR.test(line) && line.includes('|') && previous.includes('|')) {
      seen.tables += 1;
    } else {
      seen.lines.push(seeLine(line, seen));
    }
    previous = fence === undefined ? line : '';
  }
  return seen;
}

function seeLine(line: string, seen: SeenMarkdown): string {
  if (/^\s{0,3}([-*_])(\s*\1){2,}\s*$/.test(line)) return '———';
  const block = /^(\s*(?:>\s?)*)(#{1,6}\s+|[-*+]\s+)?(.*)$/s.exec(line)!;
  const bullet = block[2] === undefined || block[2].startsWith('#') ? '' : '• ';
  return block[1]! + bullet + seeInline(block[3]!, seen);
}

/** The words of a line. */
export function seeInline(text: string, seen: SeenMarkdown): string {
  const literals: string[] = [];
  const keep = (literal: string): string => OPEN + String(literals.push(literal) - 1) + CLOSE;
  let out = '';
  for (let at = 0; at < text.length;) {
    const rest = text.slice(at);
    const char = rest[0]!;
    if (char === OPEN || char === CLOSE) {
      out += keep(char);
      at += 1;
    } else if (char === '\\' && rest[1] !== undefined && PUNCTUATION.test(rest[1])) {
      out += keep(rest[1]);
      at += 2;
    } else if (char === '`') {
      const run = /^`+/.exec(rest)![0];
      const end = rest.indexOf(run, run.length);
      const isCode = end > 0 && rest[end + run.length] !== '`';
      out += keep(isCode ? rest.slice(run.length, end) : run);
      at += isCode ? end + run.length : run.length;
    } else {
      const piece = seeEntity(rest, keep) ?? seeTag(rest, seen, keep) ?? seeLink(rest, seen, keep);
      out += piece?.shown ?? char;
      at += piece?.length ?? 1;
    }
  }
  return restore(withoutEmphasis(out), literals);
}

interface Piece {
  shown: string;
  length: number;
}

function seeEntity(rest: string, keep: (literal: string) => string): Piece | undefined {
  const match = /^&(?:#(\d{1,7})|#[xX]([0-9a-fA-F]{1,6})|([a-zA-Z]+));/.exec(rest);
  if (match === null) return undefined;
  const [whole, decimal, hexadecimal, name] = match;
  const code = decimal === undefined ? Number.parseInt(hexadecimal ?? '', 16) : Number(decimal);
  const shown = name === undefined ? (code <= 0x10ffff ? String.fromCodePoint(code) : undefined) : ENTITIES[name];
  return shown === undefined ? undefined : { shown: keep(shown), length: whole.length };
}

function seeTag(rest: string, seen: SeenMarkdown, keep: (literal: string) => string): Piece | undefined {
  const address = /^<((?:https?|mailto):[^<>\s]+)>/.exec(rest);
  if (address !== null) {
    seen.links.push(address[1]!);
    return { shown: keep(address[1]!), length: address[0].length };
  }
  const match = /^<(\/?)([A-Za-z][\w-]*)([^<>]*)>/.exec(rest);
  if (match === null) return undefined;
  const [whole, slash, name, attributes] = match;
  const tag = name!.toLowerCase();
  const shown = (text: string): Piece => ({ shown: text, length: whole.length });
  if (!KNOWN_TAGS.has(tag)) {
    seen.unknownTags.push(tag);
    return shown(keep(whole));
  }
  if (slash === '/') return shown('');
  const attribute = /(?:\bid|\bids|\buser_id|\bemail|\bopen_id)\s*=\s*['"]?([^\s'">]+)/.exec(attributes!);
  if (tag === 'at' || tag === 'person') {
    seen.mentions.push(attribute?.[1] ?? '');
    return shown(keep(`@${attribute?.[1] ?? ''}`));
  }
  if (tag === 'font') seen.color ??= /color\s*=\s*['"]?([\w-]+)/.exec(attributes!)?.[1];
  if (tag === 'a' || tag === 'link')
    seen.links.push(/(?:href|url)\s*=\s*['"]?([^\s'">]+)/.exec(attributes!)?.[1] ?? '');
  return shown(tag === 'br' ? ' ' : '');
}

function seeLink(rest: string, seen: SeenMarkdown, keep: (literal: string) => string): Piece | undefined {
  const match = /^(!?)\[((?:\\.|[^\]\\])*)\]\(((?:\\.|[^()\s\\])*)\)/.exec(rest);
  if (match === null) return undefined;
  const [whole, image, label, target] = match;
  if (image === '!') return { shown: keep(`[image ${label!}]`), length: whole.length };
  seen.links.push(target!);
  return { shown: keep(seeInline(label!, seen)), length: whole.length };
}

function withoutEmphasis(text: string): string {
  let before: string;
  let out = text;
  do {
    before = out;
    out = out
      .replaceAll(/\*{1,3}(?=[^\s*])([^*]*[^\s*])\*{1,3}/g, '$1')
      .replaceAll(/(?<![\p{L}\p{N}_])_{1,3}(?=[^\s_])([^_]*[^\s_])_{1,3}(?![\p{L}\p{N}_])/gu, '$1')
      .replaceAll(/~~(?=[^\s~])([^~]*[^\s~])~~/g, '$1');
  } while (out !== before);
  return out;
}

function restore(text: string, literals: readonly string[]): string {
  return text.replaceAll(/\ue000(\d+)\ue001/g, (_, index: string) => literals[Number(index)]!);
}
