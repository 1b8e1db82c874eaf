import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { brokenRules, plain, readRecordings, withValue } from '../decoder-rules.fixture.ts';
import { AiSdkAnswerReader, decodeAiSdkResult } from './decode-stream.ts';
import type { AiSdkResult, AiSdkStreamPart } from './wire.ts';

const recordings = Object.fromEntries(
  Object.entries(readRecordings(new URL('./recordings/', import.meta.url))).map(([name, text]) => [
    name,
    text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as AiSdkStreamPart),
  ]),
);

function decode(parts: AiSdkStreamPart[]): object[] {
  const events: object[] = [];
  const answer = new AiSdkAnswerReader({ push: (event) => events.push(plain(event)) });
  for (const part of parts) answer.take(part);
  answer.end();
  return events;
}
const play = (scenario: string) => decode(recordings[`ai-sdk-${scenario}`]!);

describe('reading a stream', () => {
  test('text with usage in the shape of versions 3 and 4', () => {
    expect(play('text')).toEqual([
      { type: 'response-metadata', id: 'r1', modelId: 'thing-1' },
      { type: 'text-start', id: 't0' },
      { type: 'text-delta', id: 't0', delta: 'Hello ' },
      { type: 'text-delta', id: 't0', delta: 'there.' },
      { type: 'text-end', id: 't0' },
      {
        type: 'finish',
        finishReason: 'stop',
        rawFinishReason: 'end_turn',
        usage: { inputTokens: 10, outputTokens: 5, cacheReadTokens: 4, cacheWriteTokens: 2 },
      },
    ]);
  });

  test('text with usage in the shape of version 2', () => {
    expect(play('text-v2').at(-1)).toEqual({
      type: 'finish',
      finishReason: 'stop',
      usage: { inputTokens: 10, outputTokens: 5, reasoningTokens: 2, cacheReadTokens: 4 },
    });
  });

  test('a signature that came with a piece of reasoning leaves with its end', () => {
    expect(play('reasoning').slice(1)).toEqual([
      { type: 'reasoning-start', id: '0' },
      { type: 'reasoning-delta', id: '0', delta: 'Hm.' },
      { type: 'reasoning-end', id: '0', providerMetadata: { anthropic: { signature: 'sig-1' } } },
      { type: 'text-start', id: '1' },
      { type: 'text-delta', id: '1', delta: 'Yes.' },
      { type: 'text-end', id: '1' },
      {
        type: 'finish',
        finishReason: 'stop',
        rawFinishReason: 'end_turn',
        usage: { inputTokens: 10, outputTokens: 9, reasoningTokens: 7 },
      },
    ]);
  });

  test('a call ends with what its provider wants back, and the text before it has ended by then', () => {
    expect(play('tool').slice(1)).toEqual([
      { type: 'text-start', id: 'txt-0' },
      { type: 'text-delta', id: 'txt-0', delta: 'Reading.' },
      { type: 'text-end', id: 'txt-0' },
      { type: 'tool-input-start', id: 'c1', toolName: 'read-file' },
      { type: 'tool-input-delta', id: 'c1', delta: '{"path":' },
      { type: 'tool-input-delta', id: 'c1', delta: '"a.ts"}' },
      { type: 'tool-input-end', id: 'c1', providerMetadata: { google: { thoughtSignature: 'sig-2' } } },
      {
        type: 'finish',
        finishReason: 'tool-calls',
        rawFinishReason: 'tool_use',
        usage: { inputTokens: 20, outputTokens: 8 },
      },
    ]);
  });

  test('parallel calls keep their pieces apart, one may come whole, and one that the provider runs is not ours', () => {
    expect(play('parallel-tools').slice(1)).toEqual([
      { type: 'tool-input-start', id: 'c1', toolName: 'get_weather' },
      { type: 'tool-input-start', id: 'c2', toolName: 'get_weather' },
      { type: 'tool-input-delta', id: 'c2', delta: '{"city":"Rome"}' },
      { type: 'tool-input-delta', id: 'c1', delta: '{"city":"Paris"}' },
      { type: 'tool-input-end', id: 'c1' },
      { type: 'tool-input-end', id: 'c2' },
      { type: 'tool-input-start', id: 'c3', toolName: 'get_time' },
      { type: 'tool-input-delta', id: 'c3', delta: '{}' },
      { type: 'tool-input-end', id: 'c3' },
      {
        type: 'finish',
        finishReason: 'tool-calls',
        rawFinishReason: 'tool_calls',
        usage: { inputTokens: 20, outputTokens: 30 },
      },
    ]);
  });

  test('pieces that are not JSON give way to the call that is', () => {
    expect(
      decode([
        { type: 'tool-input-start', id: 'c', toolName: 'run', inputEncoding: 'text' },
        { type: 'tool-input-delta', id: 'c', delta: 'ls -l' },
        { type: 'tool-call', toolCallId: 'c', toolName: 'run', input: '"ls -l"' },
        { type: 'finish', finishReason: 'tool-calls' },
      ]),
    ).toEqual([
      { type: 'tool-input-start', id: 'c', toolName: 'run' },
      { type: 'tool-input-delta', id: 'c', delta: '"ls -l"' },
      { type: 'tool-input-end', id: 'c' },
      { type: 'finish', finishReason: 'tool-calls' },
    ]);
  });

  test('an answer that reached its limit and one that a filter stopped say so', () => {
    expect(play('length').at(-1)).toEqual({
      type: 'finish',
      finishReason: 'length',
      rawFinishReason: 'max_tokens',
      usage: { inputTokens: 5, outputTokens: 4 },
    });
    expect(play('refusal').at(-1)).toEqual({
      type: 'finish',
      finishReason: 'content-filter',
      rawFinishReason: 'refusal',
      usage: { inputTokens: 5, outputTokens: 0 },
    });
  });

  test('an answer that was interrupted, or has no finish, broke off', () => {
    const brokenOff = [
      { type: 'text-end', id: 't0' },
      {
        type: 'error',
        code: 'unavailable',
        message: "Connection error: the provider's answer was terminated before its end (premature close).",
      },
    ];

    expect(play('interrupted').slice(-2)).toEqual(brokenOff);
    expect(decode(recordings['ai-sdk-text']!.slice(0, -2)).slice(-2)).toEqual(brokenOff);
  });

  test.each([
    ['unknown', 'other'],
    ['constructor', 'other'],
    ['error', 'error'],
  ])('the finish reason %s is %s', (finishReason, expected) => {
    expect(decode([{ type: 'finish', finishReason }])).toEqual([{ type: 'finish', finishReason: expected }]);
  });
});

