import type { JsonObject } from './json-object.ts';

/** Something that the platform does not take in a card. */
export interface CardProblem {
  /** What CardKit calls it. */
  code: number;
  /** What it is called inside of the answer 230099 to a message. */
  messageCode: number;
  /** Where, such as `body.elements[2].text`. */
  path: string;
  message: string;
}

/** Notes a problem; without codes it is a card that cannot be read. */
export type Complain = (path: string, message: string, code?: number, messageCode?: number) => void;

/** Refuses what is not in the list: since 2.0 the platform does. */
export function onlyKnown(value: JsonObject, known: ReadonlySet<string>, path: string, complain: Complain): void {
  for (const key of Object.keys(value)) {
    if (!known.has(key)) complain(path === '' ? key : `${path}.${key}`, `unknown property '${key}'`);
  }
}
