import { DragomanError, gatherAnswer, type ModelEvent } from '@dragoman/protocol';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { randomAnswer } from '../anthropic-messages/random-answer.fixture.ts';
import { decodeGeminiRequest } from './decode-request.ts';
import { encodeGeminiResponse } from './encode-response.ts';
import { encodeGeminiBreak, encodeGeminiList, encodeGeminiStream } from './encode-stream.ts';
import type { GeminiAnswerPart } from './wire.ts';

const requestFor = (includeThoughts: boolean) =>
  decodeGeminiRequest(
    { contents: 'Hi', generationConfig: { thinkingConfig: { includeThoughts } } },
    { asked: 'default', isStreamed: true },
  );
const request = requestFor(true);

function write(events: ModelEvent[], encode = encodeGeminiStream, asked = request): string {
  let text = '';
  const sink = encode((piece) => (text += piece), asked);
  for (const event of events) sink.push(event);
  return text;
}

interface Piece {
  candidates?: [{ content: { parts: GeminiAnswerPart[]; role: string }; finishReason?: string; index: number }];
  usageMetadata?: object;
  modelVersion?: string;
  responseId?: string;
  error?: object;
}

function read(stream: string): Piece[] {
  return stream
    .split('\n\n')
    .slice(0, -1)
    .map((event) => JSON.parse(event.slice('data: '.length)) as Piece);
}
const partsOf = (pieces: Piece[]) => pieces.flatMap(({ candidates }) => candidates?.[0].content.parts ?? []);

const METADATA: ModelEvent = { type: 'response-metadata', id: 'r1', modelId: 'gemini-3-pro' };
const FINISH: ModelEvent = { type: 'finish', finishReason: 'stop' };
const SIGNED = { providerMetadata: { google: { thoughtSignature: 'c2ln' } } };
const text = (...pieces: string[]): ModelEvent[] => [
  { type: 'text-start', id: '0' },
  ...pieces.map((delta): ModelEvent => ({ type: 'text-delta', id: '0', delta })),
  { type: 'text-end', id: '0' },
];
const callOf = (id: string, input: string, metadata = {}): ModelEvent[] => [
  { type: 'tool-input-start', id, toolName: 'read' },
  { type: 'tool-input-delta', id, delta: input.slice(0, 4) },
  { type: 'tool-input-delta', id, delta: input.slice(4) },
  { type: 'tool-input-end', id, ...metadata },
];

test('text is written piece by piece, and the last piece says why it ended and what it took', () => {
  const usage = { inputTokens: 10, outputTokens: 5, cacheReadTokens: 3, reasoningTokens: 4 };

  expect(write([METADATA, ...text('Hello ', '"you"'), { ...FINISH, usage }])).toBe(
    `data: {"candidates":[{"content":{"parts":[{"text":"Hello "}],"role":"model"},"index":0}],"modelVersion":"gemini-3-pro","responseId":"r1"}

data: {"candidates":[{"content":{"parts":[{"text":"\\"you\\""}],"role":"model"},"index":0}],"modelVersion":"gemini-3-pro","responseId":"r1"}

data: {"candidates":[{"content":{"parts":[{"text":""}],"role":"model"},"finishReason":"STOP","index":0}],"usageMetadata":{"promptTokenCount":10,"candidatesTokenCount":1,"totalTokenCount":15,"thoughtsTokenCount":4,"cachedContentTokenCount":3},"modelVersion":"gemini-3-pro","responseId":"r1"}

`,
  );
});

test('without server-sent events it is one JSON list, of the same pieces', () => {
  const events = [METADATA, ...text('Hello ', 'you'), FINISH];

  expect(JSON.parse(write(events, encodeGeminiList))).toEqual(read(write(events)));
  const error = new DragomanError('unavailable', 'The provider has left.');
  expect(JSON.parse(write([{ type: 'error', error }], encodeGeminiList))).toEqual([
    { error: { code: 503, message: 'The provider has left.', status: 'UNAVAILABLE' } },
  ]);
  expect(JSON.parse(write([...text('Hel'), { type: 'error', error }], encodeGeminiList))).toHaveLength(2);
});

test('calls come whole, each with its id and what Google signed it with', () => {
  expect(
    partsOf(
      read(
        write([
          { type: 'reasoning-start', id: 'r' },
          { type: 'reasoning-delta', id: 'r', delta: 'Hm.' },
          { type: 'reasoning-end', id: 'r' },
          ...callOf('a', '{"path":"a.ts"}', SIGNED),
          ...callOf('b', ''),
          { type: 'text-start', id: '1' },
          { type: 'text-delta', id: '1', delta: 'Done.' },
          { type: 'text-end', id: '1', ...SIGNED },
          { type: 'finish', finishReason: 'tool-calls' },
        ]),
      ),
    ),
  ).toEqual([
    { text: 'Hm.', thought: true },
    { functionCall: { id: 'a', name: 'read', args: { path: 'a.ts' } }, thoughtSignature: 'c2ln' },
    { functionCall: { id: 'b', name: 'read', args: {} } },
    { text: 'Done.' },
    { text: '', thoughtSignature: 'c2ln' },
    { text: '' },
  ]);
});

