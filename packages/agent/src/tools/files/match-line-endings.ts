import { lfView, withLineEnds } from './lf-view.ts';
import { commonEnds, startsOf, type TextMatch } from './text-edit.ts';

/** The same text with other line ends. What the new text has in common with the old stays as the file has it. */
export function matchLineEndings(content: string, oldString: string, newString: string): TextMatch[] {
  const old = withLineEnds(oldString, '\n');
  const fresh = withLineEnds(newString, '\n');
  const view = lfView(content);
  const { before, after } = commonEnds(old, fresh);
  return startsOf(view.text, old).map((place) => {
    const at = view.toRaw(place);
    const to = view.toRaw(place + old.length);
    const there = content.slice(at, to);
    const end = (there.includes('\n') ? there : content).includes('\r\n') ? '\r\n' : '\n';
    const edit = {
      start: view.toRaw(place + before),
      end: view.toRaw(place + old.length - after),
      text: withLineEnds(fresh.slice(before, fresh.length - after), end),
    };
    return { at, to, edit };
  });
}
