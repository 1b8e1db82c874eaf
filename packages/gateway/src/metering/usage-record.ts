import type { FinishReason, ModelUsage } from '@dragoman/protocol';
import type { CallFailure } from '@dragoman/protocol/console';

/** A guess at what a call used. */
export interface UsageEstimate {
  tokens: number;
  /** Millionths of a dollar; 0 where the price is not known. */
  micros: number;
}

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
  /** About what it used, for those budgets, where nobody told its usage. */
  estimate?: UsageEstimate;
  /** Why targets did not answer, in the order in which they were asked. */
  failures?: readonly CallFailure[];
  /** How many targets were tried. */
  attempts: number;
}
