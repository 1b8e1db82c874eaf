import type { FinishReason, ModelUsage } from '@dragoman/protocol';

/** What is remembered of one model call: who, where, how much; never what was said. */
export interface UsageRecord {
  id: string;
  at: number;
  userId: string;
  userName: string;
  tokenName: string;
  dialect: string;
  route: string;
  /** `provider/model`, or empty when no target took the call. */
  target: string;
  isStreamed: boolean;
  usage: ModelUsage | undefined;
  /** In US dollars, with where the figure comes from. */
  cost: { dollars: number; source: 'provider' | 'computed' | 'built-in' } | undefined;
  firstEventMs: number | undefined;
  totalMs: number;
  finishReason: FinishReason | 'cancelled';
  errorCode: string | undefined;
  /** A rule of the gateway turned it away; no provider was asked. */
  isRefused: boolean;
  repairs: number;
  redactions: number;
  /** The budgets it counts towards. */
  budgets?: readonly string[];
  /** How many targets were tried. */
  attempts: number;
}
