import type { RowOf } from '@dragoman/protocol';
import { small } from './call-panel.ts';
import type { ButtonElement, CardElement } from './card-json.ts';
import { type CardWords, duration, shortNumber } from './card-words.ts';
import { errorElements } from './error-elements.ts';

/** How a turn ended and what it took, and the way to the console. */
export function footerElements(
  { turn, usage }: RowOf<'turn-end'>,
  words: CardWords,
  link: string | undefined,
): CardElement[] {
  const { reason = 'done', error } = turn;
  const isGood = reason === 'done' || reason === 'cancelled';
  const help = isGood || error?.fix !== undefined ? undefined : words.turnHelp[reason];
  const faults = error === undefined ? [] : errorElements(error, words, words.turnEnd[reason]);
  const took = (turn.finishedAt ?? turn.startedAt) - turn.startedAt;
  const parts = [
    error === undefined && `${MARKS[reason]} ${words.turnEnd[reason]}`,
    took >= 1000 && duration(took, words),
    usage.input_tokens !== undefined && words.tokensIn(shortNumber(usage.input_tokens)),
    (usage.cache_read_tokens ?? 0) > 0 && words.tokensCached(shortNumber(usage.cache_read_tokens ?? 0)),
    usage.output_tokens !== undefined && words.tokensOut(shortNumber(usage.output_tokens)),
    (usage.cost_usd ?? 0) > 0 && dollars(usage.cost_usd ?? 0),
  ].filter((part) => part !== false);
  return [
    ...faults,
    ...(help === undefined ? [] : [small(help)]),
    ...(parts.length === 0 ? [] : [small(`<font color='grey'>${parts.join(' · ')}</font>`)]),
    ...(link === undefined ? [] : [linkButton(link, words)]),
  ];
}

/** A button that opens the session in the console. */
export function linkButton(link: string, words: CardWords): ButtonElement {
  return {
    tag: 'button',
    text: { tag: 'plain_text', content: words.open },
    type: 'text',
    size: 'small',
    behaviors: [{ type: 'open_url', default_url: link }],
  };
}

const MARKS = { done: '✅', cancelled: '⏹', refused: '🚫', limit: '⚠️', failed: '❌', interrupted: '⏹' } as const;

function dollars(value: number): string {
  return `&#36;${value < 1 ? value.toFixed(4).replace(/0{1,2}$/, '') : value.toFixed(2)}`;
}
