import type { CompactionSettings } from '../compaction/session-compaction.ts';
import type { RetrySettings } from './retry-rule.ts';
import type { StreamTimeouts } from './stream-limits.ts';
import type { BudgetLimits } from './turn-budget.ts';

/** What holds for every turn; the configuration gives it. */
export interface TurnSettings {
  loop: {
    /** How often the same may come in a row. */
    threshold: number;
    /** What happens then: the turn ends, or a person is asked where one is there. */
    action: 'stop' | 'ask';
  };
  budget: Partial<BudgetLimits>;
  stream: StreamTimeouts;
  toolMs: number;
  retry: RetrySettings;
  compaction: CompactionSettings;
}
