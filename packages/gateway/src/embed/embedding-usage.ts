import type { ModelUsage } from '@dragoman/protocol';

/** The vectors are long and hold no object: what was used stands before or behind them. */
const LOOKED_AT = 4096;
const USAGE = /"usage"\s*:\s*\{[^{}]*?"(?:prompt_tokens|total_tokens)"\s*:\s*(\d{1,15})\b/;

/** What an answer with vectors says that it used, without reading the vectors. */
export function embeddingUsage(json: string): ModelUsage | undefined {
  const tokens = USAGE.exec(json.slice(-LOOKED_AT))?.[1] ?? USAGE.exec(json.slice(0, LOOKED_AT))?.[1];
  return tokens === undefined ? undefined : { inputTokens: Number(tokens), outputTokens: 0 };
}
