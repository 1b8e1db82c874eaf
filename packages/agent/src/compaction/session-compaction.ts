/** What a model can take, and how much of it is kept free. */
interface CompactionLimits {
  /** How many tokens the model takes, prompt and answer together. */
  contextTokens: number;
  /** How many of them it may write. */
  maxOutputTokens: number;
}

/** When a conversation is shortened. */
export interface CompactionSettings {
  auto: boolean;
  /** Tokens kept free for the answer; by default what the model may write, at most 20,000 and a quarter of its context. */
  reserved?: number | undefined;
  /** Shorten at this share of what is usable. */
  threshold: number;
}

const MOST_RESERVED = 20_000;

/** How many tokens a prompt may have before it is shortened. */
function usableTokens(limits: CompactionLimits, settings: CompactionSettings): number {
  const quarter = Math.floor(limits.contextTokens / 4);
  const reserved = settings.reserved ?? Math.min(limits.maxOutputTokens, MOST_RESERVED);
  // A reserve that leaves nothing would shorten for ever.
  const usable = limits.contextTokens - Math.min(reserved, settings.reserved === undefined ? quarter : reserved);
  return Math.max(1, Math.floor(usable * settings.threshold));
}

/** Whether a prompt of that many tokens has reached the threshold. A model whose limit is not known never overflows. */
function isOverflow(tokens: number, limits: CompactionLimits, settings: CompactionSettings): boolean {
  return settings.auto && limits.contextTokens > 0 && tokens >= usableTokens(limits, settings);
}

/** The rules of shortening what the model sees. */
export const SessionCompaction = { isOverflow, usableTokens };
