import type { ModelPrice } from '@dragoman/protocol';

/** The prices of one service, as they were found in public. */
export interface PriceList {
  /** What the service is called. */
  provider: string;
  /** Where it is. The same model costs something else elsewhere, so the address of a provider begins with one of these. */
  addresses: readonly string[];
  /** Packages for `ai-sdk` that ask it. */
  packages: readonly string[];
  /** Found at different times; the first that has a model counts. */
  parts: readonly DatedPrices[];
}

/** Prices that were found together. They are those of the plain service: no batches, no priority, no region. */
interface DatedPrices {
  asOf: string;
  source: string;
  /** By the name of the model, in lower case and without a date at its end where all dates cost the same. */
  models: Readonly<Record<string, ModelPrice>>;
}

/** Left out is what another public table (models.dev, 2026-07-02) has otherwise: of those the price is not known. */
export const LITELLM_TABLE = {
  asOf: '2026-08-08',
  source: 'https://github.com/BerriAI/litellm/blob/main/model_prices_and_context_window.json',
} as const;
