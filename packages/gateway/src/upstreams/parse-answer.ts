import { isParsable } from '../tools/json-object.ts';
import { answerTooLarge } from './answer-limits.ts';

/** The JSON of an answer or of one of its events; undefined for what is none. */
export function parseAnswer(text: string): unknown {
  if (!isParsable(text)) throw answerTooLarge('too many values, or nested too deeply');
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
