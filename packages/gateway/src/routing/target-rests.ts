import type { DragomanErrorCode } from '@dragoman/protocol';
import type { ProviderConfig } from '../config/gateway-config.ts';
import type { TargetFailure } from './judge-failure.ts';
import { type Target, targetName } from './target.ts';

/** A rest doubles with each failure after the last, up to this. */
const LONGEST_REST_MS = 300_000;
/** A provider that asks for more is tried again all the same. */
const LONGEST_ASKED_MS = 900_000;
/** While one process tries a target, others leave it alone for this long, or until they are told how it went. */
const TRIED_MS = 5_000;
/** Clients may name models of their own; those that failed first are forgotten. */
const MOST_RESTS = 500;

/** A target, or a whole provider, that is passed over after a failure. */
export interface Rest {
  /** "provider/model", or the provider where nobody can be reached. */
  name: string;
  /** What went wrong. */
  code: DragomanErrorCode;
  since: number;
  /** From then on one call tries it again. */
  until: number;
  /** Whether the provider asked for it. */
  isAsked: boolean;
  /** Failures without an answer in between. */
  failures: number;
}

/** Whether a target is asked: `due` is one whose rest is over, and which the next call tries. */
export type Standing = 'well' | 'due' | 'resting';

interface KeptRest extends Rest {
  /** As it was configured then: settings that were changed are a new beginning. */
  provider: ProviderConfig;
  /** A call is trying it. */
  isProbed: boolean;
}

/** A call at a target. Exactly one of its methods is called, once; more calls do nothing. */
export interface TargetCall {
  /** The target answered, be it with a refusal of this call. */
  answered(): void;
  failed(code: DragomanErrorCode, failure: TargetFailure): void;
  /** Nothing was learned, such as when the client left. */
  left(): void;
}

/**
 * Which targets rest. After a failure a target is passed over for a while, then one call tries it while others still pass it
 * over: an answer ends its rest, another failure makes it longer. As long as nothing fails this is an empty map.
 */
export class TargetRests {
  /** Is told of each rest that begins, and of each that a call tries to end meanwhile. */
  onRest: ((rest: Rest, provider: ProviderConfig) => void) | undefined;
  /** Is told of an answer that ended a rest, and when it was asked for. */
  onAnswered: ((name: string, provider: ProviderConfig, at: number) => void) | undefined;
  readonly #rests = new Map<string, KeptRest>();
  readonly #now: () => number;

  constructor(now: () => number) {
    this.#now = now;
  }

  standing(target: Target): Standing {
    if (this.#rests.size === 0) return 'well';
    let standing: Standing = 'well';
    for (const rest of this.#of(target)) {
      if (rest.isProbed || rest.until > this.#now()) return 'resting';
      standing = 'due';
    }
    return standing;
  }

  /** The rest of a target that ends last: its own, or that of its provider. */
  restOf(target: Target): Rest | undefined {
    return this.#of(target).reduce<Rest | undefined>(
      (longest, rest) => (longest === undefined || rest.until > longest.until ? rest : longest),
      undefined,
    );
  }

  /** All rests at these providers as they are configured now. */
  list(providers: Readonly<Record<string, ProviderConfig>>): Rest[] {
    const rests = [...this.#rests.values()].filter(({ name, provider }) => providers[providerOf(name)] === provider);
    return rests.map(({ name, code, since, until, isAsked, failures }) => ({
      name,
      code,
      since,
      until,
      isAsked,
      failures,
    }));
  }

  /** A target took a call of another process at that moment, and answered it: what rests since before then need not. */
  answeredElsewhere(target: string, at: number): void {
    if (this.#rests.size === 0) return;
    for (const name of [target, providerOf(target)]) {
      const rest = this.#rests.get(name);
      if (rest !== undefined && !rest.isProbed && rest.since <= at) this.#drop(rest);
    }
  }

  /** A target failed another process, or is tried by it. */
  restsElsewhere(rest: Rest, provider: ProviderConfig): void {
    const known = this.#rests.get(rest.name);
    if (known?.provider !== provider) this.#keep({ ...rest, provider, isProbed: false });
    else if (rest.until > known.until) {
      const failures = Math.max(known.failures, rest.failures);
      Object.assign(known, { code: rest.code, until: rest.until, isAsked: rest.isAsked, failures });
    }
  }

  /** Notes that a target is asked. Of one that is due, this call is the one that tries it. */
  begin(target: Target): TargetCall {
    const before = this.#rests.size === 0 ? [] : this.#of(target);
    const probed = before.filter((rest) => !rest.isProbed && rest.until <= this.#now());
    const startedAt = this.#now();
    for (const rest of probed) {
      rest.isProbed = true;
      this.onRest?.({ ...rest, until: startedAt + TRIED_MS }, rest.provider);
    }
    let isOver = false;
    const end = (): boolean => {
      if (isOver) return false;
      isOver = true;
      for (const rest of probed) rest.isProbed = false;
      return true;
    };
    return {
      answered: () => {
        // A rest that began while this call was on its way is not ended by it.
        if (!end()) return;
        for (const rest of before) this.#drop(rest);
        if (before.length > 0) this.onAnswered?.(targetName(target), target.provider, startedAt);
      },
      failed: (code, failure) => {
        if (end()) this.#failed(target, code, failure, probed);
      },
      left: () => void end(),
    };
  }

  #failed(target: Target, code: DragomanErrorCode, failure: TargetFailure, probed: readonly KeptRest[]): void {
    const now = this.#now();
    const name = failure.isOfProvider ? target.providerName : targetName(target);
    // Somebody answered there, even if it was with a failure.
    if (!failure.isOfProvider && code !== 'timed-out')
      for (const rest of probed) if (rest.name !== name) this.#drop(rest);
    const known = this.#rests.get(name);
    const rest = known?.provider === target.provider ? known : undefined;
    const askedUntil = failure.askedMs === undefined ? 0 : now + Math.min(failure.askedMs, LONGEST_ASKED_MS);
    if (rest !== undefined && (rest.until > now || rest.isProbed)) {
      // One of several calls that were on their way together: it is the same failure, or the one that tries now tells more.
      if (askedUntil > rest.until) Object.assign(rest, { code, until: askedUntil, isAsked: true });
      return;
    }
    const failures = (rest?.failures ?? 0) + 1;
    const ownUntil = now + Math.min(failure.restMs * 2 ** Math.min(failures - 1, 20), LONGEST_REST_MS);
    const isAsked = failure.askedMs !== undefined;
    const begun = { name, code, since: now, until: isAsked ? askedUntil : ownUntil, isAsked, failures };
    this.#keep({ ...begun, provider: target.provider, isProbed: false });
    this.onRest?.(begun, target.provider);
  }

  #keep(rest: KeptRest): void {
    this.#rests.delete(rest.name); // The newest are at the end.
    this.#rests.set(rest.name, rest);
    if (this.#rests.size > MOST_RESTS) this.#rests.delete(this.#rests.keys().next().value!);
  }

  #of(target: Target): KeptRest[] {
    return [this.#rests.get(target.providerName), this.#rests.get(targetName(target))].filter(
      (rest) => rest !== undefined && rest.provider === target.provider,
    ) as KeptRest[];
  }

  #drop(rest: KeptRest): void {
    if (this.#rests.get(rest.name) === rest) this.#rests.delete(rest.name);
  }
}

/** The name of the provider in that of a target. */
export function providerOf(name: string): string {
  const slash = name.indexOf('/');
  return slash < 0 ? name : name.slice(0, slash);
}
