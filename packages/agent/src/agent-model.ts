import {
  type Model,
  type ModelName,
  type ModelPrice,
  type ModelUsage,
  priceOfUsage,
  type Tokens,
} from '@dragoman/protocol';

/** A model the agent can work with: who it is, what it can take, and the way to ask it. */
export interface AgentModel extends ModelName {
  model: Model;
  /** How many tokens it takes, prompt and answer together; 0 when that is not known. */
  contextTokens: number;
  maxOutputTokens: number;
  price?: ModelPrice | undefined;
}

/** Finds models by name; without a name the one that is set up as default. Throws when there is none of that name. */
export type OpenModel = (name?: string) => AgentModel;

/** What a call cost: the provider's figure where it gives one, else what the prices make of the tokens. */
export function costOf(
  usage: ModelUsage | undefined,
  price: ModelPrice | undefined,
): { cost: number; costSource: 'provider' | 'computed' } {
  if (usage?.cost !== undefined) return { cost: usage.cost, costSource: 'provider' };
  const dollars = usage === undefined || price === undefined ? undefined : priceOfUsage(usage, price);
  return { cost: dollars ?? 0, costSource: 'computed' };
}

/** Usage as messages keep it: nothing is counted twice. */
export function toTokens(usage: ModelUsage): Tokens {
  const { inputTokens, outputTokens, reasoningTokens = 0, cacheReadTokens = 0, cacheWriteTokens = 0 } = usage;
  return {
    input: Math.max(0, inputTokens - cacheReadTokens - cacheWriteTokens),
    output: Math.max(0, outputTokens - reasoningTokens),
    reasoning: reasoningTokens,
    cache: { read: cacheReadTokens, write: cacheWriteTokens },
  };
}
