import { maskCommand } from '../../secrets/mask-command.ts';
import { redactText } from '../../secrets/redact-text.ts';
import { judgeName } from '../../secrets/secret-names.ts';

/** So much of an input stands in the line of its call. */
const MOST = 80;
/** So much of a value is looked at: an input may be a whole file. */
const LOOKED_AT = 1000;
/** So many values of a list are looked at. */
const MOST_VALUES = 40;

/**
 * What a call was given, in a line, for tools that we know nothing of: `./src`, or `city: Oslo, days: 3` where there is more
 * than one value. Lists are shown where there is nothing else. Objects and what may be a secret are shown only when the
 * call is opened.
 */
export function inputPreview(input: unknown): string {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return '';
  const fields = Object.entries(input);
  return joined(fields, plainLine) || joined(fields, listLine);
}

function joined(fields: [string, unknown][], lineOf: (value: unknown) => string): string {
  const told = fields.flatMap(([name, value]): [string, string][] => {
    // Others may see the screen.
    const line = judgeName(name) === 'open' ? lineOf(value) : '';
    return line === '' ? [] : [[name.replace(/\s+/g, ' '), line]];
  });
  const [first] = told;
  return shortened(told.length === 1 ? first![1] : told.map(([name, line]) => `${name}: ${line}`).join(', '));
}

function plainLine(value: unknown): string {
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') return '';
  const text = String(value).slice(0, LOOKED_AT);
  return redactText(text).count > 0 ? '' : text.replace(/\s+/g, ' ').trim();
}

/** A list may be the words of a command, where one word says what the next one is. */
function listLine(value: unknown): string {
  if (!Array.isArray(value)) return '';
  const words = value.slice(0, MOST_VALUES).map(plainLine);
  const [, ...masked] = maskCommand(['', ...words]);
  const isOpen = masked.every((word, index) => word === words[index]);
  return isOpen ? words.filter((word) => word !== '').join(', ') : '';
}

function shortened(line: string): string {
  if (line.length <= MOST) return line;
  const cut = line.slice(0, MOST - 1).replace(/[\uD800-\uDBFF]$/, '');
  return `${cut.trimEnd()}…`;
}
