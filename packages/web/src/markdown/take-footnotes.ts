import { mapWords } from './map-words.ts';
import { SIGN } from './own-nodes.ts';

/** A note at the foot of a text. */
export interface Footnote {
  number: number;
  text: string;
  /** How often the text points at it. */
  references: number;
}

const DEFINITION = /^ {0,3}\[\^([^\]\s]{1,50})\]:[ \t]*(.*)$/;
const REFERENCE = /\\[^\n]|\[\^([^\]\s]{1,50})\]/g;
const FENCE = /^ {0,3}(`{3,}|~{3,})/;
const MAX_NOTES = 500;

/**
 * The notes of a text, in the order in which it points at them, and the text without them. Where it pointed at one stands
 * a sign that `withOwnNodes` knows. What points at no note stays as it was written.
 */
export function takeFootnotes(text: string): { text: string; notes: Footnote[] } {
  if (!/^ {0,3}\[\^[^\]\s]{1,50}\]:/m.test(text)) return { text, notes: [] };
  const { body, defined } = takeDefinitions(text.replaceAll('\r\n', '\n').split('\n'));
  if (defined.size > MAX_NOTES) return { text, notes: [] };

  const found = new Map<string, Footnote>();
  const noteOf = (label: string) => {
    const known = found.get(label);
    if (known !== undefined) return known;
    const note = { number: found.size + 1, text: defined.get(label)!, references: 0 };
    found.set(label, note);
    return note;
  };
  const withSigns = (words: string) =>
    words.replaceAll(REFERENCE, (all, name: string | undefined) => {
      const label = name?.toLowerCase();
      if (label === undefined || !defined.has(label)) return all;
      const note = noteOf(label);
      note.references += 1;
      return `${SIGN.open}n${note.number}.${note.references}${SIGN.close}`;
    });
  const shown = mapWords(body.join('\n'), withSigns);
  // A note may point at others, and one that nothing points at is a note all the same.
  for (const note of found.values()) note.text = mapWords(note.text, withSigns);
  for (const label of defined.keys()) {
    const isNew = !found.has(label);
    const note = noteOf(label);
    if (isNew) note.text = mapWords(note.text, withSigns);
  }
  return { text: shown, notes: [...found.values()] };
}

/** A note goes on over lines that follow at once, and over such behind an empty line that stand further in. */
function takeDefinitions(lines: readonly string[]): { body: string[]; defined: Map<string, string> } {
  const body: string[] = [];
  const defined = new Map<string, string>();
  let note: { label: string; lines: string[] } | undefined;
  let fence: string | undefined;
  const end = () => {
    if (note !== undefined && !defined.has(note.label)) defined.set(note.label, note.lines.join('\n').trim());
    note = undefined;
  };
  for (const line of lines) {
    const marker = FENCE.exec(line)?.[1];
    const [, label, rest = ''] = (fence === undefined && DEFINITION.exec(line)) || [];
    if (label !== undefined) {
      end();
      // An empty line keeps what is above and below apart.
      body.push('');
      note = { label: label.toLowerCase(), lines: [rest] };
      continue;
    }
    if (note !== undefined) {
      const isFurtherIn = /^(?:\t| {2,})/.test(line);
      const isAfterEmpty = note.lines.at(-1)!.trim() === '' && note.lines.length > 1;
      if (
        line.trim() === '' ||
        isFurtherIn ||
        (!isAfterEmpty && marker === undefined && !/^\s{0,3}[#>|-]/.test(line))
      ) {
        note.lines.push(isFurtherIn ? line.replace(/^(?:\t| {2,4})/, '') : line);
        continue;
      }
      end();
    }
    if (marker !== undefined) {
      if (fence === undefined) fence = marker;
      else if (marker.startsWith(fence)) fence = undefined;
    }
    body.push(line);
  }
  end();
  return { body, defined };
}
