/** How many of these words are terms of the question. */
export function termHits(words: readonly string[], termIndex: ReadonlyMap<string, number>): number {
  let found = 0;
  for (const word of words) if (termIndex.has(word)) found++;
  return found;
}
