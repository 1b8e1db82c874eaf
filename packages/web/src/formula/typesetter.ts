import katex from 'katex';
import 'katex/dist/katex.css';

/** TeX as elements, made one by one: no text becomes HTML. Nothing where it is not understood. */
export function typeset(text: string, isDisplay: boolean): Node[] {
  const box = document.createElement('span');
  try {
    katex.render(text, box, {
      displayMode: isDisplay,
      throwOnError: true,
      strict: false,
      trust: false,
      maxSize: 20,
      maxExpand: 300,
      // For these two the part that is read aloud would need a style attribute, which the page's policy forbids.
      output: /\\(?:pmb|fcolorbox)/.test(text) ? 'html' : 'htmlAndMathml',
    });
  } catch {
    return [];
  }
  return [...box.childNodes];
}
