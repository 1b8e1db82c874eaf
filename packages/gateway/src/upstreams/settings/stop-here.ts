import type { ModelCall } from '@dragoman/protocol';
import type { SettingFate } from './setting-fates.ts';

/** Every piece of an answer is held against every sequence. */
const MOST_SEQUENCES = 16;
const LONGEST_SEQUENCE = 500;

/** Answers are cut at stop sequences in the gateway, within bounds. */
export function stopHere({ stopSequences = [] }: ModelCall): SettingFate {
  const isBounded =
    stopSequences.length <= MOST_SEQUENCES && stopSequences.every((stop) => stop.length <= LONGEST_SEQUENCE);
  return isBounded
    ? 'done-here'
    : { refused: `expected at most ${MOST_SEQUENCES} sequences of at most ${LONGEST_SEQUENCE} characters.` };
}
