import { createHash, randomUUID } from 'node:crypto';
import type { DragomanErrorCode } from '@dragoman/protocol';
import type { Store, StoreChannel } from '@dragoman/server';
import type { ProviderConfig } from '../config/gateway-config.ts';
import type { HttpCaller } from '../upstreams/http-caller.ts';
import { providerOf, type Rest } from './target-rests.ts';
import type { TargetWatch } from './target-watch.ts';

/** What is needed to learn together. */
export interface SharedTargetsOptions {
  store: Pick<Store, 'openChannel'>;
  watch: Pick<TargetWatch, 'rests' | 'conversations' | 'now'>;
  http: Pick<HttpCaller, 'onKeyRest' | 'restKey'>;
  /** The providers in force. */
  providers: () => Readonly<Record<string, ProviderConfig>>;
  log: { warn(facts: object, message: string): void };
}

/** What a server tells the others. Times are lengths, as no two machines have the same clock. */
type Word =
  /** A target rests, or is being tried; the provider is told by what it looks like. */
  | [
      'rest',
      name: string,
      provider: string,
      code: DragomanErrorCode,
      restMs: number,
      isAsked: boolean,
      failures: number,
    ]
  /** A target answered a call that was begun so long ago. */
  | ['answered', name: string, provider: string, agoMs: number]
  /** A key rests; only its hash is told. */
  | ['key', hash: string, restMs: number]
  /** A conversation was answered by a target. */
  | ['conversation', key: string, target: string];

const CHANNEL = 'dragoman_targets';
/** What was learned in so short a time is told at once. */
const GATHER_MS = 20;
/** So much fits into one word of the database. */
const MOST_CHARS = 7_000;

/**
 * What the servers on one PostgreSQL learn about targets, told to each other: who rests, which key does, and who answered a
 * conversation. No call waits for it. A dead target costs one call, not one for each server.
 */
export class SharedTargets {
  readonly #self = randomUUID();
  readonly #options: SharedTargetsOptions;
  readonly #opened: Promise<StoreChannel | undefined>;
  #words: Word[] = [];
  #gathering: NodeJS.Timeout | undefined;

  constructor(options: SharedTargetsOptions) {
    this.#options = options;
    const { store, watch, http, log } = options;
    this.#opened = store
      .openChannel(CHANNEL, (payload) => {
        if (payload !== undefined) this.#hear(payload);
      })
      .catch((err: unknown) => {
        log.warn({ err }, 'what is learned about targets stays at this server');
        return undefined;
      });
    watch.rests.onRest = ({ name, code, until, isAsked, failures }, provider) =>
      this.#tell(['rest', name, looksOf(provider), code, until - watch.now(), isAsked, failures]);
    watch.rests.onAnswered = (name, provider, at) =>
      this.#tell(['answered', name, looksOf(provider), watch.now() - at]);
    watch.conversations.onChange = (key, target) => this.#tell(['conversation', key, target]);
    http.onKeyRest = (key, restMs) => this.#tell(['key', hashOf(key), restMs]);
  }

  async close(): Promise<void> {
    clearTimeout(this.#gathering);
    await (await this.#opened)?.close();
  }

  #tell(word: Word): void {
    this.#words.push(word);
    this.#gathering ??= setTimeout(() => {
      this.#gathering = undefined;
      void this.#send();
    }, GATHER_MS).unref();
  }

  async #send(): Promise<void> {
    const words = this.#words.splice(0);
    const channel = await this.#opened;
    for (const payload of inPayloads(this.#self, words))
      await channel
        ?.notify(payload)
        .catch((err: unknown) => this.#options.log.warn({ err }, 'other servers could not be told of targets'));
  }

  #hear(payload: string): void {
    const [sender, words] = JSON.parse(payload) as [string, Word[]];
    if (sender === this.#self) return;
    for (const word of words) this.#take(word);
  }

  #take(word: Word): void {
    const { watch, http } = this.#options;
    switch (word[0]) {
      case 'rest': {
        const [, name, looks, code, restMs, isAsked, failures] = word;
        const provider = this.#alike(name, looks);
        const now = watch.now();
        const rest: Rest = { name, code, since: now, until: now + restMs, isAsked, failures };
        if (provider !== undefined) watch.rests.restsElsewhere(rest, provider);
        return;
      }
      case 'answered': {
        const [, name, looks, agoMs] = word;
        if (this.#alike(name, looks) !== undefined) watch.rests.answeredElsewhere(name, watch.now() - agoMs);
        return;
      }
      case 'key':
        http.restKey((key) => hashOf(key) === word[1], word[2]);
        return;
      case 'conversation':
        watch.conversations.answeredElsewhere(word[1], word[2]);
        return;
      default: // A newer server says more.
    }
  }

  /** The provider of a target, where it is the same here. */
  #alike(name: string, looks: string): ProviderConfig | undefined {
    const provider = this.#options.providers()[providerOf(name)];
    return provider !== undefined && looksOf(provider) === looks ? provider : undefined;
  }
}

/** Words that are too long for any payload are left out. */
function inPayloads(self: string, words: readonly Word[]): string[] {
  const payloads: string[] = [];
  let some: Word[] = [];
  let size = 0;
  for (const word of words) {
    const bytes = Buffer.byteLength(JSON.stringify(word)) + 1;
    if (bytes > MOST_CHARS) continue;
    if (size + bytes > MOST_CHARS) {
      payloads.push(JSON.stringify([self, some]));
      [some, size] = [[], 0];
    }
    some.push(word);
    size += bytes;
  }
  if (some.length > 0) payloads.push(JSON.stringify([self, some]));
  return payloads;
}

const looks = new WeakMap<ProviderConfig, string>();

/** Where a provider is and with which keys: a provider of the same name may be another one elsewhere. */
function looksOf(provider: ProviderConfig): string {
  let known = looks.get(provider);
  if (known === undefined) {
    const keys = provider.apiKey === undefined ? [] : [provider.apiKey].flat().map((key) => key.reveal());
    known = hashOf(JSON.stringify([provider.type, provider.baseUrl, keys]));
    looks.set(provider, known);
  }
  return known;
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, 22);
}
