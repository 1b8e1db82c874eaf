import { gatherAnswer } from '@dragoman/protocol';
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
import { decodeGeminiResponse, decodeGeminiStream } from './decode-stream.ts';
import { encodeGeminiRequest } from './encode-request.ts';
import { testTarget } from '../../routing/target.fixture.ts';

const recordings = readRecordings(new URL('./recordings/', import.meta.url));
const countingIds = () => {
  let count = 0;
  return () => `call-${++count}`;
};
const makeDecoder: MakeDecoder = (sink) => decodeGeminiStream(sink, countingIds());
const decode = (text: string) => decodePieces(makeDecoder, [Buffer.from(text)]);
const play = (scenario: string) => decode(recordings[`gemini-${scenario}`]!);

describe('reading a stream', () => {
  test('text arrives as it is written, and the last usage counts', () => {
    expect(play('text')).toEqual([
      { type: 'response-metadata', id: 'mhn8aPWvKdqJ7dcP', modelId: 'gemini-2.5-flash' },
      { type: 'text-start', id: '0' },
      { type: 'text-delta', id: '0', delta: 'Grüße, ' },
      { type: 'text-delta', id: '0', delta: '世界 🌍' },
      { type: 'text-delta', id: '0', delta: '!' },
      { type: 'text-end', id: '0' },
      {
        type: 'finish',
        finishReason: 'stop',
        rawFinishReason: 'STOP',
        usage: { inputTokens: 12, outputTokens: 6, cacheReadTokens: 8 },
      },
    ]);
  });

  test('thoughts are reasoning, and a signature that follows the text ends it', () => {
    expect(play('reasoning')).toEqual([
      { type: 'response-metadata', id: 'mhn8aPWvKdqJ7dcP', modelId: 'gemini-3-flash-preview' },
      { type: 'reasoning-start', id: '0' },
      { type: 'reasoning-delta', id: '0', delta: '**Weighing it**\n\nTwo ways lead there.' },
      { type: 'reasoning-delta', id: '0', delta: ' The second is shorter.' },
      { type: 'reasoning-end', id: '0' },
      { type: 'text-start', id: '1' },
      { type: 'text-delta', id: '1', delta: 'Take the ' },
      { type: 'text-delta', id: '1', delta: 'second.' },
      { type: 'text-end', id: '1', providerMetadata: { google: { thoughtSignature: 'EjQKMgEMOdbHO0Gd' } } },
      {
        type: 'finish',
        finishReason: 'stop',
        rawFinishReason: 'STOP',
        usage: { inputTokens: 20, outputTokens: 48, reasoningTokens: 44 },
      },
    ]);
  });

  test('each signed part is a block of its own, so that every signature goes back where it came from', () => {
    expect(play('signed-thought').slice(1, -1)).toEqual([
      { type: 'reasoning-start', id: '0' },
      { type: 'reasoning-delta', id: '0', delta: 'Looking.' },
      { type: 'reasoning-end', id: '0', providerMetadata: { google: { thoughtSignature: 'CiQBVKhc7vB2' } } },
      { type: 'text-start', id: '1' },
      { type: 'text-delta', id: '1', delta: 'Found.' },
      { type: 'text-end', id: '1', providerMetadata: { google: { thoughtSignature: 'CkEBVKhc7gEx' } } },
      { type: 'text-start', id: '2' },
      { type: 'text-delta', id: '2', delta: ' Done.' },
      { type: 'text-end', id: '2' },
    ]);
  });

  test('a tool call keeps its id and its signature, and the answer ends for it', () => {
    expect(play('tool')).toEqual([
      { type: 'response-metadata', id: 'mhn8aPWvKdqJ7dcP', modelId: 'gemini-3-flash-preview' },
      { type: 'text-start', id: '0' },
      { type: 'text-delta', id: '0', delta: 'Reading the file.' },
      { type: 'text-end', id: '0' },
      {
        type: 'tool-input-start',
        id: '8f3k2j1x',
        toolName: 'read-file',
        providerMetadata: { google: { thoughtSignature: 'EpwCCpkCAQw51sc=' } },
      },
      { type: 'tool-input-delta', id: '8f3k2j1x', delta: '{"path":"src/a.ts","lines":[1,20]}' },
      {
        type: 'tool-input-end',
        id: '8f3k2j1x',
        providerMetadata: { google: { thoughtSignature: 'EpwCCpkCAQw51sc=' } },
      },
      {
        type: 'finish',
        finishReason: 'tool-calls',
        rawFinishReason: 'STOP',
        usage: { inputTokens: 80, outputTokens: 81, reasoningTokens: 60 },
      },
    ]);
  });

  test('parallel calls without ids get one each, and no arguments are an empty object', () => {
    expect(play('parallel-tools').slice(1)).toEqual([
      {
        type: 'tool-input-start',
        id: 'call-1',
        toolName: 'get_weather',
        providerMetadata: { google: { thoughtSignature: 'CtwBAVSoXO4p' } },
      },
      { type: 'tool-input-delta', id: 'call-1', delta: '{"city":"Paris"}' },
      { type: 'tool-input-end', id: 'call-1', providerMetadata: { google: { thoughtSignature: 'CtwBAVSoXO4p' } } },
      { type: 'tool-input-start', id: 'call-2', toolName: 'get_weather' },
      { type: 'tool-input-delta', id: 'call-2', delta: '{"city":"Rome"}' },
      { type: 'tool-input-end', id: 'call-2' },
      { type: 'tool-input-start', id: 'call-3', toolName: 'get_time' },
      { type: 'tool-input-delta', id: 'call-3', delta: '{}' },
      { type: 'tool-input-end', id: 'call-3' },
      {
        type: 'finish',
        finishReason: 'tool-calls',
        rawFinishReason: 'STOP',
        usage: { inputTokens: 81, outputTokens: 36 },
      },
    ]);
  });

  test('two calls that came with the same id are told apart, and ids of our own differ between answers', () => {
    const call = { functionCall: { id: 'same', name: 'a', args: {} } };
    const text = `data: ${JSON.stringify({ candidates: [{ content: { parts: [call, call] }, finishReason: 'STOP' }] })}\n\n`;

    const ids = [1, 2]
      .flatMap(() => decodePieces(decodeGeminiStream, [Buffer.from(text)]) as { type: string; id: string }[])
      .filter((event) => event.type === 'tool-input-start')
      .map((event) => event.id);

    expect(ids).toEqual(['same', expect.stringMatching(/^call_/), 'same', expect.stringMatching(/^call_/)]);
    expect(new Set(ids).size).toBe(3);
  });

  test('an answer that reached its limit says so', () => {
    expect(play('length').at(-1)).toEqual({
      type: 'finish',
      finishReason: 'length',
      rawFinishReason: 'MAX_TOKENS',
      usage: { inputTokens: 5, outputTokens: 4 },
    });
  });

  test('an answer that a filter stopped keeps what was said before', () => {
    expect(play('refusal').slice(1)).toEqual([
      { type: 'text-start', id: '0' },
      { type: 'text-delta', id: '0', delta: 'I will' },
      { type: 'text-end', id: '0' },
      {
        type: 'finish',
        finishReason: 'content-filter',
        rawFinishReason: 'SAFETY',
        usage: { inputTokens: 7, outputTokens: 2 },
      },
    ]);
  });

  test('a prompt that was blocked is an answer without content', () => {
    expect(play('blocked-prompt')).toEqual([
      { type: 'response-metadata', id: 'qBn8aK', modelId: 'gemini-2.5-flash' },
      {
        type: 'finish',
        finishReason: 'content-filter',
        rawFinishReason: 'PROHIBITED_CONTENT',
        usage: { inputTokens: 12, outputTokens: 0 },
      },
    ]);
  });

  test('a call that the model could not write ends the answer as an error of the model', () => {
    expect(play('malformed-call').at(-1)).toEqual({
      type: 'finish',
      finishReason: 'error',
      rawFinishReason: 'MALFORMED_FUNCTION_CALL',
      usage: { inputTokens: 50, outputTokens: 0 },
    });
  });

  test('an error in the stream ends it, with the block before it closed', () => {
    expect(play('error').slice(2)).toEqual([
      { type: 'text-delta', id: '0', delta: 'Half an ' },
      { type: 'text-end', id: '0' },
      {
        type: 'error',
        code: 'rate-limited',
        message: 'The provider stopped: Resource has been exhausted (e.g. check quota).',
      },
    ]);
  });

  test('a stream that ends without a reason broke off', () => {
    const whole = recordings['gemini-text']!;

    expect(decode(whole.slice(0, whole.lastIndexOf('data:'))).slice(-2)).toEqual([
      { type: 'text-end', id: '0' },
      {
        type: 'error',
        code: 'unavailable',
        message: "Connection error: the provider's answer was terminated before its end (premature close).",
      },
    ]);
  });

  test('a reason that nobody knows is kept as it is', () => {
    const text = `data: ${JSON.stringify({ candidates: [{ finishReason: 'constructor' }] })}\n\n`;

    expect(decode(text).at(-1)).toEqual({ type: 'finish', finishReason: 'other', rawFinishReason: 'constructor' });
  });
});

