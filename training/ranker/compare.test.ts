import { expect, test } from 'vitest';
import { compareScores } from './compare.ts';

test('two runs are compared question by question, each set by itself', () => {
  const score = (set: string, id: string, ndcg: number) => ({ set, id, ndcg, recall: 1 });

  expect(
    compareScores(
      [score('commit', 'a', 0.8), score('commit', 'b', 0.6), score('other', 'a', 0.5)],
      [score('other', 'a', 0.5), score('commit', 'b', 0.6), score('commit', 'a', 0.4)],
    ),
  ).toEqual([
    'commit (2 questions): ndcg@10 0.7000 and 0.5000, difference 0.2000 ± 0.2772; recall@10 1.0000 and 1.0000, difference 0.0000 ± 0.0000; better 1, worse 0',
    'other (1 questions): ndcg@10 0.5000 and 0.5000, difference 0.0000 ± 0.0000; recall@10 1.0000 and 1.0000, difference 0.0000 ± 0.0000; better 0, worse 0',
  ]);
});
