import { redactText } from '../../secrets/redact-text.ts';
import { judgeName } from '../../secrets/secret-names.ts';

/** So much of an input stands in the line of its call. */
const MOST = 80;
/** So much of a value is looked at: an input may be a whole file. */
const LOOKED_AT = 1000;

/**
 * What a call was given, in a line, for tools that we know nothing of: `./src`, or `city: Oslo, days: 3` where there is more
 * than one value. Lists, objects and what may be a secret are shown only when the call is opened.
 */
export function inputPreview(input: unknown): string {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return '';
  const told = Object.entries(input).flatMap(([name, value]): [string, string][] => {
    if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') return [];
    const text = String(value).slice(0, LOOKED_AT);
    // Others may see the screen.
    if (judgeName(name) !== 'open' || redactText(text).count > 0) return [];
    const line = text.replace(/\s+/g, ' ').trim();
    return line === '' ? [] : [[name.replace(/\s+/g, ' '), line]];
  });
  const [first] = told;
  return shortened(told.length === 1 ? first![1] : told.map(([name, line]) => `${name}: ${line}`).join(', '));
}

function shortened(line: string): string {
  if (line.length <= MOST) return line;
  const cut = line.slice(0, MOST - 1).replace(/[\uD800-\uDBFF]$/, '');
  return `${cut.trimEnd()}…`;
}
