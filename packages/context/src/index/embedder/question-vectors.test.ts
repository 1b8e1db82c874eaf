import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { axesEmbedder, axesOf } from './axes-embedder.fixture.ts';
import { padVector } from './pad-vector.ts';
import { QuestionVectors, type QuestionVectorsOptions } from './question-vectors.ts';

function setUp(options?: QuestionVectorsOptions) {
  const embedder = axesEmbedder(40);
  const warnings: object[] = [];
  const log = { warn: (facts: object, message: string) => void warnings.push({ ...facts, message }) };
  return { embedder, warnings, questions: new QuestionVectors(embedder, log, options) };
}
const WARNING = {
  vectors: 'test/axes',
  message: 'the vector of a question could not be had; it is answered by words alone',
};

test('a question gets its vector, filled up to whole blocks, and is asked for once', async () => {
  const { embedder, questions } = setUp();
  const expected = padVector(axesOf('mail', 40));
  expect(expected).toHaveLength(64);

  expect(await questions.of('how is mail sent')).toEqual(expected);
  expect(await questions.of('how is mail sent')).toEqual(expected);
  expect(embedder.calls).toEqual([['how is mail sent']]);
});

test('the last 256 questions are kept', async () => {
  const { embedder, questions } = setUp();
  await questions.of('the first question');
  for (let at = 0; at < 256; at++) await questions.of(`question number ${at}`);
  await questions.of('question number 0');
  expect(embedder.calls).toHaveLength(257);
  await questions.of('the first question');
  expect(embedder.calls).toHaveLength(258);
});

test('names are looked up as they are: nobody is asked for their vectors', async () => {
  const { embedder, questions } = setUp();
  expect(await questions.of('retryWithBackoff')).toBeUndefined();
  expect(await questions.of('net::Socket')).toBeUndefined();
  expect(embedder.calls).toEqual([]);
});

test('a question that gets no vector is told once, and asked for again the next time', async () => {
  const { embedder, warnings, questions } = setUp();
  embedder.instead = () => Promise.reject(new Error('it is down'));
  expect(await questions.of('how is mail sent')).toBeUndefined();
  expect(warnings).toEqual([{ ...WARNING, reason: 'it is down' }]);

  embedder.instead = undefined;
  expect(await questions.of('how is mail sent')).toBeDefined();
  expect(warnings).toHaveLength(1);
});

test('a vector that takes too long is not waited for', async () => {
  const { embedder, warnings, questions } = setUp({ limitMs: 10 });
  embedder.instead = (_texts, signal) => delay(60_000, [], { signal, ref: false });
  expect(await questions.of('how is mail sent')).toBeUndefined();
  expect(warnings).toMatchObject([WARNING]);
});

test('where the question has waited for vectors of files before, it waits for its own only for a moment', async () => {
  const { embedder, warnings, questions } = setUp({ limitMs: 3_600_000, hasWaited: () => true });
  embedder.instead = (_texts, signal) => delay(3_600_000, [], { signal, ref: false });
  expect(await questions.of('how is mail sent')).toBeUndefined();
  expect(warnings).toMatchObject([WARNING]);
});

test('whoever leaves is not told about', async () => {
  const { embedder, warnings, questions } = setUp();
  const leaving = new AbortController();
  embedder.instead = (_texts, signal) => {
    leaving.abort();
    return delay(60_000, [], { signal, ref: false });
  };
  expect(await questions.of('how is mail sent', leaving.signal)).toBeUndefined();
  expect(warnings).toEqual([]);
});

test('a vector of nothing but zeros, and one that is no match for those of files, are told and not kept', async () => {
  const { embedder, warnings, questions } = setUp();
  embedder.instead = (texts) => Promise.resolve(texts.map(() => new Float32Array(40)));
  expect(await questions.of('how is mail sent')).toBeUndefined();
  expect(warnings).toEqual([{ ...WARNING, reason: 'test/axes answered with a vector of nothing but zeros.' }]);

  embedder.instead = undefined;
  await questions.of('how is mail sent');
  questions.misfits('how is mail sent');
  expect(warnings[1]).toEqual({
    ...WARNING,
    reason: 'test/axes answered with a vector of other dimensions than those of files have.',
  });
  await questions.of('how is mail sent');
  expect(embedder.calls).toHaveLength(3);
});
