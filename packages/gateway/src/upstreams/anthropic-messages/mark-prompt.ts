import { isJsonObject } from '../../tools/json-object.ts';
import type { MarkPrompt } from '../mark-prompt.ts';
import { markedPlaces, type Place, placesIn, withMarks } from './cache-places.ts';

/** The service refuses more. */
const MAX_MARKS = 4;

/**
 * Marks where a prompt is cached: the end of the tools, of the system prompt, of the conversation, and of what the
 * conversation was when it was last asked. The service writes to its cache at marks only, and from a mark looks back over
 * 20 blocks: the last of them finds what the call before wrote, however much one answer and its results have added.
 *
 * Marks of the client are kept and count.
 */
export const markClaudePrompt: MarkPrompt = (body, { target, isOneOff, isRelayed }) => {
  if (target.provider.promptCaching === false) return body;
  const places = placesIn(body);
  const given = markedPlaces(places);
  const isAutomatic = isJsonObject(body['cache_control']);
  if (isRelayed && (isAutomatic || given.length > 0)) return body;

  const free = MAX_MARKS - given.length - (isAutomatic ? 1 : 0);
  if (free < 0) return withMarks(body, places, [], new Set(given.slice(0, -free)));
  const [end, previous] = isOneOff ? [] : conversationEnds(places);
  const wanted = [end, previous, lastIn('system', places), lastIn('tools', places)].filter(
    (index) => index !== undefined && !given.includes(index) && index > lastLongMark(places),
  );
  return withMarks(body, places, (wanted as number[]).slice(0, Math.max(0, free)), new Set());
};

/** Where the last turn of the user ends, and the one before the last answer: there the call before this one ended. */
function conversationEnds(places: readonly Place[]): (number | undefined)[] {
  const end = lastOf('user', places, places.length);
  const answer = end === undefined ? undefined : lastOf('assistant', places, end);
  return [end, answer === undefined ? undefined : lastOf('user', places, answer)];
}

function lastOf(role: 'user' | 'assistant', places: readonly Place[], before: number): number | undefined {
  return lastWhere(places, (place, index) => {
    return index < before && place.role === role && (role === 'assistant' || isMarkable(place));
  });
}

function lastIn(field: Place['field'], places: readonly Place[]): number | undefined {
  return lastWhere(places, (place) => place.field === field && isMarkable(place));
}

function lastWhere(places: readonly Place[], test: (place: Place, index: number) => boolean): number | undefined {
  const found = places.findLastIndex(test);
  return found === -1 ? undefined : found;
}

/** The service wants marks that last an hour before those that last minutes. */
function lastLongMark(places: readonly Place[]): number {
  return places.findLastIndex(({ block }) => {
    const mark = block['cache_control'];
    return isJsonObject(mark) && mark['ttl'] !== undefined && mark['ttl'] !== '5m';
  });
}

const MARKABLE = new Set(['image', 'document', 'search_result', 'tool_result']);

/** Thoughts and empty text cannot be marked, nor can a tool that is loaded when it is looked for. */
function isMarkable({ field, block }: Place): boolean {
  if (field === 'tools') return block['defer_loading'] !== true;
  if (block['type'] === 'text') return typeof block['text'] === 'string' && block['text'].trim() !== '';
  return MARKABLE.has(String(block['type']));
}
