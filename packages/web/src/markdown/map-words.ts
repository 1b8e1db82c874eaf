const FENCE = /^[ \t]{0,400}(?:[-*+>] ?|\d{1,9}[.)] ?)?[ \t]{0,400}(`{3,}|~{3,})([^\n]{0,200})/;
const LIST = /^\s{0,400}(?:[-*+]|\d{1,9}[.)])\s/;
const FURTHER_IN = /^(?:\t| {4})/;

type ChangeWords = (words: string, isBehindCode: boolean, isBeforeCode: boolean) => string;

/**
 * A Markdown text with its words changed. What is code, in a fence, further in or between backticks, stays as it is;
 * `change` is given the stretches between, none of which reaches over an empty line, and whether code stands before and
 * behind each.
 */
export function mapWords(text: string, change: ChangeWords): string {
  const done: string[] = [];
  let paragraph: string[] = [];
  let fence: string | undefined;
  let isInList = false;
  const end = () => {
    if (paragraph.length > 0) done.push(mapParagraph(paragraph.join('\n'), change));
    paragraph = [];
  };
  for (const line of text.split('\n')) {
    const [, marker = '', info = ''] = FENCE.exec(line) ?? [];
    const isMark = marker !== '' && !(marker.startsWith('`') && info.includes('`'));
    if (fence !== undefined) {
      done.push(line);
      if (isMark && marker.startsWith(fence) && info.trim() === '') fence = undefined;
      continue;
    }
    const isEmpty = line.trim() === '';
    const isCode = paragraph.length === 0 && !isInList && FURTHER_IN.test(line);
    if (isMark || isEmpty || isCode) {
      end();
      done.push(line);
      if (isMark) fence = marker;
      continue;
    }
    if (LIST.test(line)) isInList = true;
    else if (!/^\s/.test(line)) isInList = false;
    paragraph.push(line);
  }
  end();
  return done.join('\n');
}

/** Code between backticks ends with as many as it began with; what has no end is no code. */
function mapParagraph(text: string, change: ChangeWords): string {
  if (!text.includes('`')) return change(text, false, false);
  const runs = [...text.matchAll(/`+/g)];
  const next = nextOfEqualLength(runs);
  let shown = '';
  let from = 0;
  for (const [place, { 0: marks, index }] of runs.entries()) {
    const end = next[place];
    if (index < from || end === undefined || isEscaped(text, index)) continue;
    const past = runs[end]!.index + marks.length;
    shown += change(text.slice(from, index), from > 0, true) + text.slice(index, past);
    from = past;
  }
  return shown + change(text.slice(from), from > 0, false);
}

/** For each of these, which is the next of its length. */
function nextOfEqualLength(runs: readonly RegExpExecArray[]): (number | undefined)[] {
  const next: (number | undefined)[] = [];
  const seen = new Map<number, number>();
  for (let place = runs.length - 1; place >= 0; place -= 1) {
    const { length } = runs[place]![0];
    next[place] = seen.get(length);
    seen.set(length, place);
  }
  return next;
}

function isEscaped(text: string, index: number): boolean {
  let count = 0;
  while (text[index - count - 1] === '\\') count += 1;
  return count % 2 === 1;
}
