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
      return {
        code: 'budget',
        message: `The turn was ended: it has used its budget of ${WORDS[name](limit)}.`,
        details: { budget: name, limit, used: used[name] },
      };
    }
    return undefined;
  }

  /** How much time is left, at least nothing. */
  get remainingMs(): number | undefined {
    const { wallMs } = this.#limits;
    return wallMs === undefined ? undefined : Math.max(0, wallMs - this.used.wallMs);
  }
}
