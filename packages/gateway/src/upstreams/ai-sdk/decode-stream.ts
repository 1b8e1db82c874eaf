import type { DragomanError, FinishReason, ModelSink, ModelUsage, ProviderMetadata } from '@dragoman/protocol';
import { optional } from '../../optional.ts';
import { brokenOff } from '../upstream-error.ts';
import type { AiSdkFinishReason, AiSdkResult, AiSdkStreamPart, AiSdkUsage } from './wire.ts';

/** An answer that was not streamed. */
export function decodeAiSdkResult(result: AiSdkResult, sink: ModelSink): void {
  const answer = new AiSdkAnswerReader(sink);
  answer.take({ ...result.response, type: 'response-metadata' });
  for (const [position, part] of (result.content ?? []).entries()) {
    if (part.type !== 'text' && part.type !== 'reasoning') {
      answer.take(part);
      continue;
    }
    const id = String(position);
    answer.take({ type: `${part.type}-delta`, id, delta: part.text ?? '' });
    answer.take({ ...part, type: `${part.type}-end`, id });
  }
  const { finishReason, usage, providerMetadata } = result;
  answer.take({
    type: 'finish',
    ...optional('finishReason', finishReason),
    ...optional('providerMetadata', providerMetadata),
    ...optional('usage', usage),
  });
  answer.end();
}

interface OpenBlock {
  kind: 'text' | 'reasoning' | 'tool-input';
  id: string;
  /** The provider may give it at the start, with a piece or at the end; the latest is complete. */
  metadata: ProviderMetadata | undefined;
  hasInput: boolean;
  /** Its pieces are not JSON, so only the call counts. */
  isPlainText: boolean;
}

/**
 * The parts of an AI SDK stream as model events.
 *
 * The names are nearly ours. A tool's input ends with its `tool-call`, which is where providers put what they want
 * back; calls that the provider runs itself, sources and files have no place here.
 */
export class AiSdkAnswerReader {
  readonly #sink: ModelSink;
  readonly #open = new Map<string, OpenBlock>();
  readonly #foreignCalls = new Set<string>();
  #hasCalls = false;
  #isOver = false;

  constructor(sink: ModelSink) {
    this.#sink = sink;
  }

  /** The answer has ended; what follows is ignored. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** An `error` part is left to the caller, who knows whose it is. */
  take(part: AiSdkStreamPart): void {
    if (this.#isOver) return;
    const id = String(part.id ?? '');
    switch (part.type) {
      case 'response-metadata':
        return this.#introduce(part);
      case 'text-start':
      case 'text-delta':
      case 'text-end':
        return this.#takePiece('text', id, part);
      case 'reasoning-start':
      case 'reasoning-delta':
      case 'reasoning-end':
        return this.#takePiece('reasoning', id, part);
      case 'tool-input-start':
        if (part.providerExecuted === true) this.#foreignCalls.add(id);
        else this.#startCall(id, part);
        return;
      case 'tool-input-delta':
        return this.#takeInput(id, part);
      case 'tool-call':
        return this.#takeCall(part);
      case 'finish':
        return this.#finish(part);
      default: // `tool-input-end` waits for its `tool-call`; sources, files, warnings and raw chunks are skipped.
    }
  }

  /** There are no more parts. */
  end(): void {
    if (!this.#isOver) this.fail(brokenOff());
  }

  fail(error: DragomanError): void {
    if (this.#isOver) return;
    this.#closeAll();
    this.#isOver = true;
    this.#sink.push({ type: 'error', error });
  }

  #introduce({ id, modelId }: AiSdkStreamPart): void {
    this.#sink.push({
      type: 'response-metadata',
      ...(typeof id === 'string' ? { id } : {}),
      ...(typeof modelId === 'string' ? { modelId } : {}),
    });
  }

