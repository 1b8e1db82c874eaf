/** Something folded away behind a line, as `<details>` writes it. */
export interface Fold {
  summary: string;
  text: string;
  /** It was meant to be open from the start. */
  isExpanded: boolean;
  /** Its end was written. */
  isWhole: boolean;
}

const BEGIN = /^ {0,3}<details( open(?:=(?:""|"open"|"true"))?)? *>/i;
const FENCE = /^\s{0,400}(`{3,}|~{3,})([^\n]{0,200})/;

/** Whether a line begins a fold. */
export function beginsFold(line: string): boolean {
  return BEGIN.test(line);
}

/**
 * The fold that begins in the first line: what is in it, how many lines it takes, and what stands behind its end in the last of them.
 * One without an end goes on to the end of the text.
 */
export function takeFold(lines: readonly string[]): { fold: Fold; count: number; rest: string } {
  const [begin, open] = BEGIN.exec(lines[0]!)!;
  const inside: string[] = [];
  let depth = 1;
  let fence: string | undefined;
  let end: { count: number; rest: string } | undefined;
  for (let index = 0; index < lines.length && end === undefined; index += 1) {
    const line = index === 0 ? lines[0]!.slice(begin.length) : lines[index]!;
    const [, marker, info = ''] = FENCE.exec(line) ?? [];
    if (fence !== undefined) {
      if (marker?.startsWith(fence) === true && info.trim() === '') fence = undefined;
      inside.push(line);
      continue;
    }
    if (marker !== undefined && !(marker.startsWith('`') && info.includes('`'))) fence = marker;
    let upTo = line.length;
    for (const { 0: tag, index: at } of withoutCode(line).matchAll(/<(\/?)details(?: open[^>]{0,9})? *>/gi)) {
      depth += tag.startsWith('</') ? -1 : 1;
      if (depth > 0) continue;
      upTo = at;
      end = { count: index + 1, rest: line.slice(at + tag.length) };
      break;
    }
    inside.push(line.slice(0, upTo));
  }
  const isWhole = end !== undefined;
  const { summary, text } = takeSummary(inside.join('\n'), isWhole);
  return {
    fold: { summary, text, isExpanded: open !== undefined, isWhole },
    ...(end ?? { count: lines.length, rest: '' }),
  };
}

/** Code in the line, blanked out: a tag in it is no tag. */
function withoutCode(line: string): string {
  return line.replaceAll(/(`+)[^`]+\1/g, (code) => ' '.repeat(code.length));
}

function takeSummary(inside: string, isWhole: boolean): { summary: string; text: string } {
  // What is still being written may end in the middle of a tag.
  const written = isWhole ? inside : inside.replace(/<\/?[a-z]{0,7}$/i, '');
  const begin = /^\s*<summary>/i.exec(written)?.[0];
  if (begin === undefined) return { summary: '', text: written };
  const after = written.slice(begin.length);
  const end = /<\/summary>/i.exec(after);
  const cut = end?.index ?? (/\n/.exec(after.trimStart()) === null ? after.length : after.indexOf('\n'));
  return {
    summary: plainTags(after.slice(0, cut)).replaceAll(/\s+/g, ' ').trim(),
    text: after.slice(cut + (end?.[0].length ?? 0)),
  };
}

/** In the line of a fold, tags are the only way to write what Markdown has signs for. */
function plainTags(text: string): string {
  return text
    .replaceAll(/<(b|strong)>([^<*]*)<\/\1>/gi, '**$2**')
    .replaceAll(/<(i|em)>([^<*_]*)<\/\1>/gi, '_$2_')
    .replaceAll(/<code>([^<`]*)<\/code>/gi, '`$1`');
}