test('thoughts are shown only to who asked for them', () => {
  const events: ModelEvent[] = [
    { type: 'reasoning-start', id: 'r' },
    { type: 'reasoning-delta', id: 'r', delta: 'Hm.' },
    { type: 'reasoning-end', id: 'r', ...SIGNED },
    ...text('Hi'),
    FINISH,
  ];

  expect(partsOf(read(write(events, encodeGeminiStream, requestFor(false))))).toEqual([{ text: 'Hi' }, { text: '' }]);
});

test('a call whose arguments cannot be read is told as a malformed one, which clients ask for again', () => {
  const pieces = read(write([...callOf('a', '{"path":'), { type: 'finish', finishReason: 'tool-calls' }]));

  expect(partsOf(pieces)).toEqual([{ text: '' }]);
  expect(pieces.at(-1)!.candidates![0].finishReason).toBe('MALFORMED_FUNCTION_CALL');
  const cut = read(write([...callOf('a', '{"path":'), { type: 'finish', finishReason: 'length' }]));
  expect(cut.at(-1)!.candidates![0].finishReason).toBe('MAX_TOKENS');
});

test.each([
  ['stop', undefined, 'STOP'],
  ['tool-calls', 'STOP', 'STOP'],
  ['length', 'max_tokens', 'MAX_TOKENS'],
  ['content-filter', 'refusal', 'SAFETY'],
  ['content-filter', 'PROHIBITED_CONTENT', 'PROHIBITED_CONTENT'],
  ['error', 'MALFORMED_FUNCTION_CALL', 'MALFORMED_FUNCTION_CALL'],
  ['other', 'eos_token', 'OTHER'],
] as const)('the reason %s (%s) is %s here', (finishReason, raw, reason) => {
  const finish: ModelEvent = { type: 'finish', finishReason, ...(raw === undefined ? {} : { rawFinishReason: raw }) };

  expect(read(write([finish]))[0]!.candidates![0].finishReason).toBe(reason);
});

test('an error ends the stream in the form that clients try again on', () => {
  const error = new DragomanError('rate-limited', 'Too much.', { retryAfterMs: 2500 });

  expect(write([METADATA, { type: 'error', error }])).toBe(
    '\ndata: {"error":{"code":429,"message":"Too much.","status":"RESOURCE_EXHAUSTED","details":[{"@type":"type.googleapis.com/google.rpc.RetryInfo","retryDelay":"2.5s"}]}}\n\n',
  );
});

test("an empty line comes before an error, at which Google's older library fails that reads no errors", () => {
  const error = new DragomanError('unavailable', 'The provider has left.');
  const said = 'data: {"error":{"code":503,"message":"The provider has left.","status":"UNAVAILABLE"}}\n\n';

  expect(write([...text('Hel'), { type: 'error', error }]).endsWith(`}\n\n\n${said}`)).toBe(true);
  expect(encodeGeminiBreak(error)).toBe(`\n${said}`);
});

test('whatever a model sends, a client that reads the stream has the same answer', () => {
  /** Pieces of a text follow each other; a client puts them together. */
  const joined = (parts: GeminiAnswerPart[], kind: (part: GeminiAnswerPart) => boolean) =>
    parts
      .filter((part) => part.text !== undefined && kind(part))
      .map((part) => part.text)
      .join('');
  fc.assert(
    fc.property(randomAnswer, (events) => {
      const gathered = gatherAnswer();
      for (const event of events) gathered.push(event);
      const whole = encodeGeminiResponse(gathered.answer, request) as Piece;
      const streamed = read(write(events));
      const [expected, written] = [partsOf([whole]), partsOf(streamed)];
      const calls = (parts: GeminiAnswerPart[]) => parts.flatMap(({ functionCall }) => functionCall ?? []);
      const byId = (parts: GeminiAnswerPart[]) => calls(parts).toSorted((a, b) => (a.id < b.id ? -1 : 1));

      expect(byId(written)).toEqual(byId(expected));
      const isThought = (part: GeminiAnswerPart) => part.thought === true;
      expect(joined(written, isThought).length).toBe(joined(expected, isThought).length);
      expect(joined(written, (part) => !isThought(part)).length).toBe(
        joined(expected, (part) => !isThought(part)).length,
      );
      expect(streamed.at(-1)).toMatchObject(
        events.at(-1)!.type === 'error'
          ? { error: { code: 503 } }
          : { usageMetadata: whole.usageMetadata, candidates: [{ finishReason: whole.candidates![0].finishReason }] },
      );
    }),
  );
});
