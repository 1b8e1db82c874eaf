import { DragomanError, type FinishReason, type ModelEvent, type ProviderMetadata } from '@dragoman/protocol';
import fc from 'fast-check';

/** Pieces as models send them, and those that a careless encoder would break on. */
const piece = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 8 }),
  fc.constantFrom('', '\n\n', '\r\ndata: {}', '"', '\\', '\u2028', '\ud83d', '{"a":', '}'),
);

const finishReason = fc.constantFrom<FinishReason>('stop', 'length', 'tool-calls', 'content-filter', 'other');

const thoughtMetadata = fc.constantFrom<ProviderMetadata | undefined>(
  undefined,
  { anthropic: { signature: 'c2ln' } },
  { openai: { itemId: 'rs_9', encryptedContent: 'gAAA' } },
);

const block: fc.Arbitrary<RandomBlock> = fc.oneof(
  fc.record({ kind: fc.constant('text' as const), pieces: fc.array(piece, { maxLength: 4 }) }),
  fc.record({ kind: fc.constant('tool-input' as const), pieces: fc.array(piece, { maxLength: 4 }) }),
  fc.record({
    kind: fc.constant('reasoning' as const),
    pieces: fc.array(piece, { maxLength: 4 }),
    providerMetadata: thoughtMetadata,
  }),
  fc.record({
    kind: fc.constant('reasoning' as const),
    pieces: fc.constant<string[]>([]),
    providerMetadata: fc.constant({ anthropic: { redactedData: 'cmVk' } }),
  }),
);

const usage = fc.option(
  fc.record({
    inputTokens: fc.integer({ min: 20, max: 99 }),
    outputTokens: fc.nat(99),
    cacheReadTokens: fc.nat(10),
    cacheWriteTokens: fc.nat(10),
    reasoningTokens: fc.nat(9),
  }),
  { nil: undefined },
);

/** The events of a well-formed answer: blocks of every kind, side by side or one after the other, and an end. */
export const randomAnswer: fc.Arbitrary<ModelEvent[]> = fc
  .record({
    blocks: fc.array(block, { maxLength: 6 }),
    picks: fc.array(fc.nat(2), { maxLength: 60 }),
    isFailed: fc.boolean(),
    finishReason,
    usage,
  })
  .map(({ blocks, picks, isFailed, finishReason: reason, usage: counted }) => [
    { type: 'response-metadata', id: 'resp_1', modelId: 'model-1' },
    ...interleave(blocks.map(toEvents), picks),
    isFailed
      ? { type: 'error', error: new DragomanError('unavailable', 'The provider has left.') }
      : { type: 'finish', finishReason: reason, ...(counted === undefined ? {} : { usage: counted }) },
  ]);

interface RandomBlock {
  kind: 'text' | 'reasoning' | 'tool-input';
  pieces: string[];
  providerMetadata?: ProviderMetadata | undefined;
}

function toEvents({ kind, pieces, providerMetadata }: RandomBlock, index: number): ModelEvent[] {
  const id = `block_${index}`;
  return [
    kind === 'tool-input' ? { type: 'tool-input-start', id, toolName: `tool-${index}` } : { type: `${kind}-start`, id },
    ...pieces.map((delta): ModelEvent => ({ type: `${kind}-delta`, id, delta })),
    { type: `${kind}-end`, id, ...(providerMetadata === undefined ? {} : { providerMetadata }) },
  ];
}

/** Takes the next event from one of the first three blocks that have any left. */
function interleave(queues: ModelEvent[][], picks: number[]): ModelEvent[] {
  const events: ModelEvent[] = [];
  for (let turn = 0; queues.some((queue) => queue.length > 0); turn++) {
    const left = queues.filter((queue) => queue.length > 0);
    events.push(left[(picks[turn] ?? 0) % left.length]!.shift()!);
  }
  return events;
}
