/** Shorter values are words such as "1" and "true", which would be struck out of every sentence. */
const SHORTEST_SECRET = 6;

/**
 * A text without values that somebody was given in confidence: programs and services repeat them when they complain ("the
 * key sk-… is not valid"), and what they say is kept and shown to others than who configured it.
 */
export function hideValues(text: string, values: Iterable<string>, mark: string): string {
  return spellings(values).reduce((hidden, value) => hidden.replaceAll(value, mark), text);
}

/** All forms in which values are repeated, the longest first: one may be a part of another. */
export function spellings(values: Iterable<string>): string[] {
  const forms = new Set<string>();
  for (const value of values) {
    if (value.length < SHORTEST_SECRET) continue;
    for (const form of [value, decoded(value)]) {
      const encoded = encodeURIComponent(form.toWellFormed());
      const inQuery = new URLSearchParams({ '': form }).toString().slice(1);
      const inJson = JSON.stringify(form).slice(1, -1);
      const inHtml = form.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
      for (const spelt of [form, encoded, inQuery, inJson, inHtml]) {
        forms.add(spelt);
        forms.add(spelt.replaceAll(/%[0-9A-F]{2}/g, (escape) => escape.toLowerCase()));
      }
    }
  }
  return [...forms]
    .filter(({ length }) => length >= SHORTEST_SECRET)
    .toSorted((one, other) => other.length - one.length);
}

function decoded(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}