test('an answer that was not streamed gives the same events', () => {
  const events: object[] = [];
  const result: AiSdkResult = {
    content: [
      { type: 'reasoning', text: 'Hm.', providerMetadata: { anthropic: { signature: 's' } } },
      { type: 'text', text: 'Reading.' },
      { type: 'source', id: 'x' },
      { type: 'tool-call', toolCallId: 'c1', toolName: 'read', input: '{"path":"a"}' },
    ],
    finishReason: { unified: 'tool-calls', raw: 'tool_use' },
    usage: { inputTokens: 3, outputTokens: 4 },
    response: { id: 'r', modelId: 'm' },
  };

  decodeAiSdkResult(result, { push: (event) => events.push(event) });

  expect(events).toEqual([
    { type: 'response-metadata', id: 'r', modelId: 'm' },
    { type: 'reasoning-start', id: '0' },
    { type: 'reasoning-delta', id: '0', delta: 'Hm.' },
    { type: 'reasoning-end', id: '0', providerMetadata: { anthropic: { signature: 's' } } },
    { type: 'text-start', id: '1' },
    { type: 'text-delta', id: '1', delta: 'Reading.' },
    { type: 'text-end', id: '1' },
    { type: 'tool-input-start', id: 'c1', toolName: 'read' },
    { type: 'tool-input-delta', id: 'c1', delta: '{"path":"a"}' },
    { type: 'tool-input-end', id: 'c1' },
    {
      type: 'finish',
      finishReason: 'tool-calls',
      rawFinishReason: 'tool_use',
      usage: { inputTokens: 3, outputTokens: 4 },
    },
  ]);
});

test('whatever parts come in whatever order, it is an answer with one end and no open block', () => {
  const known = Object.values(recordings).flat();
  const changed = fc
    .tuple(fc.constantFrom(...known), fc.nat(), fc.jsonValue())
    .map(([part, slot, value]) => withValue(structuredClone(part), slot, value) as AiSdkStreamPart);

  fc.assert(
    fc.property(
      fc.array(
        fc.oneof(
          { weight: 4, arbitrary: fc.constantFrom(...known.filter((part) => part.type !== 'finish')) },
          { weight: 1, arbitrary: changed },
        ),
        { maxLength: 40 },
      ),
      (parts) => {
        expect(brokenRules(decode(parts))).toEqual([]);
      },
    ),
    { seed: 7, numRuns: 2000 },
  );
});
