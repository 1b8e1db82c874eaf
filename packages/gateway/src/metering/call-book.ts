import type { Store } from '@dragoman/server';
import type { BudgetConfig } from '../budgets/budget-config.ts';
import { Budgets } from '../budgets/budgets.ts';
import { TargetWatch } from '../routing/target-watch.ts';
import { CallWatch } from './call-watch.ts';
import { UsageLog, type UsageTroubles } from './usage-log.ts';
import { usageFolder } from './usage-queue.ts';
import type { UsageTables } from './usage-tables.ts';

/** Where the model calls of a process are noted, those of clients and those of agents alike. */
export interface CallBook {
  /** Keeps them. */
  usageLog: UsageLog;
  /** What became of the calls since the start. */
  calls: CallWatch;
  /** What may be spent on them. */
  budgets: Budgets;
  /** What was learned from them about targets. */
  targets: TargetWatch;
}

/** What a book stands on. */
export interface CallBookOptions {
  /** Where calls are kept. Without a store they are counted and told, and not kept. */
  store?: Store | undefined;
  /** The data folder, where records wait that the store did not take yet. Without it they wait in memory. */
  folder?: string | undefined;
  /** The budgets in force; none when not given. They need a store. */
  budgetConfig?: () => readonly BudgetConfig[];
  log?: UsageTroubles;
}

/** Opens the book of a process. Close its `usageLog` before the store. */
export function openCallBook({ store, folder, budgetConfig = () => [], log = SILENT }: CallBookOptions): CallBook {
  const calls = new CallWatch();
  const db = store?.tables<UsageTables>();
  const budgets = new Budgets({ db, config: budgetConfig, log });
  const waitingFolder = folder === undefined ? undefined : usageFolder(folder);
  return {
    usageLog: new UsageLog({ db, calls, folder: waitingFolder, budgets, log }),
    calls,
    budgets,
    targets: new TargetWatch(),
  };
}

const SILENT: UsageTroubles = { info() {}, warn() {}, error() {} };
