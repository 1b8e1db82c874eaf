import type { DiffSide } from '../../../diff/diff-view.tsx';

/** Something to say about a line of a change. */
export interface ReviewComment {
  id: string;
  path: string;
  line: number;
  side: DiffSide;
  /** What stands in that line. */
  quoted: string;
  text: string;
}

const MAX_QUOTED = 300;

/** The prompt that takes comments to the agent: each with its place and the line it is about, in the order of places. */
export function reviewPrompt(comments: readonly ReviewComment[], words: { intro: string; before: string }): string {
  const inOrder = comments.toSorted((one, other) => compare(one.path, other.path) || one.line - other.line);
  const parts = inOrder.map(({ path, line, side, quoted, text }) => {
    const place = side === 'old' ? `${path}:${line} (${words.before})` : `${path}:${line}`;
    return `${place}\n> ${shorten(quoted)}\n${text.trim()}`;
  });
  return [words.intro, ...parts].join('\n\n');
}

function compare(one: string, other: string): number {
  return one < other ? -1 : Number(one > other);
}

function shorten(text: string): string {
  const line = text.replaceAll(/[\r\n]+/g, ' ');
  return line.length > MAX_QUOTED ? `${line.slice(0, MAX_QUOTED)}…` : line;
}
