import { cleanLine } from './clean-text.ts';
import { graphemes, textWidth } from './text-width.ts';

/** What is waited for, while there is nothing else to show. */
export interface Wait {
  label: string;
  /** In milliseconds since 1970. */
  since: number;
  /** What is thought so far. */
  gist: string;
}

export const FRAME_MS = 100;
const FRAMES = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];
const LEAST_GIST = 12;

/** `⠹ thinking 3 s  …should find where it is done.` */
export function waitLine({ label, since, gist }: Wait, now: number, width: number): string {
  const seconds = Math.floor((now - since) / 1000);
  const frame = FRAMES[Math.floor(now / FRAME_MS) % FRAMES.length]!;
  const head = `${frame} ${cleanLine(label)}${seconds < 1 ? '' : ` ${seconds} s`}`;
  const room = width - textWidth(head) - 2;
  const end = room < LEAST_GIST ? '' : lastWords(cleanLine(gist), room);
  return end === '' ? head : `${head}  ${end}`;
}

/** The end of a text, beginning with a whole word where there are words. */
function lastWords(text: string, room: number): string {
  if (textWidth(text) <= room) return text;
  let end = '';
  let used = 1;
  for (const grapheme of graphemes(text).reverse()) {
    used += textWidth(grapheme);
    if (used > room) break;
    end = grapheme + end;
  }
  const space = end.indexOf(' ');
  return `…${space === -1 || space > LEAST_GIST ? end : end.slice(space + 1)}`;
}
