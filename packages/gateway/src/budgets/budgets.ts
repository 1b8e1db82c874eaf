import { DragomanError } from '@dragoman/protocol';
import type { Kysely } from 'kysely';
import type { CallOwner } from '../metering/note-call.ts';
import type { UsageTroubles } from '../metering/usage-log.ts';
import type { UsageTables } from '../metering/usage-tables.ts';
import { findPrice } from '../prices/find-price.ts';
import type { Route } from '../routing/resolve-route.ts';
import { targetName } from '../routing/target.ts';
import type { BudgetConfig } from './budget-config.ts';
import { claimWarning, forgetOldPeriods, readSpent, reserveCall, type Spending } from './budget-ledger.ts';
import type { SpentRow } from './budget-tables.ts';
import { amountsOf, nameBudget, showAmount, usedShare, WARNED_FROM } from './describe-budget.ts';
import { type ApplyingBudget, findBudgets } from './find-budgets.ts';
import { notPriced, overBudget } from './over-budget-error.ts';

/** With many calls that end at every moment, something is always on its way. */
const MOST_ROUNDS = 5;

/** A call that is about to be made. */
export interface CallToCount {
  owner: CallOwner;
  route: Route;
}

/** A call that was let through. */
export interface Reservation {
  /** The budgets it counts towards. */
  keys: readonly string[];
  /** Where it may go: its route, without the targets that they do not let be asked. */
  route: Route;
  /** For the client, where one of them is nearly spent. */
  warning: string | undefined;
}

/** What the budgets of a process stand on. */
export interface BudgetsParts {
  db: Kysely<UsageTables> | undefined;
  /** Those in force. */
  config: () => readonly BudgetConfig[];
  log: UsageTroubles;
  now?: () => number;
}

/**
 * Holds calls to the budgets. What was spent is counted in the store, so it holds for all servers on it and survives them: a
 * call is counted before it is made, in one statement that refuses it beyond a limit, and what it used is added
 * together with its usage record. So no more is overspent than the calls that are running.
 */
export class Budgets {
  readonly #parts: BudgetsParts;
  readonly #now: () => number;
  /** What calls of this process have used that is not in the store yet. */
  readonly #onItsWay = new Map<string, Spending>();
  /** The calls that make it up, by their ids. */
  readonly #ended = new Map<string, { keys: readonly string[]; spending: Spending }>();
  readonly #warned = new Set<string>();
  /** Stores what calls have used. */
  #settle: () => Promise<unknown> = () => Promise.resolve();
  /** Resolves when what an earlier process left behind is stored. */
  #ready: Promise<unknown> = Promise.resolve();

  constructor(parts: BudgetsParts) {
    this.#parts = parts;
    this.#now = parts.now ?? Date.now;
  }

  /** Says how what calls have used gets into the store, and when what an earlier process left is there. */
  settleBy(settle: () => Promise<unknown>, ready: Promise<unknown>): void {
    this.#settle = settle;
    this.#ready = ready;
  }

  /** Counts a call that is about to be made, or throws why it may not be. Undefined, at once, where no budget applies. */
  reserve(call: CallToCount): Promise<Reservation> | undefined {
    const { db, config } = this.#parts;
    const configured = config();
    if (configured.length === 0 || db === undefined) return undefined;
    const budgets = findBudgets(configured, call, this.#now());
    return budgets.length === 0 ? undefined : this.#reserve(db, budgets, call);
  }

  /** A call has ended, and what it used is not in the store yet. */
  noteEnded(id: string, keys: readonly string[], spending: Spending): void {
    this.#ended.set(id, { keys, spending });
    for (const key of keys) this.#move(key, spending, 1);
  }

  /** What a call used is in the store. Those of earlier processes are none of ours. */
  noteStored(id: string): void {
    const ended = this.#ended.get(id);
    if (ended === undefined) return;
    this.#ended.delete(id);
    for (const key of ended.keys) this.#move(key, ended.spending, -1);
  }

  #move(key: string, spending: Spending, sign: 1 | -1): void {
    const { tokens = 0, micros = 0 } = this.#onItsWay.get(key) ?? {};
    const left = { tokens: tokens + sign * spending.tokens, micros: micros + sign * spending.micros, unknownCalls: 0 };
    if (left.tokens === 0 && left.micros === 0) this.#onItsWay.delete(key);
    else this.#onItsWay.set(key, left);
  }

