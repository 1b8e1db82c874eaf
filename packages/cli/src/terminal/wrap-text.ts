import { graphemes, graphemeWidth, textWidth } from './text-width.ts';
import { WrapWriter } from './wrap-writer.ts';

/** Plain text as lines of a given width; the first begins with `first`, the others with as many spaces. */
export function wrapText(text: string, width: number, first = ''): string[] {
  let wrapped = '';
  const writer = new WrapWriter(width, (piece) => (wrapped += piece));
  const rest = ' '.repeat(textWidth(first));
  writer.setPrefix([{ text: first, style: [] }], [{ text: rest, style: [] }]);
  writer.text({ text, style: [] });
  writer.endLine();
  return wrapped.replace(/\n$/, '').split('\n');
}

/** A line with every space kept, broken where the width ends; each begins with `first` or as many spaces. */
export function breakLine(line: string, width: number, first = ''): string[] {
  const room = Math.max(2, width - textWidth(first));
  const lines = [''];
  let used = 0;
  for (const grapheme of graphemes(line)) {
    used += graphemeWidth(grapheme);
    if (used > room) {
      lines.push('');
      used = graphemeWidth(grapheme);
    }
    lines[lines.length - 1] += grapheme;
  }
  return lines.map((text, index) => `${index === 0 ? first : ' '.repeat(textWidth(first))}${text}`);
}
