import type { CardJson } from './card-json.ts';

/** Lark takes 30 KB; some is left for what is filled in when a card is sent. */
const MOST_BYTES = 27_000;
/** Lark takes 200 elements, those inside of others too. */
const MOST_ELEMENTS = 180;
/** Lark refuses a card with more tables than five; those after these are written as text. */
export const MOST_TABLES = 4;

/** Whether Lark takes the card. */
export function isWithinLimits(card: CardJson): boolean {
  const json = JSON.stringify(card);
  // Each element has a tag, and so have its words and icons: counted with them, the number is never too small.
  return Buffer.byteLength(json) <= MOST_BYTES && json.split('"tag":').length - 1 <= MOST_ELEMENTS;
}

/** What the words take in JSON at the most, as code or written as Markdown. */
export function costOf(text: string, { isCode = false }: { isCode?: boolean } = {}): number {
  let cost = 0;
  for (let index = 0; index < text.length; index += 1) cost += costOfUnit(text.charCodeAt(index), isCode);
  return cost;
}

/** As much of the beginning as fits. */
export function headWithin(text: string, bytes: number, options: { isCode?: boolean } = {}): string {
  let [left, end] = [bytes, 0];
  while (end < text.length) {
    left -= costOfUnit(text.charCodeAt(end), options.isCode ?? false);
    if (left < 0) break;
    end += 1;
  }
  return text.slice(0, isSplit(text, end) ? end - 1 : end);
}

/** As much of the end as fits. */
export function tailWithin(text: string, bytes: number, options: { isCode?: boolean } = {}): string {
  let [left, start] = [bytes, text.length];
  while (start > 0) {
    left -= costOfUnit(text.charCodeAt(start - 1), options.isCode ?? false);
    if (left < 0) break;
    start -= 1;
  }
  return text.slice(isSplit(text, start) ? start + 1 : start);
}

/** Of a character that is written as two units, each counts half. */
function costOfUnit(code: number, isCode: boolean): number {
  if (code >= 0x80) return code < 0x8_00 ? 2 : code >= 0xd8_00 && code < 0xe0_00 ? 2 : 3;
  // What is kept apart in code, and what is an entity in words.
  if (isCode) return code === 0x60 || code === 0x3c ? 4 : code < 0x20 || code === 0x22 || code === 0x5c ? 2 : 1;
  return SPECIAL[code]!;
}

/** By the code of the character: five or six for what becomes an entity, a little more for a line. */
const SPECIAL: readonly number[] = Array.from({ length: 0x80 }, (_, code) => {
  const character = String.fromCharCode(code);
  if (character === '\n') return 6;
  if ('|~{}'.includes(character)) return 6;
  if ('&<>*_`[]\\$:#+-()'.includes(character)) return 5;
  return code < 0x20 || character === '"' ? 2 : 1;
});

function isSplit(text: string, at: number): boolean {
  return at > 0 && at < text.length && (text.charCodeAt(at) & 0xfc_00) === 0xdc_00;
}
