/** Lines of a file that a search found. */
export interface CodePlace {
  path: string;
  startLine: number;
  endLine: number;
  text: string;
}

const HEAD = /^\s*The following code sections were retrieved:\n/;
const MAX_CHARS = 200_000;

/**
 * The places in an answer of the code search: a path, then its lines with their numbers, dots where some are left out. Nothing
 * where the text is another one. The last line may still be on its way.
 */
export function readPlaces(answer: string): CodePlace[] | undefined {
  const head = HEAD.exec(answer.slice(0, 200))?.[0];
  if (head === undefined || answer.length > MAX_CHARS) return undefined;
  const places: CodePlace[] = [];
  let path: string | undefined;
  let place: CodePlace | undefined;
  for (const line of answer.slice(head.length).trimEnd().split('\n')) {
    const [, named] = /^Path: (.+)$/.exec(line) ?? [];
    const [, number, text = ''] = /^ *(\d{1,9})\t(.*)$/.exec(line) ?? [];
    if (named !== undefined) [path, place] = [named, undefined];
    else if (number !== undefined && path !== undefined) {
      if (place === undefined || place.endLine + 1 !== Number(number)) {
        place = { path, startLine: Number(number), endLine: Number(number), text };
        places.push(place);
      } else {
        place.endLine += 1;
        place.text += `\n${text}`;
      }
    } else if (/^(?:\.\.\.|…)/.test(line)) place = undefined;
    else if (line.trim() !== '' && !'Path: '.startsWith(line.trim())) return undefined; // Nobody knows what it means.
  }
  return places.length === 0 ? undefined : places;
}
