/** For models that know conversations only: they are told that the text goes on behind the gap. */
const FILL_GAP =
  'You fill a gap in a text. Answer with what belongs between the two parts and nothing else: no explanation, no code fence, nothing that is there already.';

/** A text that is to be gone on with, as a question to a model that knows conversations only. */
export function fillGap(text: string, suffix: string): { instruction: string; question: string } {
  if (suffix === '') return { instruction: '', question: text };
  return { instruction: FILL_GAP, question: `<before>\n${text}\n</before>\n<after>\n${suffix}\n</after>` };
}
