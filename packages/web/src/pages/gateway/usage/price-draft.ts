import type { SettingChange } from '@dragoman/protocol/console';

/** What somebody types as the price of a model, in dollars for a million tokens. */
export interface PriceDraft {
  input: string;
  /** Empty where it costs as much as other input. */
  cacheRead: string;
  output: string;
}

/** More than anybody asks for a million tokens; rather a price of one token, or of another currency. */
const MOST_DOLLARS = 10_000;

/** What is wrong with a draft, by field: the name of the words that say it. */
export function priceMistakes(draft: PriceDraft): Partial<Record<keyof PriceDraft, 'wanted' | 'wrong'>> {
  const mistakes: ReturnType<typeof priceMistakes> = {};
  for (const field of ['input', 'cacheRead', 'output'] as const) {
    const isEmpty = draft[field].trim() === '';
    if (isEmpty && field !== 'cacheRead') mistakes[field] = 'wanted';
    else if (!isEmpty && readDollars(draft[field]) === undefined) mistakes[field] = 'wrong';
  }
  return mistakes;
}

/** The change of the settings that a draft without mistakes asks for. */
export function priceChange(target: string, draft: PriceDraft): SettingChange {
  const slash = target.indexOf('/');
  const cacheRead = readDollars(draft.cacheRead);
  return {
    path: ['providers', target.slice(0, slash), 'prices', target.slice(slash + 1)],
    value: {
      input: readDollars(draft.input)!,
      output: readDollars(draft.output)!,
      ...(cacheRead !== undefined && { cacheRead }),
    },
  };
}

/** People write 0.5, 0,5, .5 or $0.50. */
function readDollars(text: string): number | undefined {
  const written = text
    .trim()
    .replace(/^\$\s*/, '')
    .replace(',', '.');
  if (!/^(?:\d+\.?\d*|\.\d+)$/.test(written)) return undefined;
  const dollars = Number(written);
  return dollars <= MOST_DOLLARS ? dollars : undefined;
}
