/** A part of a Markdown text that is read by itself. */
export interface MarkdownBlock {
  /** A fence with code in it needs no reading. */
  type: 'text' | 'code';
  text: string;
  language?: string;
}

const FENCE = /^(\s{0,400})(`{3,}|~{3,})([^\n]{0,200})/;
const LIST = /^\s{0,3}(?:[-*+]|\d{1,9}[.)])\s/;

/**
 * A Markdown text in the parts that do not depend on one another, so that of a text that grows only the last is read again.
 *
 * Parts end at an empty line, unless what follows may belong to them: within a fence, in a list, and where it stands further in.
 */
export function splitBlocks(text: string): MarkdownBlock[] {
  const blocks: MarkdownBlock[] = [];
  let lines: string[] = [];
  let fence: { marker: string; isWhole: boolean; language: string } | undefined;
  let isAfterEmpty = false;

  const end = () => {
    if (lines.some((line) => line.trim() !== '')) blocks.push({ type: 'text', text: withoutEnd(lines) });
    lines = [];
  };
  for (const line of text.replaceAll('\r\n', '\n').split('\n')) {
    const [, indent = '', marker = '', info = ''] = FENCE.exec(line) ?? [];
    if (fence !== undefined) {
      const isEnd = marker.startsWith(fence.marker) && info.trim() === '';
      if (!fence.isWhole) lines.push(line);
      else if (!isEnd) lines.push(line);
      else {
        blocks.push({ type: 'code', text: lines.join('\n'), language: fence.language });
        lines = [];
      }
      if (isEnd) fence = undefined;
      isAfterEmpty = false;
      continue;
    }
    if (isAfterEmpty && line.trim() !== '' && !belongs(line, lines)) end();
    if (marker !== '' && !(marker.startsWith('`') && info.includes('`'))) {
      // One that stands at the very left is a part of its own, whatever is above it.
      const isWhole = indent === '';
      if (isWhole) end();
      else lines.push(line);
      fence = { marker, isWhole, language: info.trim().split(/[\s{,]/, 1)[0]! };
      isAfterEmpty = false;
      continue;
    }
    lines.push(line);
    isAfterEmpty = line.trim() === '';
  }
  if (fence?.isWhole === true) blocks.push({ type: 'code', text: lines.join('\n'), language: fence.language });
  else end();
  return withDefinitions(blocks);
}

function withoutEnd(lines: readonly string[]): string {
  const last = lines.findLastIndex((line) => line.trim() !== '');
  return lines.slice(0, last + 1).join('\n');
}

/** Whether a line behind an empty one goes on with what is above: a list has more items, and items have more in them. */
function belongs(line: string, above: readonly string[]): boolean {
  const first = above[0] ?? '';
  if (/^(?:\t| {2,})/.test(line)) return above.some((one) => LIST.test(one)) || /^(?:\t| {4})/.test(first);
  return LIST.test(line) && LIST.test(first);
}

const DEFINITION = /^ {0,3}\[[^\]\n]{1,200}\]: {0,20}\S[^\n]{0,2000}$/gm;
const MAX_DEFINITIONS = 200;

/** Where links are defined apart from where they are used, every part that uses some must know them. */
function withDefinitions(blocks: MarkdownBlock[]): MarkdownBlock[] {
  const defined = blocks.flatMap(({ type, text }) => (type === 'text' ? (text.match(DEFINITION) ?? []) : []));
  if (defined.length === 0 || defined.length > MAX_DEFINITIONS) return blocks;
  const all = `\n\n${defined.join('\n')}`;
  return blocks.map((block) =>
    block.type === 'text' && block.text.includes(']') && blocks.length > 1
      ? { ...block, text: block.text + all }
      : block,
  );
}
