import type { Hit } from '../code-index.ts';

/** The lines of a hit that a file of so many lines has. */
export function wantedLines(hit: Hit, lineCount: number): { start: number; end: number } {
  const start = Math.min(Math.max(hit.start, 1), lineCount);
  return { start, end: Math.min(Math.max(hit.end, start), lineCount) };
}