  async #reserve(db: Kysely<UsageTables>, budgets: readonly ApplyingBudget[], call: CallToCount): Promise<Reservation> {
    const route = withoutUnpriced(call.route, budgets);
    try {
      await this.#ready;
      const counted = await this.#count(db, budgets);
      if ('spent' in counted) throw await this.#refusal(db, counted.spent);
      return { keys: counted.map(({ key }) => key), route, warning: await this.#warn(db, budgets, counted) };
    } catch (error) {
      if (error instanceof DragomanError) throw error;
      throw new DragomanError('unavailable', 'The database is not responding, so budgets cannot be checked.', {
        cause: error,
        isRetryable: true,
      });
    }
  }

  /** What is on its way may arrive while it is asked, and would count twice: where that refuses a call, it is asked again. */
  async #count(db: Kysely<UsageTables>, budgets: readonly ApplyingBudget[]): ReturnType<typeof reserveCall> {
    for (let round = 1; ; round++) {
      const waiting = new Map(budgets.map(({ key }) => [key, this.#onItsWay.get(key)]));
      const counted = await reserveCall(db, budgets, (key) => waiting.get(key));
      if (!('spent' in counted) || waiting.get(counted.spent.key) === undefined || round === MOST_ROUNDS)
        return counted;
      await this.#settle();
    }
  }

  async #refusal(db: Kysely<UsageTables>, budget: ApplyingBudget): Promise<DragomanError> {
    const waiting = this.#onItsWay.get(budget.key);
    const { requests = 0, tokens = 0, micros = 0 } = (await readSpent(db, budget.key)) ?? {};
    const spent = { requests, tokens: tokens + (waiting?.tokens ?? 0), micros: micros + (waiting?.micros ?? 0) };
    return overBudget(budget, amountsOf(budget.limits, spent), this.#now());
  }

  async #warn(
    db: Kysely<UsageTables>,
    budgets: readonly ApplyingBudget[],
    rows: readonly SpentRow[],
  ): Promise<string | undefined> {
    let warning: { text: string; used: number } | undefined;
    for (const row of rows) {
      if (row.requests === 1) await forgetOldPeriods(db, this.#now());
      const budget = budgets.find(({ key }) => key === row.key)!;
      const amounts = amountsOf(budget.limits, row);
      const used = usedShare(amounts);
      if (used < WARNED_FROM) continue;
      if (used > (warning?.used ?? 0)) warning = { text: toHeader(budget, used), used };
      if (row.is_warned === 1 || this.#warned.has(row.key) || !(await claimWarning(db, row.key))) continue;
      this.#warned.add(row.key);
      const facts = { budget: nameBudget(budget.limits, budget.share), spent: amounts.map(showAmount) };
      this.#parts.log.warn(facts, 'a budget is almost used up');
    }
    return warning?.text;
  }
}

/** The route's targets whose price is known, where a budget lets only those be asked. Throws where there is none. */
function withoutUnpriced(route: Route, budgets: readonly ApplyingBudget[]): Route {
  const strict = budgets.find(({ limits }) => limits.dollars !== undefined && limits.unpriced === 'refuse');
  if (strict === undefined) return route;
  const [first] = route.targets;
  const targets = route.targets.filter((target) => findPrice(target) !== undefined);
  if (targets.length === 0 && first !== undefined) throw notPriced(strict, targetName(first));
  return { ...route, targets };
}

/** For people and programs that look: how much is used, and when it opens again. Only what a header can hold. */
function toHeader({ limits, share, endsAt }: ApplyingBudget, used: number): string {
  const name = nameBudget(limits, share)
    .replaceAll('"', "'")
    .replaceAll(/[^\x20-\x7E]/g, '?');
  return `"${name}"; used=${Math.min(100, Math.floor(used * 100))}; resets=${new Date(endsAt).toISOString()}`;
}
