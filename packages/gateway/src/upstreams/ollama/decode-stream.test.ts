import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  brokenRules,
  decodePieces,
  type MakeDecoder,
  mutationsOf,
  plain,
  readRecordings,
  splitsOf,
} from '../decoder-rules.fixture.ts';
import { decodeOllamaResponse, decodeOllamaStream } from './decode-stream.ts';

const recordings = readRecordings(new URL('./recordings/', import.meta.url));
const countingIds = () => {
  let count = 0;
  return () => `call-${++count}`;
};
const makeDecoder: MakeDecoder = (sink) => decodeOllamaStream(sink, countingIds());
const decode = (text: string) => decodePieces(makeDecoder, [Buffer.from(text)]);
const play = (scenario: string) => decode(recordings[`ollama-${scenario}`]!);

describe('reading a stream', () => {
  test('text, then the reason and the counts with the last line', () => {
    expect(play('text')).toEqual([
      { type: 'response-metadata', modelId: 'qwen3:8b' },
      { type: 'text-start', id: '0' },
      { type: 'text-delta', id: '0', delta: 'Grüße, ' },
      { type: 'text-delta', id: '0', delta: '世界 🌍' },
      { type: 'text-delta', id: '0', delta: '!' },
      { type: 'text-end', id: '0' },
      { type: 'finish', finishReason: 'stop', rawFinishReason: 'stop', usage: { inputTokens: 26, outputTokens: 7 } },
    ]);
  });

  test('thinking is reasoning and ends where the text begins', () => {
    expect(play('reasoning').slice(1)).toEqual([
      { type: 'reasoning-start', id: '0' },
      { type: 'reasoning-delta', id: '0', delta: 'Count the ' },
      { type: 'reasoning-delta', id: '0', delta: 'letters.' },
      { type: 'reasoning-end', id: '0' },
      { type: 'text-start', id: '1' },
      { type: 'text-delta', id: '1', delta: 'Three' },
      { type: 'text-delta', id: '1', delta: '.' },
      { type: 'text-end', id: '1' },
      { type: 'finish', finishReason: 'stop', rawFinishReason: 'stop', usage: { inputTokens: 18, outputTokens: 40 } },
    ]);
  });

  test('a tool call keeps its id, and the answer ends for it', () => {
    expect(play('tool').slice(4)).toEqual([
      { type: 'text-start', id: '1' },
      { type: 'text-delta', id: '1', delta: 'Reading.' },
      { type: 'text-end', id: '1' },
      { type: 'tool-input-start', id: 'call_r4nd0m', toolName: 'read-file' },
      { type: 'tool-input-delta', id: 'call_r4nd0m', delta: '{"path":"src/a.ts","lines":[1,20]}' },
      { type: 'tool-input-end', id: 'call_r4nd0m' },
      {
        type: 'finish',
        finishReason: 'tool-calls',
        rawFinishReason: 'stop',
        usage: { inputTokens: 169, outputTokens: 15 },
      },
    ]);
  });

  test('parallel calls without ids, as older servers send them, get one each', () => {
    expect(play('parallel-tools').slice(1)).toEqual([
      { type: 'tool-input-start', id: 'call-1', toolName: 'get_weather' },
      { type: 'tool-input-delta', id: 'call-1', delta: '{"city":"Paris"}' },
      { type: 'tool-input-end', id: 'call-1' },
      { type: 'tool-input-start', id: 'call-2', toolName: 'get_weather' },
      { type: 'tool-input-delta', id: 'call-2', delta: '{"city":"Rome"}' },
      { type: 'tool-input-end', id: 'call-2' },
      { type: 'tool-input-start', id: 'call-3', toolName: 'get_time' },
      { type: 'tool-input-delta', id: 'call-3', delta: '{}' },
      { type: 'tool-input-end', id: 'call-3' },
      {
        type: 'finish',
        finishReason: 'tool-calls',
        rawFinishReason: 'stop',
        usage: { inputTokens: 182, outputTokens: 36 },
      },
    ]);
  });

  test('an answer that reached its limit says so', () => {
    expect(play('length').at(-1)).toEqual({
      type: 'finish',
      finishReason: 'length',
      rawFinishReason: 'length',
      usage: { inputTokens: 9, outputTokens: 4 },
    });
  });

  test('a refusal is text like any other, because Ollama has no word for it', () => {
    expect(play('refusal').slice(2)).toEqual([
      { type: 'text-delta', id: '0', delta: "I can't help with that." },
      { type: 'text-end', id: '0' },
      { type: 'finish', finishReason: 'stop', rawFinishReason: 'stop', usage: { inputTokens: 12, outputTokens: 8 } },
    ]);
  });

  test('an error in the stream ends it, with the block before it closed', () => {
    expect(play('error').slice(2)).toEqual([
      { type: 'text-delta', id: '0', delta: 'Half an ' },
      { type: 'text-end', id: '0' },
      {
        type: 'error',
        code: 'unavailable',
        message: 'The provider stopped: an error was encountered while running the model: CUDA error',
      },
    ]);
  });

  test('a stream that ends before it is done broke off', () => {
    expect(decode('{"model":"m","message":{"role":"assistant","content":"a"},"done":false}\n').slice(-2)).toEqual([
      { type: 'text-end', id: '0' },
      {
        type: 'error',
        code: 'unavailable',
        message: "Connection error: the provider's answer was terminated before its end (premature close).",
      },
    ]);
  });

  test('nothing after the last line is read, and what is not JSON is skipped', () => {
    expect(
      decode('oops\n\n7\n{"message":{"content":"a"},"done":true}\n{"error":"late"}\n{"message":{"content":"b"}}'),
    ).toEqual([
      { type: 'response-metadata' },
      { type: 'text-start', id: '0' },
      { type: 'text-delta', id: '0', delta: 'a' },
      { type: 'text-end', id: '0' },
      { type: 'finish', finishReason: 'stop' },
    ]);
  });

  test('a last line without its newline counts', () => {
    expect(decode('{"message":{"content":""},"done":true,"done_reason":"load"}').at(-1)).toEqual({
      type: 'finish',
      finishReason: 'other',
      rawFinishReason: 'load',
    });
  });
});

