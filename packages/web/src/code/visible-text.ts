import { visibleMarks } from '@dragoman/protocol';

/**
 * A text in which nothing is hidden: code and commands are shown to be judged, and a mark that turns the order of the letters
 * around must not decide how they read.
 */
export function visibleText(text: string): string {
  return visibleMarks(text.replaceAll(/\r(?!\n)/g, '\u240d'));
}

/** A text to be read, in which marks that turn the order of letters around are shown; what else is not seen does no harm. */
export function withVisibleTurns(text: string): string {
  return text.replaceAll(/[\u202a-\u202e\u2066-\u2069]/g, visibleMarks);
}
