import { isCrlf, lfView, withLineEnds } from './lf-view.ts';
import { commonEnds, startsOf, type TextMatch } from './text-edit.ts';

/**
 * The text with quotes of another shape: straight where the file has typographic ones, or the other way round.
 *
 * What the new text has in common with the old stays as the file has it. In between, a quote becomes what the file has for
 * it, where the file has one shape only; else it stays as the model wrote it.
 */
export function matchQuotes(content: string, oldString: string, newString: string): TextMatch[] {
  const view = lfView(content);
  const old = withLineEnds(oldString, '\n');
  const fresh = withLineEnds(newString, '\n');
  const folded = fold(view.text);
  const wanted = fold(old);
  if (folded === view.text && wanted === old) return [];
  const { before, after } = commonEnds(old, fresh);
  return startsOf(folded, wanted).map((place) => {
    const shapes = shapesOf(old, view.text.slice(place, place + old.length));
    const middle = Array.from(
      fresh.slice(before, fresh.length - after),
      (character) => shapes.get(character) ?? character,
    );
    const edit = {
      start: view.toRaw(place + before),
      end: view.toRaw(place + old.length - after),
      text: withLineEnds(middle.join(''), isCrlf(content) ? '\r\n' : '\n'),
    };
    return { at: view.toRaw(place), to: view.toRaw(place + old.length), edit };
  });
}

/** Every quote in its straight shape. Each is one character before and after, so places stay the same. */
function fold(text: string): string {
  return text.replace(/[‘’‚‛]/g, "'").replace(/[“”„‟]/g, '"');
}

/** What the file has where the model wrote a certain quote, as far as it is always the same. */
function shapesOf(old: string, there: string): Map<string, string> {
  const shapes = new Map<string, string>();
  const varied = new Set<string>();
  for (let at = 0; at < old.length; at++) {
    const written = old[at] ?? '';
    const found = there[at] ?? '';
    if (fold(written) !== "'" && fold(written) !== '"') continue;
    if (shapes.has(written) && shapes.get(written) !== found) varied.add(written);
    shapes.set(written, found);
  }
  for (const written of varied) shapes.delete(written);
  return shapes;
}
