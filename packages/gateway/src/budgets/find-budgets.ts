import { createHash } from 'node:crypto';
import type { CallOwner } from '../metering/note-call.ts';
import type { Route } from '../routing/resolve-route.ts';
import { type Target, targetName } from '../routing/target.ts';
import type { BudgetConfig } from './budget-config.ts';
import { type Period, periodAt } from './budget-period.ts';

/** A budget that a call counts towards, in the period it is made in. */
export interface ApplyingBudget extends Period {
  /** What its row in the store is called. */
  key: string;
  /** The same for all shares and periods of a budget. Other limits make it no other budget. */
  id: string;
  /** Whose part of it, where each has one; empty where it is shared. */
  share: string;
  limits: BudgetConfig;
}

/** Who asks, and for what. */
interface AskedBy {
  owner: CallOwner;
  route: Pick<Route, 'name' | 'targets'>;
}

/** The budgets that a call counts towards. */
export function findBudgets(budgets: readonly BudgetConfig[], call: AskedBy, at: number): ApplyingBudget[] {
  return budgets.filter((budget) => isFor(budget, call)).map((limits) => toApplying(limits, call.owner, at));
}

function toApplying(limits: BudgetConfig, owner: CallOwner, at: number): ApplyingBudget {
  const id = budgetId(limits);
  const period = periodAt(limits.per, at);
  const { key, share } = shareOf(limits, owner);
  return { ...period, id, share, limits, key: digest([id, key, period.startsAt]) };
}

/** Names a budget by whom it is for, not by how much it allows. */
export function budgetId({ for: whom = {}, each, per }: BudgetConfig): string {
  const { token, user, role, route } = whom;
  return digest([token ?? null, user ?? null, role ?? null, route ?? null, each ?? null, per]);
}

/** Whether it is about calls of somebody, whatever they ask for. */
function isForOwner({ for: whom = {} }: BudgetConfig, owner: CallOwner): boolean {
  const { token, user, role } = whom;
  return (
    (token === undefined || token === owner.tokenName || token === owner.tokenId) &&
    (user === undefined || user === owner.userName) &&
    (role === undefined || role === owner.role)
  );
}

/** The rows of a budget that calls of some owners count towards now, whatever model they ask for; none where it is not theirs. */
export function findOwnShares(limits: BudgetConfig, owners: readonly CallOwner[], at: number): ApplyingBudget[] {
  const shares = owners.filter((owner) => isForOwner(limits, owner)).map((owner) => toApplying(limits, owner, at));
  return [...new Map(shares.map((share) => [share.key, share])).values()];
}

function isFor(budget: BudgetConfig, { owner, route }: AskedBy): boolean {
  const named = budget.for?.route;
  return isForOwner(budget, owner) && (named === undefined || named === route.name || isModel(named, route.targets));
}

/** Whether it names the one model that all targets are, with its provider or without: another name for it is no way around. */
function isModel(named: string, targets: readonly Target[]): boolean {
  return targets.length > 0 && targets.every((target) => named === target.model || named === targetName(target));
}

function shareOf({ each }: BudgetConfig, owner: CallOwner): { key: string; share: string } {
  if (each === undefined) return { key: '', share: '' };
  if (each === 'user') return { key: owner.userId, share: owner.userName };
  const share = `${owner.userName}/${owner.tokenName}`;
  return { key: owner.tokenId ?? `${owner.userId}/${owner.tokenName}`, share };
}

function digest(parts: readonly (string | number | null)[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url').slice(0, 32);
}
