import type { AgentError } from '@dragoman/protocol';

/** What one turn may use up. */
export interface BudgetLimits {
  steps: number;
  tokens: number;
  /** In US dollars. */
  cost: number;
  wallMs: number;
  compactions: number;
}

/** What it has used so far. */
export interface BudgetUse {
  steps: number;
  tokens: number;
  cost: number;
  wallMs: number;
  compactions: number;
}

const WORDS: Record<keyof BudgetLimits, (limit: number) => string> = {
  steps: (limit) => `${limit} steps`,
  tokens: (limit) => `${limit} tokens`,
  cost: (limit) => `$${limit}`,
  wallMs: (limit) => `${Math.round(limit / 1000)} seconds`,
  compactions: (limit) => `${limit} compactions`,
};

/** A timer cannot be set further ahead; it would fire at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** One object that no loop of any kind gets past: what has no end by itself ends here. */
export class TurnBudget {
  readonly #limits: Partial<BudgetLimits>;
  readonly #startedAt: number;
  readonly #now: () => number;
  readonly #used = { steps: 0, tokens: 0, cost: 0, compactions: 0 };

  constructor(limits: Partial<BudgetLimits>, now: () => number = Date.now) {
    this.#limits = limits;
    this.#now = now;
    this.#startedAt = now();
  }

  get used(): BudgetUse {
    return { ...this.#used, wallMs: this.#now() - this.#startedAt };
  }

  /** Adds what something took. */
  spend(use: Partial<Omit<BudgetUse, 'wallMs'>>): void {
    for (const name of ['steps', 'tokens', 'cost', 'compactions'] as const) this.#used[name] += use[name] ?? 0;
  }

  /** What is used up, or nothing: then the turn may go on. */
  exceeded(): AgentError | undefined {
    const { used } = this;
    for (const name of Object.keys(WORDS) as (keyof BudgetLimits)[]) {
      const limit = this.#limits[name];
      if (limit === undefined || used[name] < limit) continue;
      return this.#error(name, limit);
    }
    return undefined;
  }

  /** Tells when the time is up, also in the middle of a step. Gives back what ends the watch. */
  watch(expired: (error: AgentError) => void): () => void {
    const { wallMs } = this.#limits;
    if (wallMs === undefined) return () => {};
    let timer: NodeJS.Timeout | undefined;
    const look = () => {
      const left = wallMs - this.used.wallMs;
      if (left <= 0) expired(this.#error('wallMs', wallMs));
      else timer = setTimeout(look, Math.min(left, LONGEST_TIMER_MS));
    };
    look();
    return () => clearTimeout(timer);
  }

  #error(name: keyof BudgetLimits, limit: number): AgentError {
    return {
      code: 'budget',
      message: `The turn was stopped: it used its budget of ${WORDS[name](limit)}.`,
      details: { budget: name, limit, used: this.used[name] },
    };
  }
}
