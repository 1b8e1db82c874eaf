import { readFileSync } from 'node:fs';
import { readOrStop, stop } from '../stop.ts';

/** How well one question was answered, as `fit.ts --scores` writes it. */
export interface QuestionScore {
  set: string;
  id: string;
  ndcg: number;
  recall: number;
}

if (import.meta.main) {
  const [one, other] = process.argv.slice(2);
  if (one === undefined || other === undefined) stop('compare.ts ONE OTHER, two files that fit.ts --scores wrote');
  const read = (file: string) => readOrStop(file, () => JSON.parse(readFileSync(file, 'utf8')) as QuestionScore[]);
  for (const line of compareScores(read(one), read(other))) process.stdout.write(`${line}\n`);
}

/** For each set the means of both, and their difference with its 95% interval, question by question. */
export function compareScores(ones: readonly QuestionScore[], others: readonly QuestionScore[]): string[] {
  const byQuestion = new Map(others.map((score) => [`${score.set} ${score.id}`, score]));
  return [...Map.groupBy(ones, ({ set }) => set)].map(([set, scores]) => {
    const pairs = scores.map((one) => ({ one, other: byQuestion.get(`${set} ${one.id}`)! }));
    const told = (['ndcg', 'recall'] as const).map((measure) => {
      const differences = pairs.map(({ one, other }) => one[measure] - other[measure]);
      const mean = average(differences);
      const deviation = Math.sqrt(average(differences.map((value) => (value - mean) ** 2)));
      const interval = (1.96 * deviation) / Math.sqrt(differences.length);
      const [first, second] = [
        average(pairs.map(({ one }) => one[measure])),
        average(pairs.map(({ other }) => other[measure])),
      ];
      return `${measure}@10 ${first.toFixed(4)} and ${second.toFixed(4)}, difference ${mean.toFixed(4)} ± ${interval.toFixed(4)}`;
    });
    const better = pairs.filter(({ one, other }) => one.ndcg > other.ndcg + 1e-9).length;
    const worse = pairs.filter(({ one, other }) => one.ndcg < other.ndcg - 1e-9).length;
    return `${set} (${pairs.length} questions): ${told.join('; ')}; better ${better}, worse ${worse}`;
  });
}

function average(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
}
