import type { Container, Item } from './markdown-line-start.ts';
import type { Style } from './paint.ts';
import { textWidth } from './text-width.ts';
import type { Run } from './wrap-writer.ts';

const PLAIN: Style = [];
const DIM: Style = ['dim'];
const BULLETS = ['•', '◦', '▪'];

/**
 * What a line begins with: bars for quotes, and the marks of items. The marks of the first `known` containers were written
 * on a line before, so their room is left empty.
 */
export function linePrefix(containers: readonly Container[], known: number, isColored: boolean): Run[] {
  let depth = 0;
  return containers.map((container, index) => {
    if (container.kind === 'quote') return isColored ? { text: '│ ', style: DIM } : { text: '> ', style: PLAIN };
    const mark = itemMark(container, depth++, isColored);
    return index < known ? { text: ' '.repeat(textWidth(mark.text)), style: PLAIN } : mark;
  });
}

function itemMark({ mark, isDone }: Item, depth: number, isColored: boolean): Run {
  if (mark.type === 'number') return { text: `${mark.value}${mark.delimiter} `, style: isColored ? DIM : PLAIN };
  if (!isColored) {
    const box = isDone === undefined ? '' : `[${isDone ? 'x' : ' '}] `;
    return { text: `${mark.sign} ${box}`, style: PLAIN };
  }
  if (isDone === undefined) return { text: `${BULLETS[depth % BULLETS.length]!} `, style: DIM };
  return isDone ? { text: '[✓] ', style: ['green'] } : { text: '[ ] ', style: DIM };
}
