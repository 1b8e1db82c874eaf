import type { ModelSink, ProviderMetadata } from '@dragoman/protocol';

/**
 * Starts and ends text and reasoning for upstreams that only send pieces: a piece of another kind ends the block before
 * it, and so does the end of the answer.
 */
export class OpenBlocks {
  readonly #sink: ModelSink;
  #open: 'text' | 'reasoning' | undefined;
  #id = '';
  #count = 0;

  constructor(sink: ModelSink) {
    this.#sink = sink;
  }

  text(delta: string): void {
    if (this.#open !== 'text') this.#start('text');
    this.#sink.push({ type: 'text-delta', id: this.#id, delta });
  }

  reasoning(delta: string): void {
    if (this.#open !== 'reasoning') this.#start('reasoning');
    this.#sink.push({ type: 'reasoning-delta', id: this.#id, delta });
  }

  close(providerMetadata?: ProviderMetadata): void {
    if (this.#open === undefined) return;
    const metadata = providerMetadata === undefined ? {} : { providerMetadata };
    this.#sink.push({ type: this.#open === 'text' ? 'text-end' : 'reasoning-end', id: this.#id, ...metadata });
    this.#open = undefined;
  }

  get isReasoningOpen(): boolean {
    return this.#open === 'reasoning';
  }

  #start(kind: 'text' | 'reasoning'): void {
    this.close();
    this.#open = kind;
    this.#id = String(this.#count++);
    this.#sink.push({ type: kind === 'text' ? 'text-start' : 'reasoning-start', id: this.#id });
  }
}
