import type { ModelEvent, ModelSink, ProviderMetadata } from '@dragoman/protocol';
import { optional } from '../optional.ts';

interface Block {
  kind: 'text' | 'reasoning' | 'tool-input';
  id: string;
  toolName: string;
  /** What came before its turn. */
  held: string;
  isEnded: boolean;
  providerMetadata?: ProviderMetadata;
}

/**
 * Puts blocks that overlap, such as parallel tool calls, one behind the other in the order of their starts.
 *
 * These protocols know only one open block, or their clients do. The first goes through as it comes; what arrives for another is held until
 * those before it have ended.
 */
export function oneBlockAtATime(next: ModelSink): ModelSink {
  const waiting: Block[] = [];
  /** Those that have not ended, by their kind and id. */
  const open = new Map<string, Block>();
  let current: Block | undefined;

  const start = (kind: Block['kind'], id: string, toolName = '', providerMetadata?: ProviderMetadata) => {
    const block = { kind, id, toolName, held: '', isEnded: false, ...optional('providerMetadata', providerMetadata) };
    open.set(kind + id, block);
    if (current === undefined) begin(block);
    else waiting.push(block);
  };
  const begin = (block: Block) => {
    current = block;
    const { kind, id, toolName, held, providerMetadata } = block;
    next.push(
      kind === 'tool-input'
        ? { type: 'tool-input-start', id, toolName, ...optional('providerMetadata', providerMetadata) }
        : { type: `${kind}-start`, id },
    );
    if (held !== '') next.push({ type: `${kind}-delta`, id, delta: held });
  };
  const add = (kind: Block['kind'], event: Extract<ModelEvent, { delta: string }>) => {
    if (current !== undefined && current.id === event.id && current.kind === kind) return next.push(event);
    const block = open.get(kind + event.id);
    if (block !== undefined) block.held += event.delta;
  };
  const end = (kind: Block['kind'], event: { id: string; providerMetadata?: ProviderMetadata }) => {
    const block = open.get(kind + event.id);
    if (block === undefined) return;
    open.delete(kind + event.id);
    block.isEnded = true;
    if (event.providerMetadata !== undefined) block.providerMetadata = event.providerMetadata;
    while (current?.isEnded === true) goOn(current);
  };
  const goOn = ({ kind, id, providerMetadata }: Block) => {
    next.push({ type: `${kind}-end`, id, ...(providerMetadata === undefined ? {} : { providerMetadata }) });
    current = undefined;
    const following = waiting.shift();
    if (following !== undefined) begin(following);
  };

  return {
    push(event) {
      switch (event.type) {
        case 'text-delta':
          return add('text', event);
        case 'reasoning-delta':
          return add('reasoning', event);
        case 'tool-input-delta':
          return add('tool-input', event);
        case 'text-start':
          return start('text', event.id);
        case 'reasoning-start':
          return start('reasoning', event.id);
        case 'tool-input-start':
          return start('tool-input', event.id, event.toolName, event.providerMetadata);
        case 'text-end':
          return end('text', event);
        case 'reasoning-end':
          return end('reasoning', event);
        case 'tool-input-end':
          return end('tool-input', event);
        case 'response-metadata':
        case 'finish':
        case 'error':
          return next.push(event);
      }
    },
  };
}
