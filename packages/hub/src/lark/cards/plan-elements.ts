import type { ContentBlockOf } from '@dragoman/protocol';
import { markdown } from './call-panel.ts';
import type { CardElement } from './card-json.ts';
import type { CardWords } from './card-words.ts';
import { cleanLine } from './clean-text.ts';
import { escapeMarkdown } from './escape-markdown.ts';

const MOST_BYTES = 5000;
const PLAN_MARKS = { pending: '☐', in_progress: '▶️', completed: '☑', cancelled: '☒' } as const;

const PLAN_LOOKS = {
  pending: ['', ''],
  in_progress: ['**', '**'],
  completed: ['', ''],
  cancelled: ['~~', '~~'],
} as const;

/** A plan as a list to check off. */
export function planElements({ entries }: ContentBlockOf<'plan'>, words: CardWords, id: string): CardElement[] {
  const done = entries.filter(({ status }) => status === 'completed').length;
  const shown: string[] = [];
  let left = MOST_BYTES;
  for (const { content, status } of entries.slice(0, 50)) {
    const text = escapeMarkdown(cleanLine(content, 120));
    left -= Buffer.byteLength(text) + 10;
    if (left < 0) break;
    const [before, after] = text === '' ? ['', ''] : PLAN_LOOKS[status];
    shown.push(`${PLAN_MARKS[status]} ${before}${text}${after}`);
  }
  const more = entries.length > shown.length ? [`… ${words.items(entries.length - shown.length)}`] : [];
  return markdown(id, [`📋 **${words.plan(done, entries.length)}**`, ...shown, ...more].join('\n'));
}
