import type { DragomanError } from '@dragoman/protocol';
import type { RequestInfo } from '@dragoman/protocol/console';
import { RefusedCall } from '../policy/refused-call.ts';
import type { Target } from '../routing/target.ts';
import { toRequestInfo } from './request-info.ts';
import type { UsageRecord } from './usage-record.ts';

/** Refusals are remembered, not stored: whoever asks too often would fill the database. */
const KEPT_REFUSALS = 200;
/** More than these are counted and not shown, so that a flood of refusals costs nothing and hides no call. */
const MAX_REFUSALS_A_SECOND = 20;

/** How a provider did lately. */
export interface ProviderState {
  lastError?: { at: number; code: string };
  lastSuccessAt?: number;
}

/** Sees every call in this process, as it is noted. */
export interface CallObserver {
  ended(record: UsageRecord): void;
  refused(request: RequestInfo): void;
  targetFailed(target: Target, error: DragomanError): void;
}

/** Is told of every call that ended, as the JSON of a `RequestInfo`, and its id. */
export type CallListener = (json: string, id: string) => void;

/**
 * What the gateway knows of its calls without asking the store: how many there were, how each provider did, and who
 * wants to hear of the next. It works once per call that ended, and for nobody's ears it makes no text.
 */
export class CallWatch {
  readonly since = Date.now();
  /** Is told of each refusal that is shown. */
  onRefusal: ((request: RequestInfo) => void) | undefined;
  #calls = 0;
  #failed = 0;
  #refused = 0;
  #redactions = 0;
  readonly #providers = new Map<string, ProviderState>();
  readonly #listeners = new Set<CallListener>();
  readonly #observers: CallObserver[] = [];
  #inFlight = 0;
  readonly #refusals: RequestInfo[] = [];
  #second = 0;
  #shownInSecond = 0;

  /** Calls that providers were asked, those of them that failed, and those that a rule turned away. */
  get counters(): { calls: number; failed: number; refused: number } {
    return { calls: this.#calls, failed: this.#failed, refused: this.#refused };
  }

  /** Secrets that were taken out of prompts. */
  get redactions(): number {
    return this.#redactions;
  }

  /** The newest refusals, the oldest first. */
  get refusals(): readonly RequestInfo[] {
    return this.#refusals;
  }

  providerState(name: string): ProviderState {
    return this.#providers.get(name) ?? {};
  }

  /** How many calls are being answered. */
  get inFlight(): number {
    return this.#inFlight;
  }

  /** Sees every call from now on. */
  observe(observer: CallObserver): void {
    this.#observers.push(observer);
  }

  /** A call begins, which `noteCall` ends. */
  began(): void {
    this.#inFlight++;
  }

  finished(): void {
    this.#inFlight--;
  }

  /** Hears of every call from now on. Returns how to leave. */
  listen(listener: CallListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** A call has ended, well or not. */
  ended(record: UsageRecord): void {
    for (const observer of this.#observers) observer.ended(record);
    this.#redactions += record.redactions;
    if (record.isRefused) this.#refused++;
    else this.#count(record);
    if (this.#listeners.size > 0) this.#tell(toRequestInfo(record));
  }

  /** A call of another process has ended. It is told, and counted there. */
  endedElsewhere(request: RequestInfo): void {
    this.#tell(request);
  }

  /** A call was turned away before it had a target. Those beyond a client's limits are counted where the limits are. */
  refused(request: RequestInfo): void {
    for (const observer of this.#observers) observer.refused(request);
    if (request.errorCode !== 'rate-limited') this.#refused++;
    const second = Math.floor(request.at / 1000);
    if (second !== this.#second) [this.#second, this.#shownInSecond] = [second, 0];
    if (this.#shownInSecond >= MAX_REFUSALS_A_SECOND) return;
    this.#shownInSecond++;
    this.refusedElsewhere(request);
    this.onRefusal?.(request);
  }

  /** Another process turned a call away. It is shown, and counted there. */
  refusedElsewhere(request: RequestInfo): void {
    this.#refusals.push(request);
    if (this.#refusals.length > KEPT_REFUSALS) this.#refusals.shift();
    this.#tell(request);
  }

  /** A target did not take a call, which another one may have taken then. */
  targetFailed(target: Target, error: DragomanError): void {
    if (error.code === 'cancelled' || error instanceof RefusedCall) return;
    for (const observer of this.#observers) observer.targetFailed(target, error);
    this.#stateOf(target.providerName).lastError = { at: Date.now(), code: error.code };
  }

  #count({ target, errorCode, finishReason, at }: UsageRecord): void {
    this.#calls++;
    if (finishReason === 'cancelled') return; // The client left; that says nothing about the provider.
    const provider = target.slice(0, Math.max(0, target.indexOf('/')));
    if (errorCode === undefined) this.#stateOf(provider).lastSuccessAt = at;
    else {
      this.#failed++;
      this.#stateOf(provider).lastError = { at, code: errorCode };
    }
  }

  #stateOf(name: string): ProviderState {
    let state = this.#providers.get(name);
    if (state === undefined) {
      state = {};
      this.#providers.set(name, state);
    }
    return state;
  }

  #tell(request: RequestInfo): void {
    if (this.#listeners.size === 0) return;
    const json = JSON.stringify(request);
    for (const listener of this.#listeners) listener(json, request.id);
  }
}
