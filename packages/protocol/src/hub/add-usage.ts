import type { ContentBlockOf } from '../uap/content-block.ts';
import type { SessionView, ShownMessage, TakenOut } from './session-view.ts';

type Usage = SessionView['usage'];

const SUMS = [
  'input_tokens',
  'output_tokens',
  'reasoning_tokens',
  'cache_read_tokens',
  'cache_write_tokens',
  'cost_usd',
] as const;
const NEWEST = ['context_used', 'context_size'] as const;

/** What one more block makes of what was used: amounts add up, what is about the context is the newest. */
export function addUsage(usage: Usage, block: ContentBlockOf<'usage'>): Usage {
  const sum = { ...usage };
  for (const key of SUMS) if (typeof block[key] === 'number') sum[key] = (sum[key] ?? 0) + block[key];
  for (const key of NEWEST) if (typeof block[key] === 'number') sum[key] = block[key];
  return sum;
}

/**
 * What was used in all. What was taken out was paid for all the same, but fills no context any more. In the order in which it
 * was told, as a sum of fractions depends on that.
 */
export function totalUsage(messages: readonly ShownMessage[], { blocks: taken }: TakenOut): Usage {
  const used: { since: number; block: ContentBlockOf<'usage'> }[] = [];
  for (const { blocks } of messages)
    for (const { since, block } of blocks) if (block.type === 'usage') used.push({ since, block });
  for (const { since, usage } of taken.values())
    if (usage !== undefined) used.push({ since, block: withoutContext(usage) });
  return used.toSorted((one, two) => one.since - two.since).reduce<Usage>((sum, { block }) => addUsage(sum, block), {});
}

function withoutContext(block: ContentBlockOf<'usage'>): ContentBlockOf<'usage'> {
  const { context_used: _, context_size: __, ...amounts } = block;
  return amounts;
}
