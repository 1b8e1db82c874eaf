import { expect, test } from 'vitest';
import { keepQuestions, readQuestions, withQuestion } from './recent-questions.ts';

function storage(kept: Record<string, string> = {}) {
  const texts = new Map(Object.entries(kept));
  return {
    getItem: (key: string) => texts.get(key) ?? null,
    setItem: (key: string, text: string) => void texts.set(key, text),
    removeItem: (key: string) => void texts.delete(key),
  };
}

test('the newest question comes first, each once, and the oldest are forgotten', () => {
  let questions: string[] = [];
  for (const number of [1, 2, 3, 4, 5, 6, 7, 8, 9, 3]) questions = withQuestion(questions, `q${number}`);
  expect(questions).toEqual(['q3', 'q9', 'q8', 'q7', 'q6', 'q5', 'q4', 'q2']);
});

test('questions are remembered for their workspace, very long ones are not', () => {
  const kept = storage();
  keepQuestions('one', ['how', 'x'.repeat(301)], kept);
  expect(readQuestions('one', kept)).toEqual(['how']);
  expect(readQuestions('other', kept)).toEqual([]);
  keepQuestions('one', [], kept);
  expect(readQuestions('one', kept)).toEqual([]);
});

test('whatever stands in the storage, a list comes out of it', () => {
  for (const text of ['', '{', '5', 'null', '{"a":1}', '[1,null,{}]'])
    expect(readQuestions('one', storage({ 'questions.one': text }))).toEqual([]);
});