describe('reading an answer that was not streamed', () => {
  const read = (body: unknown) => {
    const events: object[] = [];
    decodeGeminiResponse(body, { push: (event) => events.push(plain(event)) }, countingIds());
    return events;
  };

  test('it gives the events of a stream with one piece', () => {
    expect(
      read({
        candidates: [{ content: { parts: [{ text: 'Hm.', thought: true }, { text: 'Hi.' }] }, finishReason: 'STOP' }],
        responseId: 'r',
      }),
    ).toEqual([
      { type: 'response-metadata', id: 'r' },
      { type: 'reasoning-start', id: '0' },
      { type: 'reasoning-delta', id: '0', delta: 'Hm.' },
      { type: 'reasoning-end', id: '0' },
      { type: 'text-start', id: '1' },
      { type: 'text-delta', id: '1', delta: 'Hi.' },
      { type: 'text-end', id: '1' },
      { type: 'finish', finishReason: 'stop', rawFinishReason: 'STOP' },
    ]);
  });

  test.each([[null], [7], ['text'], [[]], [{}], [{ candidates: [null] }], [{ candidates: 'x', error: null }]])(
    '%j is no answer',
    (body) => {
      expect(read(body).at(-1)).toEqual({
        type: 'error',
        code: 'unavailable',
        message: "Connection error: the provider's answer was terminated before its end (premature close).",
      });
    },
  );

  test('an error is told in its own words', () => {
    expect(read({ error: { code: 503, message: 'The model is overloaded.', status: 'UNAVAILABLE' } })).toEqual([
      { type: 'error', code: 'unavailable', message: 'The provider stopped: The model is overloaded.' },
    ]);
  });
});

