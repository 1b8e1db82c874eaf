import type { Store } from '@dragoman/server';
import { CallWatch } from './call-watch.ts';
import { UsageLog } from './usage-log.ts';
import type { UsageTables } from './usage-tables.ts';

/** Where the model calls of a process are noted, those of clients and those of agents alike. */
export interface CallBook {
  /** Keeps them. */
  usageLog: UsageLog;
  /** What became of the calls since the start. */
  calls: CallWatch;
}

/** Opens the book of a process. Without a store calls are counted and told, and not kept. */
export function openCallBook(store: Store | undefined, onError: (error: unknown) => void): CallBook {
  const calls = new CallWatch();
  return { usageLog: new UsageLog(store?.tables<UsageTables>(), calls, onError), calls };
}
