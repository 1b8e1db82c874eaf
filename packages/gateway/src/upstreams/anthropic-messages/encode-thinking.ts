import type { ModelCall, ReasoningEffort } from '@dragoman/protocol';
import { claudeModel } from './claude-model.ts';
import type { AnthropicEffort, AnthropicThinking, AnthropicTurn } from './wire.ts';

/** The service wants a limit with every call. */
const DEFAULT_MAX_TOKENS = 8192;
/** The service refuses less. */
const MIN_BUDGET = 1024;

/** Room for thinking, on top of the answer's. Together with the default limit it fits the oldest models that think. */
const BUDGETS: Record<Exclude<ReasoningEffort, 'none'>, number> = {
  minimal: 1024,
  low: 2048,
  medium: 8192,
  high: 16_384,
  xhigh: 20_480,
  max: 23_552,
};

const EFFORTS: Record<Exclude<ReasoningEffort, 'none'>, AnthropicEffort> = {
  minimal: 'low',
  low: 'low',
  medium: 'medium',
  high: 'high',
  xhigh: 'xhigh',
  max: 'max',
};

export interface ThinkingFields {
  maxTokens: number;
  thinking?: AnthropicThinking;
  effort?: AnthropicEffort;
}

/**
 * How much a model shall think, and the limit that leaves room for it.
 *
 * The limit counts thoughts too. One that the client set is kept and the budget takes half of it at most; the default
 * grows by the room for thinking. Where the client says nothing, the model's own habit stands.
 */
export function encodeThinking(call: ModelCall, modelName: string, turns: AnthropicTurn[]): ThinkingFields {
  const effort = call.reasoningEffort;
  const withoutThinking: ThinkingFields = { maxTokens: call.maxOutputTokens ?? DEFAULT_MAX_TOKENS };
  if (effort === undefined) return withoutThinking;
  const model = claudeModel(modelName);
  if (model.thinking === 'never') return withoutThinking;
  if (effort === 'none')
    return { ...withoutThinking, ...(model.canSkipThinking ? { thinking: { type: 'disabled' } } : { effort: 'low' }) };

  const maxTokens = call.maxOutputTokens ?? DEFAULT_MAX_TOKENS + BUDGETS[effort];
  if (model.thinking === 'adaptive') {
    return {
      maxTokens,
      // Without it, newer models send their thoughts empty.
      thinking: { type: 'adaptive', display: 'summarized' },
      effort: effort === 'xhigh' && !model.hasExtraHighEffort ? 'max' : EFFORTS[effort],
    };
  }
  const budget = Math.min(BUDGETS[effort], Math.floor((call.maxOutputTokens ?? Infinity) / 2));
  if (budget < MIN_BUDGET || forcesTool(call) || isInsideThoughtlessLoop(turns)) return withoutThinking;
  return { maxTokens, thinking: { type: 'enabled', budget_tokens: budget } };
}

/** A model with a budget cannot be made to call a tool and think as well. */
function forcesTool({ toolChoice, tools }: ModelCall): boolean {
  return tools.length > 0 && (toolChoice?.type === 'required' || toolChoice?.type === 'tool');
}

/**
 * With a budget, an answer to a tool's result is refused unless the call began with a thought. It did not when another
 * provider's model made the call.
 */
function isInsideThoughtlessLoop(turns: AnthropicTurn[]): boolean {
  if (turns.at(-1)?.content[0]?.type !== 'tool_result') return false;
  const first = turns.at(-2)?.content[0]?.type;
  return first !== 'thinking' && first !== 'redacted_thinking';
}
