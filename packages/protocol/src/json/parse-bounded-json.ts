import { JsonGauge, type JsonLimits } from './json-gauge.ts';

export interface JsonTextLimits extends JsonLimits {
  /** How long a text may be. */
  length: number;
}

/** What one JSON text may be that somebody sent inside of another: parameters of a tool, its result. */
export const JSON_TEXT_LIMITS: Readonly<JsonTextLimits> = {
  depth: 100,
  values: 50_000,
  fields: 20_000,
  names: 20_000,
  length: 1024 * 1024,
};

/** What all such texts of one request may be together. */
const JSON_TEXTS_LIMITS: Readonly<JsonTextLimits> = {
  depth: 100,
  values: 100_000,
  fields: 50_000,
  names: 20_000,
  length: 4 * 1024 * 1024,
};

/** The longest piece of a text that is measured at a time. */
const PIECE = 16 * 1024;

/** The value of a JSON text, or undefined: it is no JSON, or it holds more than the limits and is not parsed. */
export function parseBoundedJson(text: string, limits: Readonly<JsonTextLimits> = JSON_TEXT_LIMITS): unknown {
  return boundedJsonParser(limits)(text);
}

/** The same for the many texts of one request: the values and fields of all of them together are within the limits. */
export function boundedJsonParser(limits: Readonly<JsonTextLimits> = JSON_TEXTS_LIMITS): (text: string) => unknown {
  const isWithinLimits = jsonMeter(limits);
  return (text) => {
    if (!isWithinLimits(text)) return undefined;
    try {
      return JSON.parse(text);
    } catch {
      return undefined;
    }
  };
}

/** Whether the next text is within the limits together with those before it. One that is not counts for nothing. */
export function jsonMeter(limits: Readonly<JsonTextLimits> = JSON_TEXTS_LIMITS): (text: string) => boolean {
  let { values, fields } = limits;
  return (text) => {
    if (text.length > limits.length) return false;
    const used = measure(text, { ...limits, values, fields });
    if (used === undefined) return false;
    values -= used.values;
    fields -= used.fields;
    return true;
  };
}

function measure(text: string, limits: JsonLimits): JsonGauge['used'] | undefined {
  const gauge = new JsonGauge(limits);
  const encoder = new TextEncoder();
  // Halves of a character become other bytes, none of which JSON gives a meaning.
  for (let at = 0; at < text.length; at += PIECE)
    if (gauge.take(encoder.encode(text.slice(at, at + PIECE))) !== undefined) return undefined;
  return gauge.used;
}