test('signatures that came with an answer go back on the very parts they came with', () => {
  const gathered = gatherAnswer();
  const decoder = decodeGeminiStream(gathered);
  decoder.feed(Buffer.from(recordings['gemini-signed-thought']! + recordings['gemini-tool']!));
  decoder.end();

  const { body } = encodeGeminiRequest(
    { prompt: [{ role: 'assistant', content: gathered.answer.content }], tools: [] },
    testTarget({ type: 'gemini' }, 'gemini-3-flash-preview'),
    true,
  );

  expect(JSON.parse(body)).toEqual({
    contents: [
      {
        role: 'model',
        parts: [
          { text: 'Looking.', thought: true, thoughtSignature: 'CiQBVKhc7vB2' },
          { text: 'Found.', thoughtSignature: 'CkEBVKhc7gEx' },
          { text: ' Done.Reading the file.' },
          {
            functionCall: { id: '8f3k2j1x', name: 'read-file', args: { path: 'src/a.ts', lines: [1, 20] } },
            thoughtSignature: 'EpwCCpkCAQw51sc=',
          },
        ],
      },
    ],
  });
});

describe.each(Object.entries(recordings))('%s', (_name, text) => {
  test('any split of the bytes gives the same events, with either line ending', () => {
    const expected = decode(text);
    const withCarriageReturns = text.replaceAll('\n', '\r\n');

    fc.assert(
      fc.property(fc.oneof(splitsOf(text), splitsOf(withCarriageReturns)), (pieces) => {
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
