import type { EndedCall } from './note-call.ts';
import { priceUsage } from './price-usage.ts';
import type { UsageEstimate } from './usage-record.ts';

export const CHARACTERS_PER_TOKEN = 4;

/**
 * About what a call used whose answer began and whose usage nobody told, so that leaving before the end is no way around a
 * budget. Undefined where it is known, or where no answer began.
 */
export function estimateUsage({ measure, target, sentTokens }: EndedCall): UsageEstimate | undefined {
  const { usage, firstEventAt, finishReason } = measure;
  const hasBegun = firstEventAt !== undefined || (finishReason !== undefined && finishReason !== 'error');
  if (usage !== undefined || !hasBegun || sentTokens === undefined) return undefined;
  const characters = measure.countCharacters?.() ?? measure.characters;
  const guess = { inputTokens: sentTokens(), outputTokens: Math.ceil(characters / CHARACTERS_PER_TOKEN) };
  return {
    tokens: guess.inputTokens + guess.outputTokens,
    micros: Math.round((priceUsage(guess, target)?.dollars ?? 0) * 1_000_000),
  };
}
