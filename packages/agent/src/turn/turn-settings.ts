import type { CompactionSettings } from '../compaction/session-compaction.ts';
import type { AgentSettings } from '../config/agent-config.ts';
import type { RetrySettings } from './retry-rule.ts';
import type { StreamTimeouts } from './stream-limits.ts';
import type { BudgetLimits } from './turn-budget.ts';

/** What holds for every turn. */
export interface TurnSettings {
  loop: AgentSettings['loop'];
  budget: Partial<BudgetLimits>;
  stream: StreamTimeouts;
  toolMs: number;
  retry: RetrySettings;
  compaction: CompactionSettings;
  /** How long a model or a tool that is called off may take to end; 2 s where nothing is said. Then it is left alone. */
  graceMs?: number | undefined;
}

/** The settings of a turn as the configuration gives them. An agent may have fewer steps. */
export function turnSettings(settings: AgentSettings, steps?: number): TurnSettings {
  const { tokens, cost, minutes, compactions } = settings.budget;
  return {
    loop: settings.loop,
    budget: {
      steps: Math.min(settings.budget.steps, steps ?? Number.POSITIVE_INFINITY),
      wallMs: minutes * 60_000,
      compactions,
      ...(tokens === undefined ? {} : { tokens }),
      ...(cost === undefined ? {} : { cost }),
    },
    stream: settings.timeouts,
    toolMs: settings.timeouts.toolMs,
    retry: settings.retry,
    compaction: settings.compaction,
  };
}
