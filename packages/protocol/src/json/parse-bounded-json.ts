import { JsonGauge, type JsonLimits } from './json-gauge.ts';

export interface JsonTextLimits extends JsonLimits {
  /** How long a text may be. */
  length: number;
}

/** What JSON may be that somebody sent inside a text: arguments of a tool, its parameters, its result. */
export const JSON_TEXT_LIMITS: Readonly<JsonTextLimits> = {
  depth: 100,
  values: 50_000,
  fields: 20_000,
  length: 1024 * 1024,
};

/** The longest piece of a text that is measured at a time. */
const PIECE = 16 * 1024;

/** The value of a JSON text, or undefined: it is no JSON, or it holds more than the limits and is not parsed. */
export function parseBoundedJson(text: string, limits: Readonly<JsonTextLimits> = JSON_TEXT_LIMITS): unknown {
  return boundedJsonParser(limits)(text);
}

/** The same for the many texts of one request: the values and fields of all of them together are within the limits. */
export function boundedJsonParser(limits: Readonly<JsonTextLimits> = JSON_TEXT_LIMITS): (text: string) => unknown {
  let { values, fields } = limits;
  return (text) => {
    if (text.length > limits.length) return undefined;
    const used = measure(text, { depth: limits.depth, values, fields });
    if (used === undefined) return undefined;
    values -= used.values;
    fields -= used.fields;
    try {
      return JSON.parse(text);
    } catch {
      return undefined;
    }
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
