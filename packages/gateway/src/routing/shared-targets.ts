import { createHash } from 'node:crypto';
import type { DragomanErrorCode } from '@dragoman/protocol';
import { type Store, WordsChannel } from '@dragoman/server';
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

/** What was learned in so short a time is told at once. */
const GATHER_MS = 20;

/**
 * What the servers on one PostgreSQL learn about targets, told to each other: who rests, which key does, and who answered a
 * conversation. No call waits for it. A dead target costs one call, not one for each server.
 */
export class SharedTargets {
  readonly #options: SharedTargetsOptions;
  readonly #channel: WordsChannel<Word>;
  readonly #words: Word[] = [];

  constructor(options: SharedTargetsOptions) {
    this.#options = options;
    const { store, watch, http, log } = options;
    this.#channel = new WordsChannel<Word>({
      store,
      name: 'dragoman_targets',
      gatherMs: GATHER_MS,
      gather: () => this.#words.splice(0),
      hear: (word) => this.#take(word),
      log,
      alone: 'what is learned about targets stays at this server',
      unsent: 'other servers could not be told of targets',
    });
    watch.rests.onRest = ({ name, code, until, isAsked, failures }, provider) =>
      this.#tell(['rest', name, looksOf(provider), code, until - watch.now(), isAsked, failures]);
    watch.rests.onAnswered = (name, provider, at) =>
      this.#tell(['answered', name, looksOf(provider), watch.now() - at]);
    watch.conversations.onChange = (key, target) => this.#tell(['conversation', key, target]);
    http.onKeyRest = (key, restMs) => this.#tell(['key', hashOf(key), restMs]);
  }

  async close(): Promise<void> {
    await this.#channel.close();
  }

  #tell(word: Word): void {
    this.#words.push(word);
    this.#channel.sendSoon();
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
