import type { ContentBlockOf, ContentBlockType } from '../uap/content-block.ts';
import type { ShownMessage } from './session-view.ts';

/** All blocks of a type in the order in which they were opened, which is not that of the messages where these interleave. */
export function blocksOfType<Type extends ContentBlockType>(
  messages: readonly ShownMessage[],
  type: Type,
): ContentBlockOf<Type>[] {
  return messages
    .flatMap(({ blocks }) => blocks.filter(({ block }) => block.type === type))
    .toSorted((one, two) => one.since - two.since)
    .map(({ block }) => block as ContentBlockOf<Type>);
}
