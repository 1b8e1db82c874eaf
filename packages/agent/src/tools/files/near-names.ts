/**
 * The names that someone who wrote `wanted` may have meant, the likeliest first.
 *
 * Another case, another ending, a piece of the name, or a slip of a few letters; names that only share a letter are no help.
 */
export function nearNames(wanted: string, names: readonly string[], limit = 3): string[] {
  const target = wanted.toLowerCase();
  return names
    .map((name) => ({ name, distance: distanceOf(target, name.toLowerCase()) }))
    .filter(({ distance }) => distance < 1)
    .toSorted((a, b) => a.distance - b.distance || (a.name < b.name ? -1 : 1))
    .slice(0, limit)
    .map(({ name }) => name);
}

/** From 0, the same, to 1, not alike. */
function distanceOf(wanted: string, name: string): number {
  if (wanted === name) return 0;
  if (stem(wanted) === stem(name)) return 0.1;
  if (lettersOf(wanted) === lettersOf(name)) return 0.2;
  const slips = editDistance(wanted, name, Math.floor(Math.max(wanted.length, name.length) / 3));
  if (slips !== undefined) return 0.2 + (0.3 * slips) / Math.max(wanted.length, name.length);
  const isPiece = (whole: string, piece: string) => piece.length >= 3 && whole.includes(piece);
  return isPiece(name, stem(wanted)) || isPiece(wanted, stem(name)) ? 0.6 : 1;
}

function stem(name: string): string {
  const dot = name.indexOf('.', 1);
  return dot === -1 ? name : name.slice(0, dot);
}

/** The same letters in another order are a slip as well. */
function lettersOf(name: string): string {
  return Array.from(name).toSorted().join('');
}

/** Insertions, deletions and replacements between two words, when they are no more than `most`. */
function editDistance(a: string, b: string, most: number): number | undefined {
  if (Math.abs(a.length - b.length) > most) return undefined;
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  const distance = row[b.length] ?? 0;
  return distance <= most ? distance : undefined;
}
