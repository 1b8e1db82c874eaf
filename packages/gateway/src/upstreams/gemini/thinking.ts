import type { ReasoningEffort } from '@dragoman/protocol';
import type { GeminiThinkingConfig } from './wire.ts';

/** The tokens that Google itself puts behind these words where it serves the OpenAI protocol. */
const BUDGETS: Record<ReasoningEffort, number> = {
  none: 0,
  minimal: 1024,
  low: 1024,
  medium: 8192,
  high: 24_576,
  xhigh: 24_576,
  max: 24_576,
};

/** These models cannot be kept from thinking, and LOW is the least that each of them knows. */
const LEVELS: Record<ReasoningEffort, 'MINIMAL' | 'LOW' | 'MEDIUM' | 'HIGH'> = {
  none: 'LOW',
  minimal: 'MINIMAL',
  low: 'LOW',
  medium: 'MEDIUM',
  high: 'HIGH',
  xhigh: 'HIGH',
  max: 'HIGH',
};

/** The least that 2.5 Pro accepts. */
const LEAST_BUDGET_OF_PRO = 128;

/** How hard to think: a level since Gemini 3, a number of tokens before. Both in one request are refused. */
export function encodeThinking(effort: ReasoningEffort, model: string): GeminiThinkingConfig {
  const includeThoughts = effort !== 'none';
  if (!isBeforeGemini3(model)) return { includeThoughts, thinkingLevel: LEVELS[effort] };
  const least = /2\.5-pro/.test(model) ? LEAST_BUDGET_OF_PRO : 0;
  return { includeThoughts, thinkingBudget: Math.max(BUDGETS[effort], least) };
}

/** Since Gemini 3 a call in the history must carry the signature it came with. */
export function needsSignatures(model: string): boolean {
  return /(^|\/)gemini-/.test(model) && !isBeforeGemini3(model);
}

function isBeforeGemini3(model: string): boolean {
  return /(^|\/)gemini-[12]\b/.test(model);
}