  #takePiece(kind: 'text' | 'reasoning', id: string, part: AiSdkStreamPart): void {
    let block = this.#open.get(kind + id);
    if (block === undefined) {
      if (part.type.endsWith('-end')) return;
      block = this.#openBlock(kind, id);
      this.#sink.push({ type: `${kind}-start`, id });
    }
    if (part.providerMetadata !== undefined) block.metadata = part.providerMetadata;
    if (part.type.endsWith('-delta') && isText(part.delta))
      this.#sink.push({ type: `${kind}-delta`, id, delta: part.delta });
    if (part.type.endsWith('-end')) this.#close(block);
  }

  #startCall(id: string, part: AiSdkStreamPart): OpenBlock | undefined {
    if (!isText(part.toolName) || this.#open.has(`tool-input${id}`)) return undefined;
    const block = this.#openBlock('tool-input', id);
    block.metadata = part.providerMetadata;
    block.isPlainText = part.inputEncoding === 'text';
    this.#hasCalls = true;
    const { toolName, providerMetadata } = part;
    this.#sink.push({ type: 'tool-input-start', id, toolName, ...optional('providerMetadata', providerMetadata) });
    return block;
  }

  #takeInput(id: string, part: AiSdkStreamPart): void {
    const block = this.#open.get(`tool-input${id}`);
    if (block === undefined || block.isPlainText || !isText(part.delta)) return;
    block.hasInput = true;
    this.#sink.push({ type: 'tool-input-delta', id, delta: part.delta });
  }

  /** The whole call. Some providers send no pieces before it. */
  #takeCall(part: AiSdkStreamPart): void {
    const id = String(part.toolCallId ?? '');
    if (part.providerExecuted === true || this.#foreignCalls.has(id)) return;
    const block = this.#open.get(`tool-input${id}`) ?? this.#startCall(id, part);
    if (block === undefined) return;
    if (!block.hasInput && isText(part.input)) this.#sink.push({ type: 'tool-input-delta', id, delta: part.input });
    if (part.providerMetadata !== undefined) block.metadata = part.providerMetadata;
    this.#close(block);
  }

  #finish(part: AiSdkStreamPart): void {
    const { unified, raw } = readFinishReason(part.finishReason);
    if (unified === 'interrupted') return this.fail(brokenOff());
    this.#closeAll();
    this.#isOver = true;
    const usage = readUsage(part.usage, part.providerMetadata);
    this.#sink.push({
      type: 'finish',
      finishReason: this.#hasCalls ? 'tool-calls' : (FINISH_REASONS.get(unified) ?? 'other'),
      ...optional('rawFinishReason', raw),
      ...optional('usage', usage),
    });
  }

  /** Providers like to end a text after the calls that follow it. A block of another kind ends it here. */
  #openBlock(kind: OpenBlock['kind'], id: string): OpenBlock {
    for (const other of this.#open.values()) if (other.kind !== kind && other.kind !== 'tool-input') this.#close(other);
    const block: OpenBlock = { kind, id, metadata: undefined, hasInput: false, isPlainText: false };
    this.#open.set(kind + id, block);
    return block;
  }

  #close({ kind, id, metadata }: OpenBlock): void {
    this.#open.delete(kind + id);
    this.#sink.push({ type: `${kind}-end`, id, ...optional('providerMetadata', metadata) });
  }

  #closeAll(): void {
    for (const block of this.#open.values()) this.#close(block);
  }
}

const FINISH_REASONS = new Map<string, FinishReason>([
  ['stop', 'stop'],
  ['length', 'length'],
  ['content-filter', 'content-filter'],
  ['tool-calls', 'tool-calls'],
  ['error', 'error'],
]);

function readFinishReason(reason: AiSdkFinishReason | undefined): { unified: string; raw?: string } {
  if (typeof reason === 'string') return { unified: reason };
  const { unified, raw } = reason ?? {};
  return { unified: unified ?? 'other', ...(isText(raw) ? { raw } : {}) };
}

/** What the provider does not tell is left out; an answer of which nothing is told has no usage. */
function readUsage(usage: AiSdkUsage | undefined, metadata: ProviderMetadata | undefined): ModelUsage | undefined {
  const input = asDetails(usage?.inputTokens);
  const output = asDetails(usage?.outputTokens);
  if (input.total === undefined && output.total === undefined) return undefined;
  const cacheRead = input.cacheRead ?? usage?.cachedInputTokens;
  const written = metadata?.['anthropic']?.['cacheCreationInputTokens'];
  // In version 2, Claude's package counts what was read from the cache or written to it beside the rest, not in it.
  const apart = typeof usage?.inputTokens === 'number' && typeof written === 'number' ? written : undefined;
  return {
    inputTokens: (input.total ?? 0) + (apart === undefined ? 0 : apart + (cacheRead ?? 0)),
    outputTokens: output.total ?? 0,
    ...given('reasoningTokens', output.reasoning ?? usage?.reasoningTokens),
    ...given('cacheReadTokens', cacheRead),
    ...given('cacheWriteTokens', input.cacheWrite ?? apart),
  };
}

interface TokenDetails {
  total?: number;
  cacheRead?: number;
  cacheWrite?: number;
  reasoning?: number;
}

function asDetails(tokens: number | TokenDetails | null | undefined): TokenDetails {
  return typeof tokens === 'number' ? { total: tokens } : (tokens ?? {});
}

function given(name: string, value: number | null | undefined): Partial<ModelUsage> {
  return typeof value === 'number' ? { [name]: value } : {};
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}
