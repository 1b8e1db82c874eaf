const MAX_SHOWN = 12;
const MAX_SEARCHED = 50_000;
const LIKE_ENOUGH = 0.5;

/**
 * The lines of a text that look most like a piece that was not found, with their numbers, as `read` shows them; nothing when
 * none comes near. For the model to compare with, never to be edited by itself.
 */
export function closestLines(content: string, piece: string): string | undefined {
  const lines = content.split(/\r?\n/, MAX_SEARCHED);
  const wanted = piece.split(/\r?\n/).map((line) => line.trim());
  const lead = wanted.findIndex((line) => line !== '');
  if (lead === -1) return undefined;
  const best =
    bestAlignment(
      lines.map((line) => line.trim()),
      wanted,
    ) ?? mostAlike(lines, wanted[lead] ?? '', lead);
  if (best === undefined) return undefined;
  const from = Math.max(0, best);
  return lines
    .slice(from, Math.max(best + Math.min(wanted.length, MAX_SHOWN), from + 1))
    .map((line, index) => `${from + index + 1}\t${line.slice(0, 300)}`)
    .join('\n');
}

/** Where most lines of the piece stand in their place. Lines of brackets alone are everywhere and say nothing. */
function bestAlignment(lines: readonly string[], wanted: readonly string[]): number | undefined {
  const offsets = new Map<string, number[]>();
  wanted.forEach((line, index) => {
    if (/\w/.test(line)) offsets.set(line, [...(offsets.get(line) ?? []), index]);
  });
  const scores = new Map<number, number>();
  lines.forEach((line, number) => {
    for (const offset of offsets.get(line) ?? []) scores.set(number - offset, (scores.get(number - offset) ?? 0) + 1);
  });
  let best: number | undefined;
  for (const [start, score] of scores) if (best === undefined || score > (scores.get(best) ?? 0)) best = start;
  return best;
}

function mostAlike(lines: readonly string[], wanted: string, offset: number): number | undefined {
  const pairs = pairsOf(wanted);
  let best: { at: number; likeness: number } | undefined;
  lines.forEach((line, at) => {
    const likeness = likenessOf(pairs, wanted.length, line.trim());
    if (likeness >= LIKE_ENOUGH && likeness > (best?.likeness ?? 0)) best = { at, likeness };
  });
  return best === undefined ? undefined : best.at - offset;
}

/** The share of neighbouring letters that two lines have in common. */
function likenessOf(pairs: ReadonlyMap<string, number>, wantedLength: number, line: string): number {
  if (line.length < 2 || wantedLength < 2 || line.length > wantedLength * 3 + 20) return 0;
  const left = new Map(pairs);
  let shared = 0;
  for (let at = 0; at < line.length - 1; at++) {
    const pair = line.slice(at, at + 2);
    const count = left.get(pair) ?? 0;
    if (count === 0) continue;
    shared++;
    left.set(pair, count - 1);
  }
  return (2 * shared) / (line.length + wantedLength - 2);
}

function pairsOf(text: string): Map<string, number> {
  const pairs = new Map<string, number>();
  for (let at = 0; at < text.length - 1; at++) {
    const pair = text.slice(at, at + 2);
    pairs.set(pair, (pairs.get(pair) ?? 0) + 1);
  }
  return pairs;
}