describe('reading an answer that was not streamed', () => {
  const read = (body: unknown) => {
    const events: object[] = [];
    decodeOllamaResponse(body, { push: (event) => events.push(plain(event)) }, countingIds());
    return events;
  };

  test('it gives the events of a stream with one line; a count of nought is left out there', () => {
    expect(
      read({
        model: 'm',
        message: { role: 'assistant', content: 'Hi.', thinking: 'Hm.' },
        done: true,
        done_reason: 'stop',
        eval_count: 3,
      }),
    ).toEqual([
      { type: 'response-metadata', modelId: 'm' },
      { type: 'reasoning-start', id: '0' },
      { type: 'reasoning-delta', id: '0', delta: 'Hm.' },
      { type: 'reasoning-end', id: '0' },
      { type: 'text-start', id: '1' },
      { type: 'text-delta', id: '1', delta: 'Hi.' },
      { type: 'text-end', id: '1' },
      { type: 'finish', finishReason: 'stop', rawFinishReason: 'stop', usage: { inputTokens: 0, outputTokens: 3 } },
    ]);
  });

  test.each([[null], [7], ['text'], [[]], [{}], [{ done: 'true' }]])('%j is no answer', (body) => {
    expect(read(body).at(-1)).toEqual({
      type: 'error',
      code: 'unavailable',
      message: "Connection error: the provider's answer was terminated before its end (premature close).",
    });
  });

  test('an error is told in its own words', () => {
    expect(read({ error: 'model not loaded' })).toEqual([
      { type: 'error', code: 'unavailable', message: 'The provider stopped: model not loaded' },
    ]);
  });
});

describe.each(Object.entries(recordings))('%s', (_name, text) => {
  test('any split of the bytes gives the same events, with either line ending', () => {
    const expected = decode(text);

    fc.assert(
      fc.property(fc.oneof(splitsOf(text), splitsOf(text.replaceAll('\n', '\r\n'))), (pieces) => {
        expect(decodePieces(makeDecoder, pieces)).toEqual(expected);
      }),
      { seed: 7, numRuns: 100 },
    );
  });

  test('whatever happens to it, it is an answer with one end and no open block', () => {
    fc.assert(
      fc.property(mutationsOf(text), (bytes) => {
        expect(brokenRules(decodePieces(makeDecoder, [bytes]))).toEqual([]);
      }),
      { seed: 7, numRuns: 300 },
    );
  });
});
