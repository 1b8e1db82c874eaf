import type { Actor } from '@dragoman/protocol';

const PLACES: Readonly<Record<string, string>> = { web: ' in the console', telegram: ' in Telegram', lark: ' in Lark' };

/** Ends a question that somebody answered elsewhere. Its message says what was answered, and by whom where that is known. */
export class AnsweredElsewhere extends Error {
  override readonly name = 'AbortError';

  constructor(answer: string, by: Actor | undefined) {
    super(`${answer}${by === undefined ? ' elsewhere' : saidBy(by)}`);
  }
}

function saidBy(by: Actor): string {
  if (by.type === 'time-limit') return ': the time is up';
  return by.type === 'user' ? ` by ${by.name}${PLACES[by.channel] ?? ' elsewhere'}` : ' elsewhere';
}
