const K1 = 1.2;
const B = 0.75;

/** How well each text fits a question by its words alone: the score that vectors have to beat. */
export function bm25(texts: readonly (readonly string[])[]): (question: readonly string[]) => Float64Array {
  const postings = new Map<string, Map<number, number>>();
  for (const [at, words] of texts.entries())
    for (const word of words) {
      const counts = postings.get(word) ?? new Map<number, number>();
      postings.set(word, counts);
      counts.set(at, (counts.get(at) ?? 0) + 1);
    }
  const meanLength = texts.reduce((sum, { length }) => sum + length, 0) / texts.length;
  return (question) => {
    const scores = new Float64Array(texts.length);
    for (const word of new Set(question)) {
      const counts = postings.get(word);
      if (counts === undefined) continue;
      const rarity = Math.log(1 + (texts.length - counts.size + 0.5) / (counts.size + 0.5));
      for (const [at, count] of counts) {
        const length = texts[at]!.length / meanLength;
        scores[at] = scores[at]! + (rarity * count * (K1 + 1)) / (count + K1 * (1 - B + B * length));
      }
    }
    return scores;
  };
}
